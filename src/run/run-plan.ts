import { setMaxListeners } from 'node:events';
import { endOf } from '../chat/exchange.js';
import type { Budget, ModelConfig } from '../config/config.js';
import {
  recordedMemory,
  whyNotAsked,
  type RunEvent,
  type RunFinished,
  type RunStarted,
  type Stop,
  type StopReason,
} from '../journal/event.js';
import { exchangeIdsAfter, type RecordedExchanges } from '../journal/read-journal.js';
import { groupBy } from '../json/group-by.js';
import type { Outcome } from '../judge/outcome.js';
import type { Ticket, Plan } from '../plan/ticket.js';
import { createBudgetLedger, createTokenEstimator } from './budget-ledger.js';
import type { Clock } from './clock.js';
import type { DriveOptions } from './drive-options.js';
import { isRateLimited } from './rate-window.js';
import { createRequester } from './requester.js';
import { InternalError, runError, runModel } from './run-model.js';
import { createStopSwitch, openModel, openTargets, type ModelState } from './target-state.js';

/** How long requests in flight may go on after an interruption, in milliseconds. */
const graceAfterInterruption = 5000;

/** The run behind `drive`. Resolves or rejects once everything is written and closed. */
export async function runPlan(options: DriveOptions, emit: (event: RunEvent) => Promise<void>): Promise<void> {
  const { clock, journal, recorded, signal } = options;
  const stops: Stop[] = [];
  const stopped = (target: string | null, model: string | null, reason: StopReason): void => {
    const stop = { target, model, ...reason };
    stops.push(stop);
    if (reason.kind !== 'interrupted') void emit({ type: 'stopped', stop });
  };
  const run = createStopSwitch(null, (reason) => stopped(null, null, reason));
  const cut = new AbortController();
  // One listener for each request in flight.
  setMaxListeners(0, cut.signal);
  const over = new AbortController();
  let isInterrupted = false;
  const interrupt = (): void => {
    if (isInterrupted) return;
    isInterrupted = true;
    run.stop({ kind: 'interrupted' });
    void clock.sleep(graceAfterInterruption, over.signal).then(() => cut.abort());
  };
  if (signal?.aborted === true) interrupt();
  signal?.addEventListener('abort', interrupt);

  const failures: Error[] = [];
  const failed = (error: unknown): void => {
    failures.push(runError(error, null));
    interrupt();
  };
  const questions: Promise<void>[] = [];
  const requests = { all: 0, sent: 0 };
  const waits = announceWaits(clock, emit);
  const listener = { limited: waits.limited, stopped };
  const byModel = groupBy(options.plan.tickets, ({ cell }) => cell.model.key);
  const endOfRun = createEndOfRun(byModel.size);
  const leaveAlone = async ({ model }: ModelState, outcome: Outcome): Promise<void> => {
    if (options.replay === true) return;
    if (endOfRun.isFar()) void emit({ type: 'left_alone', model: model.key, outcome });
    await endOfRun.wait();
  };
  try {
    await startRun(options, emit);
    const finished = recorded?.finished ?? null;
    const ledger = createBudgetLedger(options.budget, shareOf(options));
    const request = createRequester({
      clock,
      startedAt: clock.now(),
      seed: options.plan.seed,
      runId: options.run.id,
      ledger,
      run,
      recorded,
      controlBody: options.controlBody,
      judgeControl: options.judgeControl,
      leaveAlone,
      failed,
      beside: (question) => void questions.push(question),
      whyNotRecorded:
        options.replay === true ? (model) => whyNotRecorded(recorded?.started ?? null, finished, model) : null,
      cut: cut.signal,
      record: async (record, from) => {
        requests.all += 1;
        if (from !== 'journal') {
          requests.sent += 1;
          // Answers of the embedded service cost nothing to repeat.
          await journal?.append(record, from === 'service');
        }
        await emit(record);
      },
      announce: journal !== null && countsSent(options) ? (line) => journal.append(line, false) : null,
      nextId: exchangeIdsAfter(recorded?.lastNumber ?? 0),
      waiting: waits.toRepeat,
    });
    const targets = openTargets(options.targets, shareOf(options), clock, run, listener);
    if (recorded !== null && countsSent(options)) await countRecorded(recorded, options.plan, targets, ledger);
    const ofModel = async (tickets: readonly Ticket[]): Promise<void> => {
      const [first] = tickets;
      if (first === undefined) return;
      const { model } = first.cell;
      const target = targets.get(model.target);
      if (target === undefined) {
        failed(new InternalError(null, new Error(`no connection to ${model.target} was given`)));
        return;
      }
      // What stopped an earlier session may have been mended since.
      const askAgain = finished !== null && options.replay !== true;
      const state = openModel(target, model, shareOf(options), listener);
      await runModel(tickets, state, {
        ...options,
        request,
        emit,
        failed,
        askAgain,
        leaveAlone,
        asksLeft: options.replay === true && recorded !== null ? (cell) => recorded.asksLeft(cell) : null,
        mayBeRecorded: (cell) => options.replay === true || (recorded?.asksLeft(cell).length ?? 0) > 0,
      }).finally(() => (state.breaker.isOver = true));
    };
    await Promise.allSettled([...byModel.values()].map((tickets) => ofModel(tickets).finally(endOfRun.done)));
    await Promise.all(questions);
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    const reason = run.reason();
    if (reason?.kind === 'interrupted') {
      await emit({ type: 'stopped', stop: { target: null, model: null, ...reason } });
    } else if (options.replay === true) {
      await finishReplay(options, emit);
    } else {
      await finishRun(options, requests, stops, emit);
    }
  } finally {
    signal?.removeEventListener('abort', interrupt);
    over.abort();
    await recorded?.close();
    await journal?.close();
  }
}

