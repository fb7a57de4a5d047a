import { hash, randomBytes } from 'node:crypto';
import type { Exchange } from '../chat/exchange.js';
import { readExchangeAnswer, replyIn } from '../chat/read-answer.js';
import type { Reply } from '../chat/reply.js';
import { mostPromptTokensIn, promptTokensIn } from '../chat/tokens.js';
import type { ModelConfig } from '../config/config.js';
import type { ExchangeRecord, RequestSent, StopReason } from '../journal/event.js';
import { requestName, type RecordedExchanges, type RunRequest } from '../journal/read-journal.js';
import { answerSignOf } from '../judge/refusals/classify.js';
import type { createBudgetLedger } from './budget-ledger.js';
import { noteKeyRefused, noteUnpaid } from './account-doubt.js';
import { noteAnswered } from './circuit-breaker.js';
import type { Admission } from './rate-window.js';
import {
  earlierAnswer,
  longestPause,
  waitBeforeRepeat,
  type NotRequested,
  type Requester,
  type RequestResult,
} from './retry-policy.js';
import { priorities } from './scheduler.js';
import type { StopSwitch, ModelState } from './target-state.js';
import { writtenJson } from '../json/json-text.js';

type PreviousAnswer = ReturnType<typeof earlierAnswer>;
type AskedTrial = Parameters<Requester['ask']>[2];

type AnsweredOptions = Parameters<typeof noteAnswered>[3];

interface RequesterOptions extends AnsweredOptions {
  readonly seed: number;
  /** The id of the run. */
  readonly runId: string;
  readonly ledger: ReturnType<typeof createBudgetLedger>;
  /** Of the whole run; a used-up budget stops it. */
  readonly run: StopSwitch;
  /** Exchanges of an earlier run, which are looked up before anything is sent. */
  readonly recorded: RecordedExchanges | null;
  /** When a run is judged again: why an exchange of this model is not recorded. null: it is sent. */
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
}

const interrupted: StopReason = { kind: 'interrupted' };
const notRequestedAfter = (stop: StopReason | null): NotRequested => ({ kind: 'missing', stop: stop ?? interrupted });

