import type { Budget } from '../config/config.js';
import type { Journal } from '../journal/journal.js';
import { exchangeIdsAfter } from '../journal/read-journal.js';
import { groupBy } from '../json/group-by.js';
import type { Outcome } from '../judge/outcome.js';
import type { PlannedCell } from '../plan/plan.js';
import { announceWaits } from './announce-waits.js';
import { createAnswerEffects } from './answer-effects.js';
import { createBudgetLedger } from './budget-ledger.js';
import { countRecorded } from './count-recorded.js';
import type { DriveOptions, EmitEvent } from './drive-options.js';
import { createEndOfRun } from './end-of-run.js';
import { finishReplay, finishRun, startRun, whyNotRecorded, type RequestCounts } from './first-and-last-line.js';
import { isRateLimited } from './rate-window.js';
import { createRequester, type Requester, type RequesterOptions } from './requester.js';
import { createRunEnding, type RunEnding } from './run-ending.js';
import { InternalError } from './run-error.js';
import { runModel } from './run-model.js';
import { openModel, openTargets, type ModelState, type TargetListener } from './target-state.js';

/** The run behind `drive`. Resolves or rejects once everything is written and closed. */
export async function runPlan(options: DriveOptions, emit: EmitEvent): Promise<void> {
  const { journal, recorded } = options;
  const ending = createRunEnding(options, emit);
  try {
    await startRun(options, emit);
    const requests = await runModels(options, ending, emit);
    await ending.questionsEnd();
    ending.throwFailure();
    const reason = ending.stopSwitch.reason();
    if (reason?.kind === 'interrupted') {
      await emit({ type: 'stopped', stop: { target: null, model: null, ...reason } });
    } else if (options.replay === true) {
      await finishReplay(options, emit);
    } else {
      await finishRun(options, requests, ending.stops, emit);
    }
  } finally {
    ending.close();
    await recorded?.close();
    await journal?.close();
  }
}

/** Parts of a run that its models share. */
interface SharedByModels {
  readonly targets: ReturnType<typeof openTargets>;
  readonly request: Requester;
  readonly leaveAlone: (state: ModelState, outcome: Outcome) => Promise<void>;
  readonly listener: TargetListener;
}

/** Runs the cells of all models, and counts the requests. */
async function runModels(options: DriveOptions, ending: RunEnding, emit: EmitEvent): Promise<RequestCounts> {
  const { clock, recorded, plan } = options;
  const share = shareOf(options);
  const byModel = groupBy(plan.cells, ({ cell }) => cell.model.key);
  const endOfRun = createEndOfRun(byModel.size);
  const waits = announceWaits(clock, emit);
  const ledger = createBudgetLedger(options.budget, share);
  const recorder = createRecorder(options.journal, emit);
  const leaveAlone: SharedByModels['leaveAlone'] = async ({ model }, outcome) => {
    if (options.replay === true) return;
    if (endOfRun.isFar()) void emit({ type: 'left_alone', model: model.key, outcome });
    await endOfRun.wait();
  };
  const request = createRequester({
    ...requestSource(options, ending),
    ledger,
    record: recorder.record,
    waiting: waits.toRepeat,
    onAnswer: createAnswerEffects({ ...options, ...ending, startedAt: clock.now(), leaveAlone }),
  });
  const listener = { limited: waits.limited, stopped: ending.stopped };
  const targets = openTargets(options.targets, share, clock, ending.stopSwitch, listener);
  if (recorded !== null && countsSent(options)) await countRecorded(recorded, plan, targets, ledger);
  const shared = { targets, request, leaveAlone, listener };
  const ofModel = (cells: readonly PlannedCell[]): Promise<void> =>
    runCellsOfModel(cells, options, shared, { emit, failed: ending.failed }).finally(endOfRun.done);
  await Promise.allSettled([...byModel.values()].map(ofModel));
  return recorder.counts();
}

/** Writes exchanges down, and counts them. */
function createRecorder(journal: Journal | null, emit: EmitEvent) {
  let [all, sent] = [0, 0];
  const record: RequesterOptions['record'] = async (exchange, from) => {
    all += 1;
    if (from !== 'journal') {
      sent += 1;
      // Answers of the embedded service cost nothing to repeat.
      await journal?.append(exchange, from === 'service');
    }
    await emit(exchange);
  };
  return { record, counts: (): RequestCounts => ({ all, sent }) };
}

/** The source of a run's answers: its journal, a service, or both. */
function requestSource(options: DriveOptions, { stopSwitch, cut }: RunEnding) {
  const { clock, journal, recorded, plan, run } = options;
  const { started = null, finished = null } = recorded ?? {};
  const isReplay = options.replay === true;
  return {
    clock,
    seed: plan.seed,
    runId: run.id,
    run: stopSwitch,
    recorded,
    whyNotRecorded: isReplay ? (model) => whyNotRecorded(started, finished, model) : null,
    cut,
    announce: journal !== null && countsSent(options) ? (line) => journal.append(line, false) : null,
    nextId: exchangeIdsAfter(recorded?.lastNumber ?? 0),
  } satisfies Partial<RequesterOptions>;
}

/** Runs the cells of one model. */
async function runCellsOfModel(
  cells: readonly PlannedCell[],
  options: DriveOptions,
  { targets, request, leaveAlone, listener }: SharedByModels,
  { emit, failed }: { readonly emit: EmitEvent; readonly failed: (error: unknown) => void },
): Promise<void> {
  const [first] = cells;
  if (first === undefined) return;
  const { recorded } = options;
  const { model } = first.cell;
  const target = targets.get(model.target);
  if (target === undefined) {
    failed(new InternalError(null, new Error(`no connection to ${model.target} was given`)));
    return;
  }
  const isReplay = options.replay === true;
  const state = openModel(target, model, shareOf(options), listener);
  await runModel(cells, state, {
    ...options,
    request,
    emit,
    failed,
    leaveAlone,
    // The cause of an earlier stop may have been mended since.
    askAgain: !isReplay && (recorded?.finished ?? null) !== null,
    asksLeft: isReplay && recorded !== null ? (cell) => recorded.asksLeft(cell) : null,
    mayBeRecorded: (cell) => isReplay || (recorded?.asksLeft(cell).length ?? 0) > 0,
  }).finally(state.breaker.retire);
}

const isLimited = (budget: Budget): boolean => Object.values(budget).some((limit) => limit !== null);

/** Whether what was in flight at a kill counts against a limit. */
const countsSent = ({ budget, targets }: DriveOptions): boolean =>
  isLimited(budget) || [...targets.values()].some(({ config }) => isRateLimited(config.limits));

/** The part of limits and budget that this run may use. */
const shareOf = ({ run }: DriveOptions): number => (run.shard === null ? 1 : 1 / run.shard.of);
