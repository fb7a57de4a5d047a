import type { RunEvent, RunFinished, RunStarted } from '../journal/event.js';
import { recordOf } from '../journal/previous-run.js';
import type { Stop } from '../journal/stop.js';
import type { DriveOptions } from './drive-options.js';

type Emit = (event: RunEvent) => Promise<void>;

/** Writes the first line, unless the run continues a journal that has one. */
export async function startRun({ plan, run, clock, recorded, journal }: DriveOptions, emit: Emit): Promise<void> {
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
    ...(run.previous && { before: recordOf(run.previous) }),
  };
  await journal?.append(started);
  await emit(started);
}

/** Writes the last line. Where nothing was sent, a run that had ended is as old as it was. */
export async function finishRun(
  { clock, journal, recorded }: DriveOptions,
  requests: { readonly all: number; readonly sent: number },
  stopped: readonly Stop[],
  emit: Emit,
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
export async function finishReplay({ recorded }: DriveOptions, emit: Emit): Promise<void> {
  const finished = recorded?.finished ?? null;
  for (const stop of finished?.stopped ?? []) await emit({ type: 'stopped', stop });
  if (finished !== null) return emit(finished);
  const missing = missingShards(recorded?.started ?? null);
  for (const stop of missing) await emit({ type: 'stopped', stop });
  if (missing.length === 0) await emit({ type: 'stopped', stop: { target: null, model: null, kind: 'cut_off' } });
}

type MissingShard = Extract<Stop, { kind: 'missing_shard' }>;

/** The shards that a merged run lacks. */
export function missingShards(started: RunStarted | null): readonly MissingShard[] {
  const { of = 0, missing = [] } = started?.merged ?? {};
  return missing.map(({ shard, models }) => ({ target: null, model: null, models, kind: 'missing_shard', shard, of }));
}
