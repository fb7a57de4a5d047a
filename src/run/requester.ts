import { isLoadStatus } from '../chat/errors/load-status.js';
import { endOf, type Answer, type Exchange, type Surroundings } from '../chat/exchange.js';
import { readAnswer, replyIn } from '../chat/read-answer.js';
import type { Reply } from '../chat/reply.js';
import type { ModelConfig } from '../config/config.js';
import type { ExchangeRecord, WaitReason } from '../journal/event.js';
import type { Json } from '../json/json.js';
import type { RecordedExchanges, RunRequest } from '../journal/recorded-exchanges.js';
import type { StopReason } from '../journal/stop.js';
import { billingStep, notePaid, noteUnpaid } from './limits/billing.js';
import { applyBackpressure } from './limits/backpressure.js';
import { createPermits, type PermitOptions } from './limits/permit.js';
import { billedUsage, type Billed } from './limits/token-estimator.js';
import { isFailure } from './limits/failure.js';
import { isPlain } from './limits/plain-request.js';
import { interrupted, missing, type RecordedResult, type RequestResult } from './request-result.js';
import type { BillingQuestion, ModelState } from './target-state.js';
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

export interface RequesterOptions extends PermitOptions {
  readonly seed: number;
  /** Exchanges of an earlier run, which are looked up before anything is sent. */
  readonly recorded: RecordedExchanges | null;
  /** The body of a plain request. */
  readonly controlBody: (model: ModelConfig) => Json;
  /** When a run is judged again: why an exchange of this model is not recorded. null: it is sent. */
  readonly whyNotRecorded: ((model: ModelConfig) => StopReason) | null;
  /** Cuts requests in flight. */
  readonly cut: AbortSignal;
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

  const askPermit = createPermits(options);

  const recordOf = (
    { model, cell, ask, send: { purpose, step, attempt } }: RunRequest,
    exchange: Exchange,
    reply: Reply | null,
  ): ExchangeRecord => {
    const [id, served, fingerprint] = [options.nextId(), reply?.model ?? null, reply?.system_fingerprint ?? null];
    return { type: 'exchange', id, model, cell, ask, purpose, step, attempt, served, fingerprint, exchange };
  };

  /** What an answer means for the requests after it. */
  const heed = (
    state: ModelState,
    request: RunRequest,
    soFar: TrialSoFar,
    { answer, billed, sentAt }: { readonly answer: Answer; readonly billed: Billed; readonly sentAt: number },
  ): void => {
    const { reported } = billed;
    if (reported !== null && ledger.countsTokens && state.estimator.overshot(request.send.body, reported)) {
      state.target.stopSwitch.stop({ kind: 'overshoot', answered_by: request.model });
    }
    const isDown = isPlain(request) && answersNothing(state, soFar);
    const sign = applyBackpressure(state, request, answer, { sentAt, now: clock.now(), isDown });
    const sent = { sentAt, plain: request.send.purpose === 'control' };
    if (sign.kind === 'unpaid') noteUnpaid(state, sign.detail, sent, clock.now());
    else if (sign.kind === 'answered') notePaid(state, sent);
  };

  /** null: another request goes first. */
  const send = async (state: ModelState, request: RunRequest, soFar: TrialSoFar): Promise<RequestResult | null> => {
    const { place } = soFar;
    const permit = await askPermit(state, request, place !== null);
    if (permit?.kind !== 'permit') return permit;
    const { target } = state;
    const sentAt = clock.now();
    if (request.cell === null) state.opening = 'sent';
    const headers = target.simulator ? simulatorHeaders(options.seed, request) : {};
    let letGo = (): void => undefined;
    const over = new Promise<void>((resolve) => (letGo = resolve));
    try {
      const sending = target.send(request.send.body, { headers, sent: () => permit.sent(), over }, options.cut);
      place?.letOthersGo();
      const exchange = await sending;
      const { answer } = exchange;
      if (answer.failure?.kind === 'interrupted') {
        permit.cutOff();
        return missing(state.stopSwitch.reason() ?? interrupted);
      }
      if (mayCallForControl(request, exchange)) soFar.place = keepPlace(target.precedence.take());
      const shown = withSurroundings(state, request, soFar, exchange);
      const reply = replyIn(readAnswer(answer));
      const billed = billedUsage(answer, reply);
      permit.settle(state.estimator.spent(request.send.body, billed));
      const record = recordOf(request, shown, reply);
      await options.record(record, target.simulator ? 'simulator' : 'service');
      heed(state, request, soFar, { answer, billed, sentAt });
      return { kind: 'exchange', id: record.id, exchange: record.exchange, live: true };
    } catch (error) {
      permit.giveBack();
      throw error;
    } finally {
      // When the event loop turns, the answer has been judged, or begins to be where that takes long.
      setImmediate(() => {
        if (soFar.judged === null) letGo();
        else void soFar.judged.finally(letGo);
      });
    }
  };

  const turns = createTurns({ clock, send, waiting: options.waiting });

  /** After a refusal for billing: shows whether the account has credit for another model. */
  const askAnother = async (question: BillingQuestion): Promise<void> => {
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
      const known = recorded === null ? null : await lookUp(state, request);
      if (known === null && options.whyNotRecorded !== null) return missing(options.whyNotRecorded(state.model));
      if (request.send.purpose !== 'control') leavePlace(soFar);
      const ask = soFar.place === null ? turns.inTurn : turns.atOnce;
      const result = known ?? (await ask(state, request, soFar));
      if (result.kind === 'exchange') note(state, request, soFar, result.exchange, clock.now());
      noteWork(state, request, result);
      const { question } = state.target.billing;
      if (known === null && question?.taken === false) await askAnother(question);
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
