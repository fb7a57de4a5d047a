import pLimit from 'p-limit';
import type { LimitFunction } from 'p-limit';
import type { Exchange } from '../chat/exchange.js';
import { shareOfLimit, strictest } from '../config/accounts.js';
import type { Limits, ModelConfig, TargetConfig } from '../config/config.js';
import type { StopReason } from '../journal/event.js';
import type { Json } from '../json/json.js';
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.js';
import type { Clock } from './clock.js';
import { createConcurrencyLimiter } from './concurrency-limiter.js';
import { createControlNumbers, type ControlNumbers } from './control-request.js';
import { createModelAnswers, type ModelAnswers } from './model-answers.js';
import { createOpenTrials, type OpenTrials } from './open-trials.js';
import { createRateWindow, type RateWindow } from './rate-window.js';
import { createScheduler, type Queue } from './scheduler.js';
import { createStopSwitch, type StopSwitch } from './stop-switch.js';
import { createTokenEstimator } from './token-estimator.js';
import { createWorkload, type Workload } from './workload.js';

/** Sends one request. Network errors are part of the exchange. */
export type SendRequest = (
  body: Json,
  extra: {
    readonly headers?: Readonly<Record<string, string>>;
    /**
     * To be called when the request has left this process. If it never is, the request counts against the limits per
     * minute from its end.
     */
    readonly sent?: () => void;
  },
  signal: AbortSignal,
) => Promise<Exchange>;

/** A target and how to reach it. */
export interface RunTarget {
  readonly config: TargetConfig;
  readonly send: SendRequest;
  /** Equal for targets that a service counts together. Absent: the target is counted for itself. */
  readonly account?: string;
  /** The embedded service: requests to it name their trial, and each of its models is an account of its own. */
  readonly simulator: boolean;
}

/** State that all requests on one account share. */
export interface Account {
  readonly limiter: ReturnType<typeof createConcurrencyLimiter>;
  readonly window: RateWindow;
  /** Of a model's own limit per minute. */
  readonly windowOf: (model: ModelConfig) => RateWindow;
  readonly scheduler: ReturnType<typeof createScheduler>;
  readonly targets: TargetState[];
  readonly models: ModelState[];
}

/** State that all requests to one target share. */
interface TargetState extends RunTarget {
  readonly shared: Account;
  readonly stopSwitch: StopSwitch;
  /** Milliseconds before the first repetition; doubles with each further one. */
  readonly firstBackoff: number;
}

/** State that all requests to one model share. */
export interface ModelState extends Queue {
  readonly target: TargetState;
  readonly model: ModelConfig;
  readonly stopSwitch: StopSwitch;
  readonly estimator: ReturnType<typeof createTokenEstimator>;
  readonly workload: Workload;
  readonly breaker: CircuitBreaker;
  readonly answers: ModelAnswers;
  /** Of its plain requests outside of trials. */
  readonly controls: ControlNumbers;
  /** The queue of trials whose first request has not gone: few are open, since each takes memory. */
  readonly entrance: LimitFunction;
  readonly trials: OpenTrials;
}

export interface TargetListener {
  /** The limits per minute make a target wait. */
  readonly limited: (target: string, ms: number) => void;
  readonly stopped: (target: string, model: string | null, reason: StopReason) => void;
}

/**
 * The state of each target. Targets that a service counts together share one account, for which the strictest limits of
 * any of them hold.
 * @param share the part of the limits that this run may use, above 0 and up to 1
 */
export function openTargets(
  targets: ReadonlyMap<string, RunTarget>,
  share: number,
  clock: Clock,
  run: StopSwitch,
  listener: TargetListener,
): ReadonlyMap<string, TargetState> {
  const limits = new Map<string, Limits>();
  for (const target of targets.values()) {
    const before = limits.get(accountOf(target));
    const { limits: own } = target.config;
    limits.set(accountOf(target), before === undefined ? own : strictest(before, own));
  }
  const accounts = new Map<string, Account>();
  return new Map(
    [...targets].map(([name, target]) => {
      const key = accountOf(target);
      const limited = (ms: number): void => listener.limited(name, ms);
      const shared = accounts.get(key) ?? openAccount(limits.get(key) ?? target.config.limits, share, clock, limited);
      accounts.set(key, shared);
      const stopSwitch = createStopSwitch(run, (reason) => listener.stopped(name, null, reason));
      const state = { ...target, shared, stopSwitch, firstBackoff: target.simulator ? 10 : 500 };
      shared.targets.push(state);
      return [name, state];
    }),
  );
}

const accountOf = ({ account, config }: RunTarget): string => account ?? config.name;

function openAccount(limits: Limits, share: number, clock: Clock, onWait: (ms: number) => void): Account {
  const limiter = createConcurrencyLimiter(Math.max(1, shareOfLimit(limits.concurrency, share)));
  const window = createRateWindow(limits, share, clock);
  const scheduler = createScheduler(limiter, window, clock, onWait);
  const ofModels = new Map<string, RateWindow>();
  const windowOf = ({ key, requestsPerMinute = null }: ModelConfig): RateWindow => {
    const opened = ofModels.get(key) ?? createRateWindow({ requestsPerMinute, tokensPerMinute: null }, share, clock);
    ofModels.set(key, opened);
    return opened;
  };
  return { limiter, window, windowOf, scheduler, targets: [], models: [] };
}

/** Trials of a model that wait for their first request to go. */
const mostEntering = 10;

export function openModel(
  target: TargetState,
  model: ModelConfig,
  share: number,
  listener: Pick<TargetListener, 'stopped'>,
): ModelState {
  const most = Math.min(model.concurrency ?? Infinity, target.config.limits.concurrency);
  const slots = Math.max(1, shareOfLimit(most, share));
  const workload = createWorkload();
  const breaker = createCircuitBreaker();
  const answers = createModelAnswers();
  const stopSwitch = createStopSwitch(target.stopSwitch, (reason) => listener.stopped(model.target, model.key, reason));
  const state: ModelState = {
    target,
    model,
    stopSwitch,
    workload,
    breaker,
    answers,
    waiting: [],
    controls: createControlNumbers(),
    trials: createOpenTrials(),
    entrance: pLimit(mostEntering),
    limiter: createConcurrencyLimiter(slots),
    window: target.shared.windowOf(model),
    estimator: createTokenEstimator(model),
    isHeld: breaker.isOpen,
    isAnswering: answers.isAnswering,
    remaining: () => workload.remaining() / slots,
  };
  const { scheduler, models } = target.shared;
  models.push(state);
  scheduler.add(state);
  stopSwitch.signal.addEventListener('abort', () => {
    scheduler.drop(state);
    state.trials.stop();
  });
  return state;
}