const isLimited = (budget: Budget): boolean => Object.values(budget).some((limit) => limit !== null);

/** Whether what was in flight at a kill counts against a limit. */
const countsSent = ({ budget, targets }: DriveOptions): boolean =>
  isLimited(budget) || [...targets.values()].some(({ config }) => isRateLimited(config.limits));

/** The part of limits and budget that this run may use. */
const shareOf = ({ run }: DriveOptions): number => (run.shard === null ? 1 : 1 / run.shard.of);

function whyNotRecorded(started: RunStarted | null, finished: RunFinished | null, model: ModelConfig): StopReason {
  if (finished === null) {
    const ofModel = missingShards(started).filter(({ models }) => models !== undefined);
    return whyNotAsked(ofModel, model) ?? { kind: 'cut_off' };
  }
  return whyNotAsked(finished.stopped ?? [], model) ?? { kind: 'not_recorded' };
}

/** Milliseconds. A shorter wait is not reported, nor is one that ends little later than one reported before. */
const worthReporting = 1000;

/** Reports waits to the listeners, once for all requests that wait for the same thing. */
function announceWaits(clock: Clock, emit: (event: RunEvent) => Promise<void>) {
  const announcedUntil = new Map<string, number>();
  const isNews = (name: string, ms: number): boolean => {
    const ends = clock.now() + ms;
    if (ms < worthReporting || ends <= (announcedUntil.get(name) ?? 0) + worthReporting) return false;
    announcedUntil.set(name, ends);
    return true;
  };
  return {
    limited: (target: string, ms: number): void => {
      if (!isNews(target, ms)) return;
      void emit({ type: 'waiting', reason: 'rate_limit', target, seconds: Math.ceil(ms / 1000) });
    },
    toRepeat: ({ key, target }: ModelConfig, ms: number, cause: string): void => {
      if (!isNews(key, ms)) return;
      void emit({ type: 'waiting', reason: 'retry', target, model: key, seconds: Math.ceil(ms / 1000), cause });
    },
  };
}

/** Tells models that were left alone when all others are done. */
interface EndOfRun {
  /** Resolves when no other model is asked any more; the model is asked again then. */
  readonly wait: () => Promise<void>;
  /** A model is done. */
  readonly done: () => void;
  /** Whether any other model is still asked. */
  readonly isFar: () => boolean;
}

/** @param models of the run */
function createEndOfRun(models: number): EndOfRun {
  let asked = models;
  let left: (() => void)[] = [];
  const leave = (): void => {
    asked -= 1;
    if (asked > 0) return;
    asked = left.length;
    const all = left;
    left = [];
    for (const ask of all) ask();
  };
  return {
    wait: () =>
      new Promise((resolve) => {
        left.push(resolve);
        leave();
      }),
    done: leave,
    isFar: () => asked > 1,
  };
}

/**
 * Counts what earlier sessions of a resumed run sent, before anything is asked, so that budget and limits per minute
 * hold across a kill. What was in flight at a kill may have been answered and billed: it counts as it was reserved, and
 * had been sent, if at all, before its time-out was over.
 */
async function countRecorded(
  recorded: RecordedExchanges,
  { tickets }: Plan,
  targets: ReturnType<typeof openTargets>,
  ledger: ReturnType<typeof createBudgetLedger>,
): Promise<void> {
  type AskedBefore = Pick<ModelState, 'estimator' | 'model'> & { readonly target: ModelState['target'] | undefined };
  const models = new Map<string, AskedBefore>();
  for (const { cell } of tickets) {
    const { key, target } = cell.model;
    const { model } = cell;
    if (!models.has(key)) {
      models.set(key, { model, target: targets.get(target), estimator: createTokenEstimator(model) });
    }
  }
  const recall = (known: AskedBefore | undefined, by: number, tokens: number): void => {
    known?.target?.shared.window.recall(by, tokens);
    known?.target?.shared.windowOf(known.model).recall(by, 0);
  };
  for await (const { model, exchange } of recorded.exchanges()) {
    const known = models.get(model);
    const spent = known?.estimator.spent(exchange.request.body, exchange.answer);
    ledger.charge(spent ?? { tokens: 0, cost: 0 });
    recall(known, endOf(exchange), spent?.tokens ?? 0);
  }
  for (const { model, at, tokens, cost } of recorded.lost) {
    ledger.charge({ tokens, cost });
    const known = models.get(model);
    recall(known, Date.parse(at) + 1000 * (known?.target?.config.limits.timeoutSeconds ?? 0), tokens);
  }
}

type Emit = (event: RunEvent) => Promise<void>;

/** Writes the first line, unless the run continues a journal that has one. */
async function startRun({ plan, run, clock, recorded, journal }: DriveOptions, emit: Emit): Promise<void> {
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

/** Writes the last line. Where nothing was sent, a run that had ended is as old as it was. */
async function finishRun(
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
async function finishReplay({ recorded }: DriveOptions, emit: Emit): Promise<void> {
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
