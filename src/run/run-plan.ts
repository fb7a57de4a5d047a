import type { Budget, ModelConfig } from '../config/config.js';
import type { Ticket } from '../plan/ticket.js';
import { exchangeId } from '../journal/exchange-ids.js';
import { createAsker } from './requester.js';
import { createPurse } from './limits/budget-ledger.js';
import { chargeRecorded } from './limits/charge-recorded.js';
import type { DriveOptions } from './drive-options.js';
import type { RunEvent, RunFinished, RunStarted, Stop } from '../journal/event.js';
import { createHalt } from './limits/halt.js';
import { openModelLane, type LaneListener } from './target-state.js';
import { openLanes } from './open-targets.js';
import { InternalError } from './run-error.js';
import { runModel } from './run-model.js';
import { createWaitingNotes } from './limits/waiting-notes.js';

type Emit = (event: RunEvent) => Promise<void>;

/** How long requests in flight may go on after an interruption, in milliseconds. */
const graceAfterInterruption = 5000;

/** The run behind `drive`: resolves or rejects when everything is written and closed. */
export async function runPlan(options: DriveOptions, emit: Emit): Promise<void> {
  const { clock, journal, recorded, signal } = options;
  const stops: Stop[] = [];
  const stopped = (target: string | null, model: string | null, why: string): void => {
    stops.push({ target, model, why });
    if (why !== interrupted) void emit({ type: 'stopped', target, why });
  };
  const run = createHalt(null, (why) => {
    stopped(null, null, why);
  });
  const cut = new AbortController();
  const over = new AbortController();
  let isInterrupted = false;
  const interrupt = (): void => {
    if (isInterrupted) return;
    isInterrupted = true;
    run.stop(interrupted);
    void clock.sleep(graceAfterInterruption, over.signal).then(() => {
      cut.abort();
    });
  };
  if (signal?.aborted === true) interrupt();
  signal?.addEventListener('abort', interrupt);

  const failures: Error[] = [];
  const failed = (error: Error): void => {
    failures.push(error);
    interrupt();
  };
  let requests = 0;
  const listener: LaneListener = { waiting: createWaitingNotes(clock, emit), stopped };
  try {
    await start(options, emit);
    const finish = recorded?.finished ?? null;
    const purse = createPurse(options.budget, share(options));
    if (recorded !== null && isLimited(options.budget)) await chargeRecorded(recorded, options.plan.tickets, purse);
    const ask = createAsker({
      clock,
      seed: options.plan.seed,
      purse,
      run,
      recorded,
      nothingSent: options.replay === true ? (model) => whyMissing(finish, model) : null,
      cut: cut.signal,
      record: async (record, from) => {
        requests += 1;
        // What the embedded service said can be had again for nothing.
        if (from !== 'journal') await journal?.append(record, from === 'service');
        await emit(record);
      },
      nextId: idsAfter(recorded?.lastNumber ?? 0),
      waiting: listener.waiting,
    });
    const lanes = openLanes(options.targets, share(options), clock, run, listener);
    await Promise.allSettled(
      [...ticketsByModel(options.plan.tickets)].map(async ([, tickets]) => {
        const [first] = tickets;
        if (first === undefined) return;
        const { model } = first.cell;
        const lane = lanes.get(model.target);
        if (lane === undefined) {
          failed(new InternalError(null, new Error(`no connection to ${model.target} was given`)));
          return;
        }
        await runModel(tickets, openModelLane(lane, model, share(options), listener), {
          ...options,
          ask,
          emit,
          failed,
        });
      }),
    );
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    if (run.why() === interrupted) await emit({ type: 'stopped', target: null, why: interrupted });
    else await end(options, requests, stops, emit);
  } finally {
    signal?.removeEventListener('abort', interrupt);
    over.abort();
    await recorded?.close();
    await journal?.close();
  }
}

const interrupted = 'interrupted';

const isLimited = (budget: Budget): boolean => Object.values(budget).some((limit) => limit !== null);

const share = ({ run }: DriveOptions): number => (run.shard === null ? 1 : 1 / run.shard.of);

/** The first line: that of the journal which is carried on, or a new one. */
async function start({ plan, run, clock, recorded, journal }: DriveOptions, emit: Emit): Promise<void> {
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
    ...(run.shownBefore && { shownBefore: Object.fromEntries(run.shownBefore) }),
  };
  await journal?.append(started);
  await emit(started);
}

/** The last line. A run that is only played again ends as the journal does. */
async function end(
  { clock, journal, recorded, replay }: DriveOptions,
  requests: number,
  stopped: readonly Stop[],
  emit: Emit,
): Promise<void> {
  if (replay === true) {
    const finished = recorded?.finished ?? null;
    for (const { target, why } of finished?.stopped ?? []) await emit({ type: 'stopped', target, why });
    await emit(finished ?? { type: 'stopped', target: null, why: 'the run was cut off' });
    return;
  }
  const at = new Date(clock.now()).toISOString();
  const finished: RunFinished = {
    type: 'run_finished',
    at,
    requests,
    ...(stopped.length > 0 ? { stopped } : {}),
  };
  await journal?.append(finished);
  await emit(finished);
}

function whyMissing(finished: RunFinished | null, { key, target }: ModelConfig): string {
  if (finished === null) return 'the run was cut off before this was asked';
  const stop = finished.stopped?.find(
    (one) =>
      (one.models?.includes(key) ?? true) &&
      (one.model === key || (one.model === null && (one.target === target || one.target === null))),
  );
  return stop?.why ?? 'this was not asked in the recorded run';
}

function ticketsByModel(tickets: readonly Ticket[]): Map<string, Ticket[]> {
  const byModel = new Map<string, Ticket[]>();
  for (const ticket of tickets) {
    const { key } = ticket.cell.model;
    const others = byModel.get(key);
    if (others === undefined) byModel.set(key, [ticket]);
    else others.push(ticket);
  }
  return byModel;
}

function idsAfter(last: number): () => string {
  let number = last;
  return () => {
    number += 1;
    return exchangeId(number);
  };
}
