import { setMaxListeners } from 'node:events';
import type { Budget, ModelConfig } from '../config/config.js';
import type { RunEvent, RunFinished, RunStarted } from '../journal/event.js';
import { exchangeIdsAfter } from '../journal/exchange-ids.js';
import { whyNotAsked, type Stop, type StopReason } from '../journal/stop.js';
import { groupBy } from '../json/group-by.js';
import { runModel } from './cells/run-model.js';
import type { DriveOptions } from './drive-options.js';
import { announceWaits } from './limits/announce-waits.js';
import { chargeRecorded, createBudgetLedger } from './limits/budget-ledger.js';
import { isRateLimited } from './limits/rate-window.js';
import { recallRecorded } from './limits/recall-recorded.js';
import { createStopSwitch } from './limits/stop-switch.js';
import { openTargets } from './open-targets.js';
import { createRequester } from './requester.js';
import { InternalError } from './run-error.js';
import { openJudgements } from './judging/long-judgements.js';
import { finishReplay, finishRun, missingShards, startRun } from './run-lines.js';
import { openModel, type TargetListener } from './target-state.js';

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
  const run = createStopSwitch(null, (reason) => {
    stopped(null, null, reason);
  });
  const cut = new AbortController();
  // One listener for each request in flight.
  setMaxListeners(0, cut.signal);
  const over = new AbortController();
  let isInterrupted = false;
  const interrupt = (): void => {
    if (isInterrupted) return;
    isInterrupted = true;
    run.stop({ kind: 'interrupted' });
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
  const requests = { all: 0, sent: 0 };
  const judgements = openJudgements();
  const listener: TargetListener = { waiting: announceWaits(clock, emit), stopped };
  try {
    await startRun(options, emit);
    const finished = recorded?.finished ?? null;
    const ledger = createBudgetLedger(options.budget, shareOf(options));
    options.watchBudget?.(() => ledger.spent());
    if (recorded !== null && isLimited(options.budget)) await chargeRecorded(recorded, options.plan.tickets, ledger);
    const request = createRequester({
      clock,
      seed: options.plan.seed,
      ledger,
      run,
      recorded,
      controlBody: options.controlBody,
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
      waiting: listener.waiting,
    });
    const targets = openTargets(options.targets, shareOf(options), clock, run, listener);
    if (recorded !== null && options.replay !== true) await recallRecorded(recorded, targets);
    await Promise.allSettled(
      [...groupBy(options.plan.tickets, ({ cell }) => cell.model.key).values()].map(async (tickets) => {
        const [first] = tickets;
        if (first === undefined) return;
        const { model } = first.cell;
        const target = targets.get(model.target);
        if (target === undefined) {
          failed(new InternalError(null, new Error(`no connection to ${model.target} was given`)));
          return;
        }
        const state = openModel(target, model, shareOf(options), clock, listener);
        // What stopped an earlier session may have been mended since.
        const askAgain = finished !== null && options.replay !== true;
        const asksLeft =
          options.replay === true && recorded !== null ? (cell: string) => recorded.asksLeft(cell) : undefined;
        await runModel(tickets, state, {
          ...{ ...options, request, emit, failed, askAgain, judge: judgements.judge },
          ...(asksLeft !== undefined && { asksLeft }),
        });
      }),
    );
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    const reason = run.reason();
    if (reason?.kind === 'interrupted') {
      await emit({ type: 'stopped', stop: { target: null, model: null, ...reason } });
    } else if (options.replay === true) await finishReplay(options, emit);
    else await finishRun(options, requests, stops, emit);
  } finally {
    signal?.removeEventListener('abort', interrupt);
    over.abort();
    judgements.close();
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
