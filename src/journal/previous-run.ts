import type { Learned } from '../baseline/learned.js';
import type { SharedFailure } from '../decide/shared-failure.js';
import type { Count } from '../stats/count.js';
import type { ModelBefore, RunStarted } from './event.js';

/** What the run before this one showed, and what it knew. */
export interface PreviousRun {
  /** By cell key: in how many runs in a row, up to this one, a cell was shown as a regression, alarm or not. */
  readonly shown: ReadonlyMap<string, number>;
  /** The cells among them whose own samples confirmed the regression, alarm or not. null: an older version did not say. */
  readonly confirmed: ReadonlySet<string> | null;
  /** By cell key: the fresh trials that showed a drop, or a row of passes, which luck in the accepted run may explain. */
  readonly drops: ReadonlyMap<string, Count>;
  /** By cell key: what was learned of cells since the baseline accepted them. */
  readonly learned: ReadonlyMap<string, Learned>;
  /** By `TARGET/MODEL`: what the answers said of the model. */
  readonly models: ReadonlyMap<string, ModelBefore>;
  /** By `TARGET/MODEL`: the failures that its cells share, alarm or not; absent: there are none. */
  readonly shared?: ReadonlyMap<string, readonly SharedFailure[]>;
}

type Recorded = Pick<
  RunStarted,
  'shownBefore' | 'confirmedBefore' | 'dropsBefore' | 'learnedBefore' | 'modelsBefore' | 'sharedBefore'
>;

/** As the first line of a journal keeps it, so that resuming or rejudging the run gives the same report. */
export function recordOf({ shown, confirmed, drops, learned, models, shared }: PreviousRun): Recorded {
  return {
    shownBefore: Object.fromEntries(shown),
    ...(confirmed !== null && { confirmedBefore: [...confirmed] }),
    ...(drops.size > 0 && { dropsBefore: Object.fromEntries(drops) }),
    ...(learned.size > 0 && { learnedBefore: Object.fromEntries(learned) }),
    ...(models.size > 0 && { modelsBefore: Object.fromEntries(models) }),
    ...(shared !== undefined && shared.size > 0 && { sharedBefore: Object.fromEntries(shared) }),
  };
}

/** null: the run did not know of one. Journals of older versions only say what it had shown. */
export function recordedPrevious(started: RunStarted | null): PreviousRun | null {
  if (started?.shownBefore === undefined) return null;
  const {
    shownBefore,
    confirmedBefore,
    dropsBefore = {},
    learnedBefore = {},
    modelsBefore = {},
    sharedBefore,
  } = started;
  return {
    shown: new Map(Object.entries(shownBefore)),
    confirmed: confirmedBefore === undefined ? null : new Set(confirmedBefore),
    drops: new Map(Object.entries(dropsBefore)),
    learned: new Map(Object.entries(learnedBefore)),
    models: new Map(Object.entries(modelsBefore)),
    ...(sharedBefore !== undefined && { shared: new Map(Object.entries(sharedBefore)) }),
  };
}
