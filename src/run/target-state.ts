import type { Exchange } from '../chat/exchange.js';
import type { Limits, ModelConfig, TargetConfig } from '../config/config.js';
import type { WaitReason } from '../journal/event.js';
import type { StopReason } from '../journal/stop.js';
import type { Json } from '../json/json.js';
import type { Clock } from './clock.js';
import { createRateWindow, type RateWindow } from './limits/rate-window.js';
import { shareOfLimit } from './limits/share-of-limit.js';
import { createSlots, type Slots } from './limits/slots.js';
import { createStopSwitch, type StopSwitch } from './limits/stop-switch.js';
import { createTokenEstimator, type TokenEstimator } from './limits/token-estimator.js';

/** Sends one request. Network errors are part of the exchange. */
export type SendRequest = (
  body: Json,
  extra: { readonly headers?: Readonly<Record<string, string>> },
  signal: AbortSignal,
) => Promise<Exchange>;

/** A target and how to reach it. */
export interface RunTarget {
  readonly config: TargetConfig;
  readonly send: SendRequest;
  /** The embedded service: requests to it name their trial, and each of its models is an account of its own. */
  readonly simulator: boolean;
}

/** What all requests to one target share. */
export interface TargetState extends RunTarget, AccountLimits {
  readonly stopSwitch: StopSwitch;
  /** Milliseconds before the first repetition; doubles with each further one. */
  readonly firstBackoff: number;
}

/** How many requests one account may send at a time and in a minute. */
export interface AccountLimits {
  readonly slots: Slots;
  readonly window: RateWindow;
}

/** What all requests to one model share. */
export interface ModelState {
  readonly target: TargetState;
  readonly model: ModelConfig;
  readonly slots: Slots;
  readonly stopSwitch: StopSwitch;
  readonly estimator: TokenEstimator;
  /** The service asked to be left alone until then; milliseconds since the epoch. */
  pausedUntil: number;
}

export interface TargetListener {
  readonly waiting: (target: string, ms: number, reason: WaitReason) => void;
  readonly stopped: (target: string, model: string | null, reason: StopReason) => void;
}

/** @param share the part of the limits that this run may use, above 0 and up to 1 */
export function openAccountLimits(
  limits: Limits,
  share: number,
  clock: Clock,
  onWait: (ms: number) => void,
): AccountLimits {
  return {
    slots: createSlots(Math.max(1, shareOfLimit(limits.concurrency, share))),
    window: createRateWindow(limits, share, clock, onWait),
  };
}

export function openTarget(
  target: RunTarget,
  account: AccountLimits,
  run: StopSwitch,
  listener: TargetListener,
): TargetState {
  return {
    ...target,
    ...account,
    stopSwitch: createStopSwitch(run, (reason) => {
      listener.stopped(target.config.name, null, reason);
    }),
    firstBackoff: target.simulator ? 10 : 500,
  };
}

export function openModel(
  target: TargetState,
  model: ModelConfig,
  share: number,
  listener: TargetListener,
): ModelState {
  const most = Math.min(model.concurrency ?? Infinity, target.config.limits.concurrency);
  return {
    target,
    model,
    slots: createSlots(Math.max(1, shareOfLimit(most, share))),
    stopSwitch: createStopSwitch(target.stopSwitch, (reason) => {
      listener.stopped(model.target, model.key, reason);
    }),
    estimator: createTokenEstimator(model),
    pausedUntil: 0,
  };
}