export function createRequester(options: RequesterOptions): Requester {
  const { clock, ledger, recorded, cut } = options;

  /** Where a key was refused, a resumed run asks again with a new one, and of the two answers the later counts. */
  const recordedAnswer = async (request: RunRequest): Promise<ExchangeRecord | null> => {
    let record = (await recorded?.take(request)) ?? null;
    while (record !== null && refusesKey(record.exchange)) {
      const later = (await recorded?.take(request)) ?? null;
      if (later === null) return options.whyNotRecorded === null ? null : record;
      record = later;
    }
    return record;
  };

  const lookUp: Requester['lookUp'] = async (state, request, trial) => {
    const record = await recordedAnswer(request);
    if (record === null) return null;
    const { exchange } = record;
    // The budget was charged when the run was resumed; here the estimates learn from it.
    state.estimator.spent(exchange.request.body, exchange.answer);
    await options.record(record, 'journal');
    const last = earlierAnswer(exchange, clock.now());
    learn(request, trial, last);
    countAnswer(state, last);
    return { kind: 'exchange', id: record.id, exchange };
  };

  /** Waits until a fault may be repeated. A run does not wait for hours, even if the refusal comes from its journal. */
  const waitToRepeat = async (state: ModelState, request: RunRequest, trial: AskedTrial): Promise<void> => {
    const { target, model, stopSwitch } = state;
    // A control between two attempts, and a client's retry of a wrong answer, follow at once.
    const { last, faults } = isBetween(request) ? (trial.control ?? noFault) : trial;
    if (last === null || faults === 0) return;
    const asked = waitBeforeRepeat(request, last, { first: target.firstBackoff, faults }, clock.now());
    const ms = Math.min(asked, Math.max(0, trial.until - clock.now()));
    if (ms > longestPause) {
      stopForPause(state, ms);
    } else if (ms > 0) {
      options.waiting(model, ms, last.cause);
      await clock.sleep(ms, stopSwitch.signal);
    }
  };

  /** Sends it when it is its turn. */
  const schedule = (state: ModelState, request: RunRequest, trial: AskedTrial): Promise<RequestResult> =>
    new Promise((resolve, reject) => {
      const { stopSwitch, target } = state;
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
          return send(state, request, trial, admission).then(resolve, reject);
        },
        drop: () => {
          resolve(notRequestedAfter(stopSwitch.reason()));
        },
      });
    });

  const send = async (
    state: ModelState,
    request: RunRequest,
    trial: AskedTrial,
    admission: Admission,
  ): Promise<RequestResult> => {
    const { target, stopSwitch, estimator } = state;
    const { body } = request.send;
    const most = estimator.most(body);
    const reservation = await ledger.reserve(most);
    if (reservation.kind === 'budget') {
      options.run.stop(reservation);
      admission.release();
      return notRequestedAfter(stopSwitch.reason());
    }
    if (options.announce !== null) {
      const at = new Date(clock.now()).toISOString();
      await options.announce({ type: 'sent', at, model: request.model, request: requestName(request), ...most });
    }
    if (stopSwitch.reason() !== null) {
      admission.release();
      reservation.release();
      return notRequestedAfter(stopSwitch.reason());
    }
    const sentAt = clock.now();
    const headers = {
      ...traceparent(options.runId, request.cell ?? request.model),
      ...(target.simulator && simulatorHeaders(options.seed, request)),
    };
    const exchange = await target.send(body, { headers, sent: () => admission.sent() }, cut).catch((error: unknown) => {
      reservation.release();
      throw error;
    });
    const { answer } = exchange;
    const reply = replyIn(readExchangeAnswer(answer));
    // What was cut off may be billed all the same.
    const isCut = answer.failure?.kind === 'interrupted';
    const spent = isCut ? most : estimator.spent(body, answer, reply);
    reservation.settle(spent);
    admission.settle(isCut ? mostInMinute(state, request) : spent.tokens);
    if (isCut) return notRequestedAfter(stopSwitch.reason());
    const record = exchangeRecord(request, exchange, reply, options.nextId());
    await options.record(record, target.simulator ? 'simulator' : 'service');
    const last = earlierAnswer(exchange, clock.now());
    state.unanswered = answer.status === null ? state.unanswered + 1 : 0;
    learn(request, trial, last);
    heed(state, trial, last, sentAt);
    return { kind: 'exchange', id: record.id, exchange: record.exchange };
  };

  /** What an answer means for the requests after it. */
  const heed = (state: ModelState, { kind }: AskedTrial, last: PreviousAnswer, sentAt: number): void => {
    const { sign, retryAfter } = last;
    countAnswer(state, last);
    const { limiter, target, breaker } = state;
    const isAnswered = sign.kind === 'answered' || sign.kind === 'unpaid';
    const isLoad = sign.kind === 'load';
    if (!target.simulator && (isAnswered || isLoad)) {
      const now = clock.now();
      limiter.answered(sentAt, now, isLoad);
      // What a model refuses that answers nothing says nothing about the others.
      if (isAnswered || breaker.inARow < tellingRefusals) target.shared.limiter.answered(sentAt, now, isLoad);
    }
    if (!isAnswered && (retryAfter ?? 0) > longestPause) stopForPause(state, retryAfter ?? 0);
    if (kind === 'question') return;
    if (sign.kind === 'unpaid') noteUnpaid(state, sign.detail, { ...options, ask });
    if (sign.kind === 'key') noteKeyRefused(state, sign.detail, { ...options, ask });
    if (kind === 'cell') noteAnswered(state, isAnswered, ask, options);
  };

  const ask: Requester['ask'] = async (state, request, trial) => {
    const known = recorded === null ? null : await lookUp(state, request, trial);
    if (known !== null) trial.underWay();
    const isSent = known === null && options.whyNotRecorded === null && state.stopSwitch.reason() === null;
    if (!isSent && trial.group !== null && isFirstAttempt(request)) {
      trial.group.size -= 1;
      state.target.shared.scheduler.pump();
    }
    if (known === null && options.whyNotRecorded !== null) {
      return notRequestedAfter(options.whyNotRecorded(state.model));
    }
    if (known === null && request.send.afterOthers === true) await state.trials.othersEnd();
    if (known === null) await waitToRepeat(state, request, trial);
    const result = known ?? (await schedule(state, request, trial));
    if (isFirstAttempt(request) && request.cell !== null) state.workload.asked(request.cell);
    if (result.kind === 'exchange') state.workload.answered(result.exchange.timing.total_ms);
    return result;
  };

  return { ask, lookUp };
}

