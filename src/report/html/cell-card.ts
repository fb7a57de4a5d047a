import { rungs } from '../../judge/outcome.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { supportLine } from '../view/deviation-view.js';
import { knownText } from '../view/known-text.js';
import { count, intervalText, thresholdText, trialsText, whatFailed } from '../view/phrases.js';
import { typicalFailure } from '../view/typical-failure.js';
import { unsettledText } from '../view/unsettled-text.js';
import type { cellPast } from './cell-past.js';

/** What the page knows besides the cell itself. */
export interface AroundCell {
  readonly condition: string | null;
  readonly past: ReturnType<typeof cellPast>;
  /** What is said of exchanges that are not there. */
  readonly left: string | null;
}

/**
 * What the drawer shows of a cell, but for its key, its exchanges and the cells around it. Many models have the same card
 * of a probe that passes.
 */
export function cellCard(cell: ReportCell, { condition, past, left }: AroundCell) {
  const { trials, threshold } = cell;
  return {
    title: cell.title,
    capability: cell.capability,
    verdict: cell.verdict,
    sentence: sentenceOf(cell),
    detail: cell.detail,
    class: cell.class,
    interval: trials.total === 0 ? null : bar(cell),
    trials: { passed: trials.passed, total: trials.total, faults: trials.faults },
    fresh: cell.fresh && `${cell.fresh.passed} of ${cell.fresh.total} passed, of the trials above`,
    rung: cell.rung === null ? -1 : rungs.indexOf(cell.rung),
    standing:
      cell.standing === null
        ? null
        : { name: cell.standing.replace('_', ' '), unsettled: cell.unsettled ? unsettledText(cell) : null },
    expected: cell.expected && cell.expected.verdict !== 'pass' ? expectedText(cell.expected) : null,
    threshold: threshold && {
      text: thresholdText(threshold, cell.expected?.threshold),
      points: threshold.curve.map(([x, passed, total]) => ({ x, passed, total })),
    },
    enforcement: cell.enforcement,
    recovery: cell.recovery && `a retry by the client recovers in ${cell.recovery.recovered} of ${cell.recovery.of}`,
    quirks: cell.quirks.map((quirk) => quirk.replaceAll('_', ' ')),
    violations: violationsOf(cell),
    support: supportLine(typicalFailure(cell)),
    condition,
    past,
    left,
  };
}

/** "Fails: 0 of 7 passed (http_error 500, tool_choice_unsupported)" */
function sentenceOf(cell: ReportCell): string {
  const { passed, total } = cell.trials;
  const how = whatFailed(cell);
  const why = how === '' ? '' : ` (${how})`;
  switch (cell.verdict) {
    case 'pass':
      return `Passes: ${trialsText(cell)}`;
    case 'flaky':
      return `Passes only sometimes: ${trialsText(cell)}; ${count(total - passed, 'trial')} failed${why}`;
    case 'fail':
      return `Fails: ${trialsText(cell)}${why}`;
    case 'inconclusive':
      return `Could not be measured: ${trialsText(cell)}${why}`;
    case 'blocked':
      return 'Not asked, because something that it needs does not pass';
    case 'not_run':
      return 'Not asked in this run';
  }
}

/** The same violation in several trials is shown once. */
function violationsOf({ failures }: ReportCell): readonly { at: string; message: string }[] {
  if (failures.length === 0) return [];
  const all = failures.flatMap(({ violations }) => violations);
  return [...new Map(all.map(({ at, message }) => [`${at} ${message}`, { at: at || '/', message }])).values()].slice(
    0,
    8,
  );
}

/** Positions in percent of the bar's width. */
function bar({ trials }: ReportCell): { text: string; from: number; width: number; at: number } {
  const [low, high] = trials.interval;
  const from = Math.round(low * 100);
  return {
    text: intervalText(trials.interval),
    from,
    width: Math.max(1, Math.round(high * 100) - from),
    at: Math.round((trials.passed / trials.total) * 100),
  };
}

function expectedText(expected: NonNullable<ReportCell['expected']>): string {
  const how = whatFailed(expected);
  const note = [expected.note, expected.link].filter((text) => text !== null).join(' ');
  return `${knownText(expected)}${how ? ` (${how})` : ''}${note ? `: ${note}` : ''}`;
}
