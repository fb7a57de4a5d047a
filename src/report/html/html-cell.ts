import { withoutModel } from '../../cell/cell-key.js';
import { type Rung, rungs } from '../../judge/outcome.js';
import type { ReportCell } from '../../matrix/report-format.js';
import type { PageEvidence } from './html-evidence.js';
import { shownIds } from './html-evidence.js';
import { supportLine } from '../view/deviation-view.js';
import { intervalText, trialsText, type VerdictMark, verdictMarks, whatFailed } from '../view/phrases.js';
import { thresholdText } from '../view/phrases.js';
import { unsettledText } from '../view/unsettled-text.js';

/** What the page shows of a cell. */
export function cellView(cell: ReportCell, anchor: string, evidence: PageEvidence) {
  const { trials, threshold } = cell;
  return {
    anchor,
    ...{ key: cell.key, name: nameOf(cell), title: cell.title, capability: cell.capability, verdict: cell.verdict },
    mark: verdictMarks[cell.verdict] satisfies VerdictMark,
    failed: whatFailed(cell),
    detail: cell.detail,
    trials: trialsText(cell),
    interval: trials.total === 0 ? null : { text: intervalText(trials.interval), ...bar(cell) },
    rungs: rungViews(cell.rung),
    standing:
      cell.standing === null
        ? null
        : { name: cell.standing.replace('_', ' '), unsettled: cell.unsettled ? unsettledText(cell) : null },
    expected: cell.expected && cell.expected.verdict !== 'pass' ? expectedText(cell.expected) : null,
    threshold: threshold && {
      text: thresholdText(threshold, cell.expected?.threshold),
      points: threshold.curve.map(([x, passed, total]) => ({
        x,
        passed,
        total,
        share: Math.round((passed / total) * 100),
      })),
    },
    enforcement: cell.enforcement,
    recovery: cell.recovery && `a retry by the client recovers in ${cell.recovery.recovered} of ${cell.recovery.of}`,
    quirks: cell.quirks.map((quirk) => quirk.replaceAll('_', ' ')),
    violations: violationsOf(cell),
    support: supportLine(cell.failures[0]),
    exchanges: shownIds(cell).flatMap((id) => evidence.get(id) ?? []),
    more: Math.max(0, cell.exchanges.length - shownIds(cell).length),
  };
}

/** The same violation in several trials is shown once. */
function violationsOf({ failures }: ReportCell): readonly { at: string; message: string }[] {
  const all = failures.flatMap(({ violations }) => violations);
  return [...new Map(all.map(({ at, message }) => [`${at} ${message}`, { at: at || '/', message }])).values()].slice(
    0,
    8,
  );
}

/** The key without the model, which the section's heading names. */
function nameOf({ key }: ReportCell): string {
  return withoutModel(key);
}

/** Positions in percent of the bar's width. */
function bar({ trials }: ReportCell): { from: number; width: number; at: number } {
  const [low, high] = trials.interval;
  const from = Math.round(low * 100);
  return {
    from,
    width: Math.max(1, Math.round(high * 100) - from),
    at: Math.round((trials.passed / trials.total) * 100),
  };
}

function rungViews(reached: Rung | null): readonly { name: Rung; reached: boolean }[] {
  const height = reached === null ? -1 : rungs.indexOf(reached);
  return rungs.map((name, index) => ({ name, reached: index <= height }));
}

function expectedText(expected: NonNullable<ReportCell['expected']>): string {
  const how = whatFailed(expected);
  const since = expected.date === null ? '' : ` since ${expected.date}`;
  const note = [expected.note, expected.link].filter((text) => text !== null).join(' ');
  return `known to ${expected.verdict === 'fail' ? 'fail' : 'be flaky'}${since}${how ? ` (${how})` : ''}${note ? `: ${note}` : ''}`;
}
