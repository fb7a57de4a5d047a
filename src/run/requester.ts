import { isLoadStatus } from '../chat/errors/load-status.js';
import { mostPromptTokensIn, promptTokensIn } from '../chat/counted-tokens.js';
import { endOf, type Exchange, type Surroundings } from '../chat/exchange.js';
import { readAnswer, replyIn } from '../chat/read-answer.js';
import type { ModelConfig } from '../config/config.js';
import type { ExchangeRecord, RequestSent, WaitReason } from '../journal/event.js';
import type { Json } from '../json/json.js';
import { requestName, type RecordedExchanges, type RunRequest } from '../journal/recorded-exchanges.js';
import type { StopReason } from '../journal/stop.js';
import type { Clock } from './clock.js';
import { billingStep, notePaid, noteUnpaid } from './limits/billing.js';
import { applyBackpressure } from './limits/backpressure.js';
import type { BudgetLedger } from './limits/budget-ledger.js';
import type { StopSwitch } from './limits/stop-switch.js';
import { billedUsage } from './limits/token-estimator.js';
import { isFailure } from './limits/failure.js';
import { isPlain } from './limits/plain-request.js';
import { interrupted, missing, type RecordedResult, type RequestResult } from './request-result.js';
import type { ModelState } from './target-state.js';
import { earlierAnswer, keepPlace, leavePlace, newTrial, type TrialSoFar } from './trial-so-far.js';
import { createTurns } from './turns.js';

export interface Requester {
  /**
   * Looks a request up in the journal, or sends it.
   * @param soFar its trial, which learns what came of it
   */
  readonly ask: (state: ModelState, request: RunRequest, soFar: TrialSoFar) => Promise<RequestResult>;
  /** Only looks it up; null where it is not recorded. */
  readonly lookUp: (state: ModelState, request: RunRequest) => Promise<RecordedResult | null>;
}

export interface RequesterOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly ledger: BudgetLedger;
  /** Of the whole run; a used-up budget stops it. */
  readonly run: StopSwitch;
  /** Exchanges of an earlier run, which are looked up before anything is sent. */
  readonly recorded: RecordedExchanges | null;
  /** The body of a plain request. */
  readonly controlBody: (model: ModelConfig) => Json;
  /** When a run is judged again: why an exchange of this model is not recorded. null: it is sent. */
  readonly whyNotRecorded: ((model: ModelConfig) => StopReason) | null;
  /** Cuts requests in flight. */
  readonly cut: AbortSignal;
  /** Writes down that a request is about to be sent, so that a kill cannot hide it; null: no limit counts it. */
  readonly announce: ((line: RequestSent) => Promise<void>) | null;
  /** Writes the exchange down, unless it comes from the journal. It counts only afterwards. */
  readonly record: (record: ExchangeRecord, from: 'journal' | 'service' | 'simulator') => Promise<void>;
  readonly nextId: () => string;
  readonly waiting: (target: string, ms: number, reason: WaitReason) => void;
}

