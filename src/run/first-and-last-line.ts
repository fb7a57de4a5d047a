import type { ModelConfig } from '../config/config.js';
import {
  recordedMemory,
  whyNotAsked,
  type RunFinished,
  type RunStarted,
  type Stop,
  type StopReason,
} from '../journal/event.js';
import type { DriveOptions, EmitEvent } from './drive-options.js';

/** Writes the first line, unless the run continues a journal that has one. */
export async function startRun({ plan, run, clock, recorded, journal }: DriveOptions, emit: EmitEvent): Promise<void> {
  const begun = recorded?.started ?? null;
  if (begun !== null) return emit(begun);
  const started: RunStarted = {
    type: 'run_started',
    run: run.id,
    at: new Date(clock.now()).toISOString(),
    plan: plan.digest,
    digests: plan.digests,
    tool: run.tool,
    node: run.node,
    profile: plan.profile,
    seed: plan.seed,
    plannedCells: plan.plannedCells,
    shard: run.shard,
    ...(run.options === undefined ? {} : { options: run.options }),
    ...(plan.lastFailed && { lastFailed: plan.lastFailed }),
    ...(run.listed && { listed: run.listed }),
    ...(run.previous && { before: recordedMemory(run.previous) }),
  };
  await journal?.append(started);
  await emit(started);
}

/** Requests of a run, and those that were sent and not looked up. */
export interface RequestCounts {
  readonly all: number;
  readonly sent: number;
}

/** Writes the last line. Where nothing was sent, a run that had ended is as old as it was. */
export async function finishRun(
  { clock, journal, recorded }: DriveOptions,
  requests: RequestCounts,
  stopped: readonly Stop[],
  emit: EmitEvent,
): Promise<void> {
  const before = requests.sent === 0 ? (recorded?.finished ?? null) : null;
  const finished: RunFinished = {
    type: 'run_finished',
    at: before?.at ?? new Date(clock.now()).toISOString(),
    requests: requests.all,
    ...(stopped.length > 0 ? { stopped } : {}),
  };
  await journal?.append(finished);
  await emit(finished);
}

/** Ends a run that is judged again, as its journal ends. */
export async function finishReplay({ recorded }: DriveOptions, emit: EmitEvent): Promise<void> {
  const finished = recorded?.finished ?? null;
  for (const stop of finished?.stopped ?? []) await emit({ type: 'stopped', stop });
  if (finished !== null) return emit(finished);
  const missing = missingShards(recorded?.started ?? null);
  for (const stop of missing) await emit({ type: 'stopped', stop });
  if (missing.length === 0) await emit({ type: 'stopped', stop: { target: null, model: null, kind: 'cut_off' } });
}

type MissingShard = Extract<Stop, { kind: 'missing_shard' }>;

/** The shards that a merged run lacks. */
function missingShards(started: RunStarted | null): readonly MissingShard[] {
  const { of = 0, missing = [] } = started?.merged ?? {};
  return missing.map(({ shard, models }) => ({ target: null, model: null, models, kind: 'missing_shard', shard, of }));
}

/** The reason why an exchange of a model is not recorded in a run that is judged again. */
export function whyNotRecorded(
  started: RunStarted | null,
  finished: RunFinished | null,
  model: ModelConfig,
): StopReason {
  if (finished === null) {
    const ofModel = missingShards(started).filter(({ models }) => models !== undefined);
    return whyNotAsked(ofModel, model) ?? { kind: 'cut_off' };
  }
  return whyNotAsked(finished.stopped ?? [], model) ?? { kind: 'not_recorded' };
}
