import type { Learned } from '../baseline/learned.js';
import type { ShownBefore } from '../decide/bad-hour.js';
import type { ModelBefore, RunStarted } from './event.js';

/** What the run before this one showed, and what it knew. */
export interface PreviousRun {
  /** Cells that it showed as regressions. */
  readonly shown: ShownBefore;
  /** By cell key: what was learned of cells of which the baseline knows little. */
  readonly learned: ReadonlyMap<string, Learned>;
  /** By `TARGET/MODEL`: what the answers said of the model. */
  readonly models: ReadonlyMap<string, ModelBefore>;
}

type Recorded = Pick<RunStarted, 'shownBefore' | 'learnedBefore' | 'modelsBefore'>;

/** As the first line of a journal keeps it, so that resuming or rejudging the run gives the same report. */
export function recordOf({ shown, learned, models }: PreviousRun): Recorded {
  return {
    shownBefore: Object.fromEntries(shown),
    ...(learned.size > 0 && { learnedBefore: Object.fromEntries(learned) }),
    ...(models.size > 0 && { modelsBefore: Object.fromEntries(models) }),
  };
}

/** null: the run did not know of one. Journals of older versions only say what it had shown. */
export function recordedPrevious(started: RunStarted | null): PreviousRun | null {
  if (started?.shownBefore === undefined) return null;
  const { shownBefore, learnedBefore = {}, modelsBefore = {} } = started;
  return {
    shown: new Map(Object.entries(shownBefore)),
    learned: new Map(Object.entries(learnedBefore)),
    models: new Map(Object.entries(modelsBefore)),
  };
}