/** Makes requests: looks each up in the journal, or sends it as soon as every limit allows it. */
export function createRequester(options: RequesterOptions): Requester {
  const { clock, ledger, recorded } = options;

  const lookUp: Requester['lookUp'] = async (state, request) => {
    const record = await recorded?.take(request);
    if (record === null || record === undefined) return null;
    const { exchange } = record;
    // The budget was charged when the run was resumed; here the estimates learn from it.
    state.estimator.spent(exchange.request.body, billedUsage(exchange.answer));
    await options.record(record, 'journal');
    return { kind: 'exchange', id: record.id, exchange, live: false };
  };

  /** null: another request goes first. */
  const send = async (
    state: ModelState,
    request: RunRequest,
    soFar: TrialSoFar,
    over: Promise<void>,
  ): Promise<RequestResult | null> => {
    const { target, stopSwitch, estimator } = state;
    const { model, cell, ask } = request;
    const { purpose, step, attempt, body } = request.send;
    const most = estimator.most(body);
    const reservation = await ledger.reserve(most);
    if (reservation.kind === 'budget') {
      options.run.stop(reservation);
      return missing(stopSwitch.reason() ?? reservation);
    }
    const { place } = soFar;
    // A budget is for the whole run, where what few bodies take beyond the estimate is made up for. A minute is short.
    const inMinute = most.tokens - promptTokensIn(body) + mostPromptTokensIn(body);
    const admission = await target.window.admit(inMinute, stopSwitch.signal, place !== null);
    const stop = stopSwitch.reason();
    if (admission === null || stop !== null) {
      admission?.release();
      reservation.release();
      return missing(stop ?? interrupted);
    }
    if (place === null && target.precedence.wait() !== null) {
      admission.release();
      reservation.release();
      return null;
    }
    if (options.announce !== null) {
      const at = new Date(clock.now()).toISOString();
      await options.announce({ type: 'sent', at, model, request: requestName(request), ...most });
      // While it was written down, another request may have got precedence, or a stop may have come.
      if (place === null) await target.precedence.wait();
      const late = stopSwitch.reason();
      if (late !== null) {
        admission.release();
        reservation.release();
        return missing(late);
      }
    }
    const sentAt = clock.now();
    if (cell === null) state.opening = 'sent';
    const headers = target.simulator ? simulatorHeaders(options.seed, request) : {};
    let exchange: Exchange;
    try {
      const sending = target.send(body, { headers, sent: () => admission.sent(), over }, options.cut);
      place?.letOthersGo();
      exchange = await sending;
    } catch (error) {
      admission.settle(inMinute);
      reservation.release();
      throw error;
    }
    if (exchange.answer.failure?.kind === 'interrupted') {
      admission.settle(inMinute);
      reservation.settle(most);
      return missing(stopSwitch.reason() ?? interrupted);
    }
    if (mayCallForControl(request, exchange)) soFar.place = keepPlace(target.precedence.take());
    exchange = withSurroundings(state, request, soFar, exchange);
    const reply = replyIn(readAnswer(exchange.answer));
    const billed = billedUsage(exchange.answer, reply);
    const spent = estimator.spent(body, billed);
    reservation.settle(spent);
    admission.settle(spent.tokens);
    const id = options.nextId();
    const served = reply?.model ?? null;
    const fingerprint = reply?.system_fingerprint ?? null;
    await options.record(
      { type: 'exchange', id, model, cell, ask, purpose, step, attempt, served, fingerprint, exchange },
      target.simulator ? 'simulator' : 'service',
    );
    const { reported } = billed;
    if (reported !== null && ledger.countsTokens && estimator.overshot(body, reported)) {
      target.stopSwitch.stop({ kind: 'overshoot', answered_by: model });
    }
    const isDown = isPlain(request) && answersNothing(state, soFar);
    const sign = applyBackpressure(state, request, exchange.answer, { sentAt, now: clock.now(), isDown });
    const sent = { sentAt, plain: purpose === 'control' };
    if (sign.kind === 'unpaid') noteUnpaid(state, sign.detail, sent, clock.now());
    else if (sign.kind === 'answered') notePaid(state, sent);
    return { kind: 'exchange', id, exchange, live: true };
  };

  /** When the event loop turns, an answer has been judged, or begins to be where that takes long. */
  const sendAndLetGo = async (state: ModelState, request: RunRequest, soFar: TrialSoFar) => {
    let letGo = (): void => undefined;
    const over = new Promise<void>((resolve) => (letGo = resolve));
    try {
      return await send(state, request, soFar, over);
    } finally {
      setImmediate(() => void (soFar.judged ?? Promise.resolve()).finally(letGo));
    }
  };

  const turns = createTurns({ clock, send: sendAndLetGo, waiting: options.waiting });

  /** After a refusal for billing: shows whether the account has credit for another model. */
  const askAnother = async ({ target: { billing } }: ModelState): Promise<void> => {
    const { question } = billing;
    if (question === null || question.taken) return;
    question.taken = true;
    const { other, close } = question;
    const request = billingControl(other, options.controlBody);
    other.billingControls += 1;
    await turns.inTurn(other, request, newTrial()).finally(close);
  };

  return {
    lookUp,
    async ask(state, request, soFar) {
      // What is recorded takes no turn.
      if (recorded !== null) soFar.underWay();
      const known = await lookUp(state, request);
      if (known === null && options.whyNotRecorded !== null) return missing(options.whyNotRecorded(state.model));
      if (request.send.purpose !== 'control') leavePlace(soFar);
      const ask = soFar.place === null ? turns.inTurn : turns.atOnce;
      const result = known ?? (await ask(state, request, soFar));
      if (result.kind === 'exchange') note(state, request, soFar, result.exchange, clock.now());
      noteWork(state, request, result);
      if (known === null) await askAnother(state);
      return result;
    },
  };
}

