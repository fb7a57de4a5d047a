import type { CellMemory } from '../baseline/entries.js';
import type { SharedFailure } from '../decide/shared-failure.js';
import type { ModelBefore, RecordedMemory, RunStarted } from './event.js';

/** What the runs before this one leave to it. */
export interface PreviousRun {
  /** By cell key: what is known since the baseline accepted it, and its open doubt. */
  readonly cells: ReadonlyMap<string, CellMemory>;
  /** By `TARGET/MODEL`: what the answers said of the model. */
  readonly models: ReadonlyMap<string, ModelBefore>;
  /** By `TARGET/MODEL`: the doubts about the model as a whole. */
  readonly shared: ReadonlyMap<string, readonly SharedFailure[]>;
}

export function recordOf({ cells, models, shared }: PreviousRun): RecordedMemory {
  return { cells: Object.fromEntries(cells), models: Object.fromEntries(models), shared: Object.fromEntries(shared) };
}

export function previousFrom({ cells, models, shared }: RecordedMemory): PreviousRun {
  return {
    cells: new Map(Object.entries(cells)),
    models: new Map(Object.entries(models)),
    shared: new Map(Object.entries(shared)),
  };
}

/** null: the run did not know of one. */
export function recordedPrevious(started: RunStarted | null): PreviousRun | null {
  return started?.before === undefined ? null : previousFrom(started.before);
}
