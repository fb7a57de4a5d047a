import { missingTrials } from '../../matrix/missing-trials.js';
import { isJudged, verdicts } from '../../cell/verdict.js';
import type { Report } from '../../matrix/report-format.js';
import type { RunSummary } from '../history/run-summary.js';
import { costText, count, listed, shortTitle, uncoveredText } from './phrases.js';
import { unmeasuredClause } from './unmeasured.js';

/** "12 models, 240 cells: 201 pass, 5 flaky, 30 fail, 4 could not be measured" */
export function cellsSentence({ models, cells }: Report): string {
  const shown = verdicts
    .map((verdict) => ({ verdict, amount: cells.filter((cell) => cell.verdict === verdict).length }))
    .filter(({ amount }) => amount > 0)
    .map(({ verdict, amount }) => `${amount.toLocaleString('en')} ${shortTitle(verdict)}`);
  return `${count(models.length, 'model')}, ${count(cells.length, 'cell')}: ${shown.join(', ') || 'nothing planned'}${missingText(cells)}`;
}

/** "; 1,848 of 2,000 planned trials were not asked" */
function missingText(cells: Report['cells']): string {
  const { missing, planned } = missingTrials({ cells });
  return missing === 0
    ? ''
    : `; ${missing.toLocaleString('en')} of ${count(planned, 'planned trial')} ${missing === 1 ? 'was' : 'were'} not asked`;
}

/** "1,204 requests, 310,220 tokens (40,112 for reasoning), cost 0.42" */
export function spentSentence({ run }: Report): string {
  const { total_tokens, reasoning_tokens } = run.usage;
  const reasoning = reasoning_tokens > 0 ? ` (${reasoning_tokens.toLocaleString('en')} for reasoning)` : '';
  return `${count(run.requests, 'request')}, ${count(total_tokens, 'token')}${reasoning}${costText(run.cost)}`;
}

/** "Only 7 of 240 cells were asked again"; null of a run that asked all that its filters let through. */
export function partialText({ run, cells }: Pick<Report, 'run' | 'cells'>): string | null {
  if (run.last_failed === undefined) return null;
  const asked = cells.filter((cell) => cell.asked_for === undefined).length;
  return `Only ${asked.toLocaleString('en')} of ${count(run.last_failed.of, 'cell')} ${asked === 1 ? 'was' : 'were'} asked again`;
}

/** Whether no judged cell is in a baseline. */
export function nothingAccepted({ cells }: Report): boolean {
  const judged = cells.filter(isJudged);
  return judged.length > 0 && judged.every(({ standing }) => standing === 'new');
}

/** "no baseline covers these 34 judged cells yet" */
export function uncovered({ cells }: Pick<Report, 'cells'>): string {
  return uncoveredText(cells.filter(isJudged).length);
}

/** Of a run of which no baseline covers a cell, and in which nothing deviates: that, and how it stands. */
export function uncoveredQuietly(report: Pick<Report, 'cells'>): string {
  const judged = report.cells.filter(isJudged);
  const one = judged.length === 1;
  const passes = judged.every(({ verdict }) => verdict === 'pass');
  const quiet = one ? 'its failure is not confirmed' : 'no failure of them is confirmed';
  return `${uncovered(report)}, and ${passes ? (one ? 'it passes' : 'all of them pass') : quiet}`;
}

/** Models of which more answers fail than chance explains, although that is no alarm yet; null: there are none. */
export function modelsInDoubt({ models }: Pick<Report, 'models'>): string | null {
  const doubted = models.filter(({ shared_failures: found = [] }) => found.some(({ alarm }) => !alarm));
  if (doubted.length === 0) return null;
  const runs = Math.max(
    ...doubted.flatMap(({ shared_failures: found = [] }) => found.filter(({ alarm }) => !alarm).map((one) => one.runs)),
  );
  const sinceWhen = runs === 1 ? '; the next run tells whether it was a bad hour' : `, for ${runs} runs in a row`;
  return `more answers of ${listed(doubted.map(({ id }) => id))} fail than chance explains${sinceWhen}`;
}

/**
 * Why there are no deviations to show. A run that judged nothing must not look like good news.
 * @param earlier the runs before, as far as they are known
 */
export function noDeviations(report: Report, earlier: readonly RunSummary[] = []): string {
  const partial = partialText(report);
  const asked = noDeviationsInAsked(report, earlier);
  return partial === null ? asked : `${asked} ${partial}.`;
}

function noDeviationsInAsked(report: Report, earlier: readonly RunSummary[]): string {
  if (!report.cells.some(isJudged)) return 'None, because nothing was judged.';
  const missed = unmeasuredClause(report, earlier);
  const also = missed === null ? '' : `; ${missed}`;
  if (nothingAccepted(report)) return `None: ${uncoveredQuietly(report)}${also}.`;
  const inDoubt = modelsInDoubt(report);
  if (inDoubt !== null) return `None so far, but ${inDoubt}${also}.`;
  if (report.cells.some((cell) => isJudged(cell) && cell.unsettled)) {
    return `None: some cells look different, but too few trials show it${also}.`;
  }
  if (missingTrials(report).missing > 0) {
    return `None so far: every judged cell is as the baseline expects, but planned trials were not asked${also}.`;
  }
  if (missed !== null) return `None in what was judged, but ${missed}.`;
  return 'None: every judged cell is as the baseline expects.';
}
