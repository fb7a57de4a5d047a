import type { Exchange } from '../chat/exchange.js';
import { readExchangeAnswer, replyIn } from '../chat/read-answer.js';
import type { Reply } from '../chat/reply.js';
import { mostPromptTokensIn, promptTokensIn } from '../chat/tokens.js';
import type { ModelConfig } from '../config/config.js';
import type { ExchangeRecord, RequestSent, StopReason } from '../journal/event.js';
import { requestName, type RecordedExchanges, type RunRequest } from '../journal/read-journal.js';
import { answerSignOf } from '../judge/refusals/classify.js';
import type { createBudgetLedger } from './budget-ledger.js';
import type { Clock } from './clock.js';
import type { Admission } from './rate-window.js';
import { tracingHeaders } from './request-headers.js';
import { earlierAnswer, longestPause, longPause, waitBeforeRepeat, type EarlierAnswer } from './retry-policy.js';
import { priorities } from './scheduler.js';
import type { StopSwitch } from './stop-switch.js';
import type { ModelState } from './target-state.js';
import type { TrialHistory } from './trial-history.js';

/**
 * Looks a request up in the journal, or sends it: after a fault when it may be repeated, and then in its turn.
 * @param trial its trial, which learns what came of it
 */
export type AskRequest = (state: ModelState, request: RunRequest, trial: TrialHistory) => Promise<RequestResult>;

/** Gets the answer to each request of a run, from its journal or from the service. */
export interface Requester {
  readonly ask: AskRequest;
  /** Only looks it up; null where it is not recorded. */
  readonly lookUp: (state: ModelState, request: RunRequest, trial: TrialHistory) => Promise<AskedResult | null>;
}

/** The end of a request: an exchange, or none because nothing more is sent. */
export type RequestResult = AskedResult | NotRequested;

interface AskedResult {
  readonly kind: 'exchange';
  readonly id: string;
  readonly exchange: Exchange;
}

export interface NotRequested {
  readonly kind: 'missing';
  readonly stop: StopReason;
}

/** An answer that has just come, or that none did. */
export interface AnswerSeen {
  readonly state: ModelState;
  /** Of the trial that it belongs to. */
  readonly kind: TrialHistory['kind'];
  readonly answer: EarlierAnswer;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
}

export interface RequesterOptions {
  readonly clock: Clock;
  readonly seed: number;
  /** The id of the run. */
  readonly runId: string;
  readonly ledger: ReturnType<typeof createBudgetLedger>;
  /** Of the whole run; a used-up budget stops it. */
  readonly run: StopSwitch;
  /** Exchanges of an earlier run, which are looked up before anything is sent. */
  readonly recorded: RecordedExchanges | null;
  /** The reason why an exchange of this model is not recorded, in a run that is judged again. null: it is sent. */
  readonly whyNotRecorded: ((model: ModelConfig) => StopReason) | null;
  /** Cuts requests in flight. */
  readonly cut: AbortSignal;
  /** Writes the exchange down, unless it comes from the journal. It counts only afterwards. */
  readonly record: (record: ExchangeRecord, from: 'journal' | 'service' | 'simulator') => Promise<void>;
  /** Writes down that a request is about to be sent, so that a kill cannot hide it; null: no limit counts it. */
  readonly announce: ((line: RequestSent) => Promise<void>) | null;
  readonly nextId: () => string;
  /** A trial waits before it repeats a fault. */
  readonly waiting: (model: ModelConfig, ms: number, cause: string) => void;
  /** Called with each new answer, for its effects on later requests. */
  readonly onAnswer: (seen: AnswerSeen, ask: AskRequest) => void;
}

/** A request, the model that it asks and the trial that it belongs to. */
interface TrialRequest {
  readonly state: ModelState;
  readonly request: RunRequest;
  readonly trial: TrialHistory;
}

