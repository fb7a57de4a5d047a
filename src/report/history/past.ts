import { isJudgement, type Verdict } from '../../cell/verdict.js';
import { type RunSummary, verdictIn } from './run-summary.js';
import { type RunStart, type Since, sinceWhen, startOf } from './since.js';

/** A verdict for each run of the history, the report's own run last; null where the run did not plan the cell. */
export type Strip = readonly (Verdict | null)[];

/** How a cell, or all cells of a capability together, did so far. */
export interface Past {
  readonly strip: Strip;
  /** From which run on every run that judged it gave today's verdict; null: today it was not judged. */
  readonly since: Since | null;
  /** When the last run began in which it passed, if that is not today; null: in none shown. */
  readonly lastPassed: RunStart | null;
}

/** Looks up what earlier runs say. */
export interface PastOf {
  /** The runs that the strips stand for, this one last. */
  readonly runs: readonly RunSummary[];
  cell(key: string): Past;
  /** All given cells together: `pass` if all judged ones pass, `fail` if none does, else `flaky`. */
  cells(keys: readonly string[]): Past;
  /** Since which run each that reached the model showed the behaviour; null: none shows it. */
  behaviourSince(id: string, model: string): Since | null;
}

/** @param own what this report says of itself */
export function pastOf({ runs: earlier }: { readonly runs: readonly RunSummary[] }, own: RunSummary): PastOf {
  const runs: readonly RunSummary[] = [...earlier, own];
  const verdictOf = (run: RunSummary, key: string): Verdict | null => {
    const cell = run.cells[key];
    return cell === undefined ? null : verdictIn(cell);
  };
  const past = (strip: Strip): Past => ({ strip, ...datesOf(strip, runs) });
  return {
    runs,
    cell: (key) => past(runs.map((run) => verdictOf(run, key))),
    cells: (keys) =>
      past(runs.map((run) => (speaksFor(run, keys) ? together(keys.map((key) => verdictOf(run, key))) : null))),
    behaviourSince: (id, model) => {
      const shows = ({ models, behaviours }: RunSummary): boolean | null =>
        models[model]?.reachable === true ? behaviours[id]?.includes(model) === true : null;
      return shows(own) === true ? sinceWhen(earlier, shows) : null;
    },
  };
}

/** What did not pass stands for nothing else: a partial run speaks only for cells that it asked, all together. */
export function speaksFor({ run, cells }: RunSummary, keys: readonly string[]): boolean {
  return run.partial !== true || keys.every((key) => Object.hasOwn(cells, key));
}

function datesOf(strip: Strip, runs: readonly RunSummary[]): Omit<Past, 'strip'> {
  const verdicts = new Map(runs.map((run, index) => [run, strip[index] ?? null]));
  const judged = strip.flatMap((verdict, index) => (isJudgement(verdict) ? [{ verdict, index }] : []));
  const today = strip.at(-1) ?? null;
  if (!isJudgement(today)) return { since: null, lastPassed: passedIn(judged, runs) };
  const since = sinceWhen(runs.slice(0, -1), (run) => {
    const verdict = verdicts.get(run) ?? null;
    return isJudgement(verdict) ? verdict === today : null;
  });
  return { since, lastPassed: today === 'pass' ? null : passedIn(judged, runs) };
}

function passedIn(
  judged: readonly { verdict: Verdict; index: number }[],
  runs: readonly RunSummary[],
): RunStart | null {
  const last = runs[judged.findLast(({ verdict }) => verdict === 'pass')?.index ?? -1];
  return last === undefined ? null : startOf(last, runs);
}

/** What most tells of several cells of one run; null: it planned none of them. */
function together(verdicts: readonly (Verdict | null)[]): Verdict | null {
  const seen = new Set(verdicts);
  const judged = (['pass', 'flaky', 'fail'] as const).filter((verdict) => seen.has(verdict));
  if (judged.length > 0) return judged.length === 1 ? (judged[0] ?? null) : 'flaky';
  return (['inconclusive', 'blocked', 'not_run'] as const).find((verdict) => seen.has(verdict)) ?? null;
}