/** Since a trial first failed; it has now met a control that failed as well. */
const answersNothing = ({ unrest }: ModelState, { failedAt }: TrialSoFar): boolean =>
  !unrest.answeredAfter(failedAt[0] ?? -Infinity) && unrest.failsInARow();

/** What the trial, and the unrest of the account, learn from an exchange. */
function note(state: ModelState, request: RunRequest, soFar: TrialSoFar, exchange: Exchange, now: number): void {
  const both = [state.unrest, state.target.unrest];
  const endedAt = endOf(exchange);
  soFar.last = earlierAnswer(exchange, now);
  for (const unrest of both) unrest.ended(endedAt);
  if (isFailure(exchange.answer)) {
    state.unrest.failed();
    if (isPlain(request)) for (const unrest of both) unrest.recovered([endedAt]);
    else soFar.failedAt.push(endedAt);
    if (request.cell !== null) state.unrest.doubted(soFar, request.cell);
    return;
  }
  if (!isLoadStatus(exchange.answer.status))
    for (const unrest of both) unrest.answered(Date.parse(exchange.timing.started_at));
  if (isPlain(request)) return;
  for (const unrest of both) unrest.recovered(soFar.failedAt);
  soFar.failedAt = [];
  state.unrest.over(soFar);
}

/** What was expected of the cell is less by one; what was not, such as the retry of a fault, does not count. */
function noteWork({ workload }: ModelState, { cell, send }: RunRequest, result: RequestResult): void {
  const expected = send.purpose === 'probe' && send.attempt === 0 ? cell : null;
  workload.asked(expected, result.kind === 'exchange' ? result.exchange.timing.total_ms : null);
}

/** Whether the trial may ask for a control next, which then has to go at once: a failure that may be a repeated one. */
function mayCallForControl({ send }: RunRequest, { answer }: Exchange): boolean {
  return send.purpose === 'probe' && send.attempt > 0 && isFailure(answer) && !isLoadStatus(answer.status);
}

/** Adds what other requests showed, where the trial looks for the cause of a failure. */
function withSurroundings(state: ModelState, request: RunRequest, soFar: TrialSoFar, exchange: Exchange): Exchange {
  const startedAt = Date.parse(exchange.timing.started_at);
  if (!isPlain(request)) {
    return mayCallForControl(request, exchange) ? { ...exchange, around: failuresAround(state, startedAt) } : exchange;
  }
  const around = failuresAround(state, soFar.failedAt[0] ?? startedAt);
  const { target, unrest } = state;
  const ever = (target.simulator ? unrest : target.unrest).ever();
  return { ...exchange, around: { ...around, ever, meanwhile: unrest.meanwhile(soFar, request.cell ?? '') } };
}

/** Each model of the embedded service is a service of its own. */
function failuresAround({ target, unrest }: ModelState, time: number): Surroundings {
  const own = unrest.since(time);
  return { ...(target.simulator ? own : target.unrest.since(time)), own };
}

/** The plain request to a model that shows whether another one's refusal for billing concerns the whole account. */
export function billingControl(state: ModelState, controlBody: RequesterOptions['controlBody']): RunRequest {
  const body = controlBody(state.model);
  const send = { purpose: 'control', step: billingStep, attempt: state.billingControls, body } as const;
  return { model: state.model.key, cell: null, ask: null, send };
}

/**
 * Names the trial and the attempt for the embedded service, so that its random choices depend on nothing else. Trials at
 * two values of a searched axis are two trials: what fails by chance at one need not fail at the other.
 * Real services never receive these headers. A request for another purpose than the probe (the control after a 5xx, the
 * client's retry) counts as another trial.
 */
function simulatorHeaders(seed: number, { model, cell, ask, send }: RunRequest): Record<string, string> {
  const purpose = { probe: [], control: ['control'], retry: [`retry${send.attempt}`] }[send.purpose];
  const value = ask?.kind === 'trial' && Object.keys(ask.patch).length > 0 ? [JSON.stringify(ask.patch)] : [];
  const kind = [...(ask === null ? [] : [ask.kind]), ...value, ...purpose].join('-');
  const trial = [seed, cell ?? `control@${model}`, kind, ask?.sample ?? 0, send.step].join('/');
  return { 'x-chatspec-trial': encodeURI(trial), 'x-chatspec-attempt': String(send.attempt) };
}