function countAnswer({ answers }: ModelState, { sign, endedAt }: PreviousAnswer): void {
  if (sign.kind !== 'answered') return;
  answers.count += 1;
  answers.lastAt = Math.max(answers.lastAt, endedAt);
}

const refusesKey = ({ request, answer }: Exchange): boolean => answerSignOf(request.body, answer).kind === 'key';

function stopForPause({ model, stopSwitch }: ModelState, ms: number): void {
  stopSwitch.stop({ kind: 'long_pause', answered_by: model.key, seconds: Math.round(ms / 1000) });
}

/** So many refusals in a row of a model may be the account's; more are its own. */
const tellingRefusals = 4;

function priorityOf({ workload }: ModelState, { cell, send }: RunRequest, { kind }: AskedTrial): number {
  if (kind !== 'cell' || cell === null) return priorities[kind === 'question' ? 'question' : 'opening'];
  if (send.purpose === 'control') return priorities.control;
  return send.attempt > 0 ? priorities.repetition : workload.pathFrom(cell);
}

/** A budget is for the whole run, where what few bodies take beyond the estimate is made up for. A minute is short. */
function mostInMinute({ estimator }: ModelState, { send: { body } }: RunRequest): number {
  return estimator.most(body).tokens - promptTokensIn(body) + mostPromptTokensIn(body);
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

const isFirstAttempt = ({ send }: RunRequest): boolean => send.purpose === 'probe' && send.attempt === 0;

/** A control between two attempts, which follows at once unless the one before it met load. */
const isBetween = ({ cell, send }: RunRequest): boolean => cell !== null && send.purpose === 'control';

function learn(request: RunRequest, trial: AskedTrial, last: PreviousAnswer): void {
  if (isBetween(request)) {
    trial.control = last.sign.kind === 'load' ? { last, faults: (trial.control?.faults ?? 0) + 1 } : null;
    return;
  }
  trial.last = last;
  trial.faults = last.sign.kind === 'answered' ? 0 : trial.faults + 1;
}

const noFault = { last: null, faults: 0 } as const;

/**
 * Names the trial and the attempt for the embedded service, so that its random choices depend on nothing else. Trials
 * at two values of a searched axis are two trials: what fails by chance at one need not fail at the other. Real
 * services never receive these headers. A request for another purpose than the probe (the control after a 5xx, the
 * client's retry) counts as another trial.
 */
function simulatorHeaders(seed: number, { model, cell, ask, send }: RunRequest): Record<string, string> {
  const purpose = { probe: [], control: ['control'], retry: [`retry${send.attempt}`] }[send.purpose];
  const value = ask?.kind === 'trial' && Object.keys(ask.patch).length > 0 ? [writtenJson(ask.patch)] : [];
  const kind = [...(ask === null ? [] : [ask.kind]), ...value, ...purpose].join('-');
  const trial = [seed, cell ?? `control@${model}`, kind, ask?.sample ?? 0, send.step].join('/');
  return { 'x-chatspec-trial': encodeURI(trial), 'x-chatspec-attempt': String(send.attempt) };
}

/**
 * W3C trace context: requests about the same things belong to one trace. The journal keeps it with the other headers.
 */
export function traceparent(...about: readonly string[]): Readonly<Record<'traceparent', string>> {
  const trace = hash('sha256', about.join(' '), 'hex').slice(0, 32);
  return { traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` };
}