export function createRequester(options: RequesterOptions): Requester {
  const lookUp: Requester['lookUp'] = async (state, request, trial) =>
    lookUpRequest(options, { state, request, trial });

  const send = async (asked: TrialRequest, admission: Admission): Promise<RequestResult> => {
    const sent = await sendRequest(options, asked, admission);
    if (sent.kind === 'missing') return sent;
    const { state, request, trial } = asked;
    const { answer, sentAt, ...result } = sent;
    state.answers.note(answer);
    trial.learn(request, answer);
    options.onAnswer({ state, kind: trial.kind, answer, sentAt }, ask);
    return result;
  };

  const ask: AskRequest = async (state, request, trial) => {
    const { recorded, whyNotRecorded } = options;
    const known = recorded === null ? null : await lookUp(state, request, trial);
    if (known !== null) trial.underWay();
    const isSent = known === null && whyNotRecorded === null && state.stopSwitch.reason() === null;
    if (!isSent && trial.group !== null && isFirstAttempt(request)) {
      trial.group.leave();
      state.target.shared.scheduler.pump();
    }
    if (known === null && whyNotRecorded !== null) return notRequestedAfter(whyNotRecorded(state.model));
    const asked = { state, request, trial };
    if (known === null && request.send.afterOthers === true) await state.trials.othersEnd();
    if (known === null) await waitToRepeat(options, asked);
    const result = known ?? (await inItsTurn(asked, (admission) => send(asked, admission)));
    if (isFirstAttempt(request) && request.cell !== null) state.workload.asked(request.cell);
    if (result.kind === 'exchange') state.workload.answered(result.exchange.timing.total_ms);
    return result;
  };

  return { ask, lookUp };
}

const isFirstAttempt = ({ send }: RunRequest): boolean => send.purpose === 'probe' && send.attempt === 0;

const interrupted: StopReason = { kind: 'interrupted' };
const notRequestedAfter = (stop: StopReason | null): NotRequested => ({ kind: 'missing', stop: stop ?? interrupted });

async function lookUpRequest(
  options: RequesterOptions,
  { state, request, trial }: TrialRequest,
): Promise<AskedResult | null> {
  const record = await newestRecord(options, request);
  if (record === null) return null;
  const { exchange } = record;
  // The budget was charged when the run was resumed; here the estimates learn from it.
  state.estimator.spent(exchange.request.body, exchange.answer);
  await options.record(record, 'journal');
  const answer = earlierAnswer(exchange, options.clock.now());
  trial.learn(request, answer);
  state.answers.note(answer);
  return { kind: 'exchange', id: record.id, exchange };
}

/** The later of two answers: where a key was refused, a resumed run asks again with a new one. */
async function newestRecord(
  { recorded, whyNotRecorded }: RequesterOptions,
  request: RunRequest,
): Promise<ExchangeRecord | null> {
  let record = (await recorded?.take(request)) ?? null;
  while (record !== null && refusesKey(record.exchange)) {
    const later = (await recorded?.take(request)) ?? null;
    if (later === null) return whyNotRecorded === null ? null : record;
    record = later;
  }
  return record;
}

const refusesKey = ({ request, answer }: Exchange): boolean => answerSignOf(request.body, answer).kind === 'key';

/** Waits until a fault may be repeated. A run does not wait for hours, even if the refusal comes from its journal. */
async function waitToRepeat(
  { clock, waiting }: RequesterOptions,
  { state, request, trial }: TrialRequest,
): Promise<void> {
  const { target, model, stopSwitch } = state;
  const repeated = trial.repeats(request);
  if (repeated === null) return;
  const { last, faults } = repeated;
  const wait = waitBeforeRepeat(request, last, { first: target.firstBackoff, faults }, clock.now());
  const ms = Math.min(wait, Math.max(0, trial.waitsUntil() - clock.now()));
  if (ms > longestPause) {
    stopSwitch.stop(longPause(model, ms));
  } else if (ms > 0) {
    waiting(model, ms, last.cause);
    await clock.sleep(ms, stopSwitch.signal);
  }
}

