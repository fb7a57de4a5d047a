import { type Deviation, deviationId } from '../../matrix/standing/deviations.js';
import { comparable, couldShow, showsIn } from './run-says.js';
import type { PastRun } from './history.js';
import type { RunSummary } from './run-summary.js';

/** When a run began. */
export interface RunStart {
  readonly at: string;
  /** Another run that is known began on that day, so that the day alone leaves open which is meant; absent: none did. */
  readonly severalThatDay?: true;
}

/** From which run on something has been so. */
export interface Since extends Omit<RunStart, 'at'> {
  /** When that run began; null: it is this run, or earlier ones are counted that are not known. */
  readonly at: string | null;
  /** The runs that show it, this one included; those that say nothing of it do not count. */
  readonly runs: number;
  /** No run that is known shows it otherwise, so it may have been so for longer. */
  readonly open: boolean;
}

type Known = RunSummary & Pick<PastRun, 'sameDay'>;

/** @param runs those that are known, this one among them */
export function startOf(run: Known, runs: readonly Known[]): RunStart {
  const at = run.run.started_at;
  const isOneOfSeveral =
    run.sameDay === true || runs.filter((one) => dayOf(one.run.started_at) === dayOf(at)).length > 1;
  return { at, ...(isOneOfSeveral && { severalThatDay: true }) };
}

/**
 * Since when something is so that this run shows.
 * @param earlier the runs before, the oldest first
 * @param shows whether a run shows it as well; null: it says nothing about it
 */
export function sinceWhen(earlier: readonly RunSummary[], shows: (run: RunSummary) => boolean | null): Since {
  const saying = earlier.filter((run) => shows(run) !== null);
  const otherwise = saying.findLastIndex((run) => shows(run) === false);
  const first = saying[otherwise + 1];
  const start = first === undefined ? { at: null } : startOf(first, earlier);
  return { ...start, runs: saying.length - otherwise, open: otherwise === -1 };
}

/** `2026-11-20` */
export const dayOf = (time: string): string => time.slice(0, 10);

/**
 * Since when it deviates. A run that did not judge the cell, or did not ask the model, says nothing about it. Where this
 * run counts more runs in a row than are known, the first of them is not.
 */
export function deviatingSince(deviation: Deviation, earlier: readonly RunSummary[]): Since {
  const id = deviationId(deviation);
  const known = sinceWhen(comparable(earlier), (run) => showsIn(run, id) || (couldShow(run, deviation) ? false : null));
  // What cells of a model share shows in others of them each night.
  const { shared, doubt } = 'cell' in deviation ? deviation.cell : {};
  const counted = Math.max(shared?.runs ?? 1, doubt?.by_run.length ?? 1);
  return counted > known.runs ? { at: null, runs: counted, open: false } : known;
}
