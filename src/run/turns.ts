import type { WaitReason } from '../journal/event.js';
import type { RunRequest } from '../journal/recorded-exchanges.js';
import type { Clock } from './clock.js';
import { backoffMs } from './limits/backoff.js';
import { longestPause, stopForPause } from './limits/backpressure.js';
import { billingStep } from './limits/billing.js';
import { isPlain } from './limits/plain-request.js';
import type { Lane } from './order/slots.js';
import { missing, type RequestResult } from './request-result.js';
import type { ModelState } from './target-state.js';
import { leavePlace, newTrial, type EarlierAnswer, type TrialSoFar } from './trial-so-far.js';

type Sending<Result> = (state: ModelState, request: RunRequest, soFar: TrialSoFar) => Promise<Result>;

/** When a request is sent: after its waits, and in which place among those of its model and account. */
export interface Turns {
  /** Sends a request when it is its turn. */
  readonly inTurn: Sending<RequestResult>;
  /** Sends a control in the place of the request that called for it, before anything else of the account. */
  readonly atOnce: Sending<RequestResult>;
}

export interface TurnOptions {
  readonly clock: Clock;
  /** null: another request goes first. */
  readonly send: Sending<RequestResult | null>;
  readonly waiting: (target: string, ms: number, reason: WaitReason) => void;
}

/** A model has its own slots to itself. */
const alone: Lane = { rank: () => 0, begins: () => undefined };

export function createTurns(options: TurnOptions): Turns {
  const { clock } = options;

  /** Hardly any request has to, and each would pay for setting up a function that waits. */
  const hasToWait = (state: ModelState, request: RunRequest, { last }: TrialSoFar): boolean =>
    repeatsFault(request, last) || mustWait(state, request) || pausedUntil(state) > clock.now();

  /** Waits until the model may be asked again. Before a fault is repeated, that is always a little while. */
  const waitForTurn = async (state: ModelState, request: RunRequest, soFar: TrialSoFar): Promise<void> => {
    const earlier = soFar.last;
    if (repeatsFault(request, earlier)) {
      const { name } = state.target.config;
      const pause = 1000 * (earlier.retryAfter ?? 0);
      const since = clock.now() - earlier.endedAt;
      const left = pause - Math.max(0, since);
      // Whatever the status, and also when the refusal comes from the journal: a run does not wait for hours.
      if (left > longestPause) {
        stopForPause(state, pause);
        return;
      }
      const ms = Math.max(left, backoffMs(request, state.target.firstBackoff, isUp(state, request, soFar)));
      soFar.underWay();
      options.waiting(name, ms, 'retry');
      await clock.sleep(ms, state.stopSwitch.signal);
    }
    if (mustWait(state, request)) {
      soFar.underWay();
      await state.target.billing.question?.answered;
    }
    await waitForPause(state, soFar);
  };

  const waitForPause = async (state: ModelState, soFar: TrialSoFar): Promise<void> => {
    const { name } = state.target.config;
    while (state.stopSwitch.reason() === null && pausedUntil(state) > clock.now()) {
      soFar.underWay();
      const left = pausedUntil(state) - clock.now();
      options.waiting(name, left, 'pause');
      await clock.sleep(left, state.stopSwitch.signal);
    }
  };

  /** Sends it unless it has to wait again (null), as for a pause that began while it waited for its turn. */
  const sendNow = async (state: ModelState, request: RunRequest, soFar: TrialSoFar): Promise<RequestResult | null> => {
    for (;;) {
      const stop = state.stopSwitch.reason();
      if (stop !== null) return missing(stop);
      if (pausedUntil(state) > clock.now() || mustWait(state, request)) return null;
      const others = state.target.precedence.wait();
      if (others === null) {
        const result = await options.send(state, request, soFar);
        if (result !== null) return result;
      } else await others;
    }
  };

  /** Runs a request when it is its turn. A place that it keeps stays taken until it is left. */
  const takeTurn = (state: ModelState, request: RunRequest, soFar: TrialSoFar): Promise<RequestResult | null> =>
    new Promise((resolve, reject) => {
      const { lane, waiting, workload, governor, target } = state;
      const { signal } = state.stopSwitch;
      const rank = request.cell === null ? Infinity : workload.pathFrom(request.cell);
      waiting.add(rank, async () => {
        soFar.underWay();
        await sendNow(state, request, soFar).then((result) => {
          if (result === null) target.minutes.returns();
          resolve(result);
        }, reject);
        const { place } = soFar;
        if (place !== null) await place.left;
        workload.ended();
      });
      // Which of the model's requests is sent is decided only when one can be: a better one may have come by then.
      void governor.run(alone, signal, () => target.governor.run(lane, signal, async () => waiting.take()?.()));
    });

  const inTurn: Turns['inTurn'] = async (state, request, soFar) => {
    for (let trial = soFar; ; trial = newTrial()) {
      if (hasToWait(state, request, trial)) await waitForTurn(state, request, trial);
      const result = await takeTurn(state, request, soFar);
      if (result !== null) return result;
    }
  };

  const atOnce: Turns['atOnce'] = async (state, request, soFar) => {
    const { signal } = state.stopSwitch;
    try {
      for (;;) {
        await waitForPause(state, soFar);
        await state.governor.follow(signal);
        await state.target.governor.follow(signal);
        const stop = state.stopSwitch.reason();
        if (stop !== null) return missing(stop);
        if (pausedUntil(state) > clock.now()) continue;
        const result = await options.send(state, request, soFar);
        if (result !== null) return result;
      }
    } finally {
      leavePlace(soFar);
    }
  };

  return { inTurn, atOnce };
}

/**
 * The model has answered a request that was sent after the failure before the last. A model that is not open yet asks for
 * nothing else: what counts is whether others of its account have been answered since it first failed.
 */
const isUp = ({ unrest, target }: ModelState, { cell }: RunRequest, { failedAt }: TrialSoFar): boolean =>
  cell === null
    ? target.unrest.answeredAfter(failedAt[0] ?? Infinity)
    : unrest.answeredAfter(failedAt.at(-2) ?? Infinity);

/** The model or its whole account is left alone until then; milliseconds since the epoch. */
const pausedUntil = ({ governor, target }: ModelState): number =>
  Math.max(governor.pausedUntil(), target.governor.pausedUntil());

/** While it is open whether the account has any credit, only the request that shows it is sent. */
const mustWait = ({ target }: ModelState, { send }: RunRequest): boolean =>
  target.billing.question !== null && send.step !== billingStep;

/**
 * Whether this is another attempt after a fault. A further attempt at a probe or a control always is: the trial has
 * judged the earlier answer, and a status alone would not show it (a refusal inside a 200). A client's retry of a wrong
 * answer follows at once, unless that answer was a fault as well.
 */
function repeatsFault(request: RunRequest, earlier: EarlierAnswer | null): earlier is EarlierAnswer {
  const { send } = request;
  if (isPlain(request)) return false;
  return send.attempt > 0 && earlier !== null && (send.purpose !== 'retry' || earlier.isTemporary);
}