/** Sends it when it is its turn. */
function inItsTurn(
  { state, request, trial }: TrialRequest,
  send: (admission: Admission) => Promise<RequestResult>,
): Promise<RequestResult> {
  const { stopSwitch, target } = state;
  return new Promise((resolve, reject) => {
    const reason = stopSwitch.reason();
    if (reason !== null) {
      resolve(notRequestedAfter(reason));
      return;
    }
    target.shared.scheduler.enqueue(state, {
      priority: priorityOf(state, request, trial),
      group: isFirstAttempt(request) ? trial.group : null,
      tokens: () => mostInMinute(state, request),
      begin: (admission) => {
        trial.underWay();
        return send(admission).then(resolve, reject);
      },
      drop: () => resolve(notRequestedAfter(stopSwitch.reason())),
    });
  });
}

function priorityOf({ workload }: ModelState, { cell, send }: RunRequest, { kind }: TrialHistory): number {
  if (kind !== 'cell' || cell === null) return priorities[kind === 'question' ? 'question' : 'opening'];
  if (send.purpose === 'control') return priorities.control;
  return send.attempt > 0 ? priorities.repetition : workload.pathFrom(cell);
}

/** A budget is for the whole run, where what few bodies take beyond the estimate is made up for. A minute is short. */
function mostInMinute({ estimator }: ModelState, { send: { body } }: RunRequest): number {
  return estimator.most(body).tokens - promptTokensIn(body) + mostPromptTokensIn(body);
}

interface SentResult extends AskedResult {
  readonly answer: EarlierAnswer;
  readonly sentAt: number;
}

/** Sends it within the budget, and writes its exchange down. */
async function sendRequest(
  options: RequesterOptions,
  { state, request }: TrialRequest,
  admission: Admission,
): Promise<SentResult | NotRequested> {
  const { clock, ledger, cut } = options;
  const { target, stopSwitch, estimator } = state;
  const { body } = request.send;
  const most = estimator.most(body);
  const reservation = await ledger.reserve(most);
  if (reservation.kind === 'budget') {
    options.run.stop(reservation);
    admission.release();
    return notRequestedAfter(stopSwitch.reason());
  }
  const at = new Date(clock.now()).toISOString();
  await options.announce?.({ type: 'sent', at, model: request.model, request: requestName(request), ...most });
  if (stopSwitch.reason() !== null) {
    admission.release();
    reservation.release();
    return notRequestedAfter(stopSwitch.reason());
  }
  const sentAt = clock.now();
  const headers = tracingHeaders(options.runId, request, target.simulator ? options.seed : null);
  const exchange = await target.send(body, { headers, sent: () => admission.sent() }, cut).catch((error: unknown) => {
    reservation.release();
    throw error;
  });
  const reply = replyIn(readExchangeAnswer(exchange.answer));
  // A request that was cut off may be billed all the same.
  const isCut = exchange.answer.failure?.kind === 'interrupted';
  const spent = isCut ? most : estimator.spent(body, exchange.answer, reply);
  reservation.settle(spent);
  admission.settle(isCut ? mostInMinute(state, request) : spent.tokens);
  if (isCut) return notRequestedAfter(stopSwitch.reason());
  const record = exchangeRecord(request, exchange, reply, options.nextId());
  await options.record(record, target.simulator ? 'simulator' : 'service');
  state.answers.noteStatus(exchange.answer.status);
  return { kind: 'exchange', id: record.id, exchange, answer: earlierAnswer(exchange, clock.now()), sentAt };
}

function exchangeRecord(
  { model, cell, ask, send: { purpose, step, attempt } }: RunRequest,
  exchange: Exchange,
  reply: Reply | null,
  id: string,
): ExchangeRecord {
  const [served, fingerprint] = [reply?.model ?? null, reply?.system_fingerprint ?? null];
  return { type: 'exchange', id, model, cell, ask, purpose, step, attempt, served, fingerprint, exchange };
}
