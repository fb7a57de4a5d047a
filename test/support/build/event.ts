import type { RunEvent, RunStarted } from '../../../src/journal/event.js';
import type { Outcome } from '../../../src/judge/outcome.js';
import { aFault, anOutcome } from './outcome.js';
import { aPlan } from './planned-cell.js';

export function aStartedEvent(): RunStarted {
  const { digest, digests, profile, seed, plannedCells } = aPlan([]);
  return {
    ...{ type: 'run_started', run: '2026-11-20-0800', at: '2026-11-20T08:00:00.000Z', shard: null, node: '' },
    ...{ plan: digest, digests, profile, seed, plannedCells, tool: { name: 'chatspec', version: '0.1.0' } },
  };
}

export function aFinishedEvent(): RunEvent {
  return { type: 'run_finished', at: '2026-11-20T08:01:00.000Z', requests: 1 };
}

/** The opening control of a model, by its key; with a failure, the model was not reached. */
export function aModelEvent(model: string, failure?: Partial<Outcome>): RunEvent {
  const reachable = failure === undefined;
  return { type: 'model', model, reachable, outcome: reachable ? anOutcome() : aFault(failure) };
}

export function aTrialEvent(cell: string, sample: number, outcome: Outcome, exchanges: readonly string[]): RunEvent {
  return { type: 'trial', cell, ask: { kind: 'trial', patch: {}, sample }, outcome, exchanges };
}
