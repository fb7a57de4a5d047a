import type { Exchange } from '../chat/exchange.js';
import type { Limits, ModelConfig, TargetConfig } from '../config/config.js';
import type { Json } from '../json/json.js';
import type { Clock } from './clock.js';
import { createTokenEstimator, type TokenEstimator } from './limits/token-estimator.js';
import { createHalt, type Halt } from './limits/halt.js';
import { createRateWindow, type RateWindow } from './limits/rate-window.js';
import { createSlots, type Slots } from './limits/slots.js';
import { wholePart } from './limits/whole-part.js';

/** Sends one request; what goes wrong on the line is in the exchange. */
export type SendRequest = (
  body: Json,
  extra: { readonly headers?: Readonly<Record<string, string>> },
  signal: AbortSignal,
) => Promise<Exchange>;

/** A target as the run reaches it. */
export interface RunTarget {
  readonly config: TargetConfig;
  readonly send: SendRequest;
  /** The embedded service: it is told which trial asks, and each of its models is an account of its own. */
  readonly simulator: boolean;
}

/** What all requests with one key share. */
export interface Lane {
  readonly target: RunTarget;
  readonly slots: Slots;
  readonly window: RateWindow;
  readonly halt: Halt;
  /** Milliseconds before the first repetition; doubles with each further one. */
  readonly firstBackoff: number;
}

/** What all requests to one model share. */
export interface ModelLane {
  readonly lane: Lane;
  readonly model: ModelConfig;
  readonly slots: Slots;
  readonly halt: Halt;
  readonly estimator: TokenEstimator;
  /** Until when the service asked not to be asked; milliseconds since the epoch. */
  pausedUntil: number;
}

export interface LaneListener {
  readonly waiting: (target: string, ms: number, why: string) => void;
  readonly stopped: (target: string, model: string | null, why: string) => void;
}

/** How much may go at the same time, and in a minute. */
export type Room = Pick<Lane, 'slots' | 'window'>;

/** @param share the part of the limits that this run may use */
export function openRoom(limits: Limits, share: number, clock: Clock, onWait: (ms: number) => void): Room {
  return {
    slots: createSlots(Math.max(1, wholePart(limits.concurrency, share))),
    window: createRateWindow(limits, share, clock, onWait),
  };
}

export function openLane(target: RunTarget, room: Room, run: Halt, listener: LaneListener): Lane {
  return {
    target,
    ...room,
    halt: createHalt(run, (why) => {
      listener.stopped(target.config.name, null, why);
    }),
    firstBackoff: target.simulator ? 10 : 500,
  };
}

export function openModelLane(lane: Lane, model: ModelConfig, share: number, listener: LaneListener): ModelLane {
  const most = Math.min(model.concurrency ?? Infinity, lane.target.config.limits.concurrency);
  return {
    lane,
    model,
    slots: createSlots(Math.max(1, wholePart(most, share))),
    halt: createHalt(lane.halt, (why) => {
      listener.stopped(model.target, model.key, why);
    }),
    estimator: createTokenEstimator(model),
    pausedUntil: 0,
  };
}
