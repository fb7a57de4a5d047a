import type { Exchange } from '../chat/exchange.js';
import type { Limits, ModelConfig, TargetConfig } from '../config/config.js';
import type { WaitReason } from '../journal/event.js';
import type { StopReason } from '../journal/stop.js';
import type { Json } from '../json/json.js';
import type { Clock } from './clock.js';
import { createGovernor, type Governor } from './limits/governor.js';
import type { KindSeen } from './limits/kind-seen.js';
import { createPrecedence, type Precedence } from './limits/precedence.js';
import { createRateWindow, type RateWindow } from './limits/rate-window.js';
import { shareOfLimit } from '../config/share-of-limit.js';
import { createStopSwitch, type StopSwitch } from './limits/stop-switch.js';
import { createTokenEstimator, type TokenEstimator } from './limits/token-estimator.js';
import { createUnrest, type Unrest } from './limits/unrest.js';
import { bestFirst, type BestFirst } from './order/best-first.js';
import { createMinutes, type Minutes } from './order/minutes.js';
import { rankOf } from './order/rank.js';
import { createSlots, type Lane } from './order/slots.js';
import { createWaitingRoom, type WaitingRoom } from './order/waiting-room.js';
import { createWorkload, type Workload } from './order/workload.js';

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
    /** Settles when nothing needs the answer any more: large answers may wait until then. */
    readonly over?: Promise<void>;
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

/** What all requests to one target share. */
export interface TargetState extends RunTarget, AccountLimits {
  readonly stopSwitch: StopSwitch;
  /** Milliseconds before the first repetition; doubles with each further one. */
  readonly firstBackoff: number;
}

/** What all requests on one account share: how many it may send at a time and in a minute. */
export interface AccountLimits {
  readonly governor: Governor;
  readonly window: RateWindow;
  /** When each of its models was last refused for load; milliseconds since the epoch. */
  readonly refusedAt: Map<string, number>;
  readonly billing: Billing;
  readonly precedence: Precedence;
  readonly unrest: Unrest;
  /** Whose turn it is where a limit per minute is what takes time. */
  readonly minutes: Minutes<ModelState>;
  /** Everything that is asked on the account. */
  readonly sharing: { readonly targets: TargetState[]; readonly models: ModelState[] };
}

/** What all requests to one model share. */
export interface ModelState {
  readonly target: TargetState;
  readonly model: ModelConfig;
  readonly governor: Governor;
  readonly stopSwitch: StopSwitch;
  readonly estimator: TokenEstimator;
  readonly unrest: Unrest;
  readonly workload: Workload;
  /** Its place among the models of its account. */
  readonly lane: Lane;
  /** Where its trials wait until their first request is sent. */
  readonly room: WaitingRoom;
  /** Its requests that wait for their turn. */
  readonly waiting: BestFirst<() => Promise<void>>;
  /** What was answered and refused for load, by kind of request. */
  readonly kinds: Map<string, KindSeen>;
  /** Its opening control: not asked for, not sent yet, or sent. */
  opening: 'none' | 'waiting' | 'sent';
  /** Plain requests that another model's refusal for billing led to. */
  billingControls: number;
}

/** A plain request to another model that shows whether the account has any credit. */
export interface BillingQuestion {
  readonly other: ModelState;
  /** Whoever asks it first. */
  taken: boolean;
  readonly answered: Promise<void>;
  readonly close: () => void;
}

/** What the models of one account show of its credit. */
export interface Billing {
  /** Refusals, in order; times in milliseconds since the epoch. */
  readonly refusals: { readonly model: string; readonly detail: string; readonly at: number }[];
  /** When the latest request was sent that was not refused for billing. */
  paidAt: number;
  /** A plain request to another model is on its way; until it is answered, nothing else is sent. */
  question: BillingQuestion | null;
}

export interface TargetListener {
  readonly waiting: (target: string, ms: number, reason: WaitReason) => void;
  readonly stopped: (target: string, model: string | null, reason: StopReason) => void;
}

/** Milliseconds until it is looked again whether requests that keep to a timetable may go. */
const lookAgain = 250;

/** @param share the part of the limits that this run may use, above 0 and up to 1 */
export function openAccountLimits(
  limits: Limits,
  share: number,
  clock: Clock,
  onWait: (ms: number) => void,
): AccountLimits {
  const most = Math.max(1, shareOfLimit(limits.concurrency, share));
  const window = createRateWindow(limits, share, clock, onWait);
  const models: ModelState[] = [];
  const slots = createSlots(most, {
    // Whoever is passed over while a minute opens is asked in the rest of it.
    leastPatience: shareOfLimit(limits.requestsPerMinute ?? 0, share),
    later: (again) => void clock.sleep(lookAgain).then(again),
  });
  return {
    governor: createGovernor(most, steadyInterval(limits, share), clock, slots),
    window,
    refusedAt: new Map(),
    billing: { refusals: [], paidAt: -Infinity, question: null },
    precedence: createPrecedence(),
    unrest: createUnrest(),
    minutes: createMinutes(models, window),
    sharing: { targets: [], models },
  };
}

/** Milliseconds between requests that are spread evenly over the minute; 0 without a limit. */
function steadyInterval({ requestsPerMinute }: Limits, share: number): number {
  return requestsPerMinute === null ? 0 : 60_000 / (requestsPerMinute * share);
}

export function openTarget(
  target: RunTarget,
  account: AccountLimits,
  run: StopSwitch,
  listener: TargetListener,
): TargetState {
  const state: TargetState = {
    ...target,
    ...account,
    stopSwitch: createStopSwitch(run, (reason) => {
      listener.stopped(target.config.name, null, reason);
    }),
    firstBackoff: target.simulator ? 10 : 500,
  };
  account.sharing.targets.push(state);
  return state;
}

/** Trials of a model: any of them is soon under way, and another begins. */
const mostWaiting = 10;

export function openModel(
  target: TargetState,
  model: ModelConfig,
  share: number,
  clock: Clock,
  listener: TargetListener,
): ModelState {
  const { limits } = target.config;
  const most = Math.max(1, shareOfLimit(Math.min(model.concurrency ?? Infinity, limits.concurrency), share));
  const state: ModelState = {
    target,
    model,
    governor: createGovernor(most, steadyInterval(limits, share), clock),
    stopSwitch: createStopSwitch(target.stopSwitch, (reason) => {
      listener.stopped(model.target, model.key, reason);
    }),
    estimator: createTokenEstimator(model),
    unrest: createUnrest(),
    workload: createWorkload(),
    lane: {
      rank: () => rankOf(state, target.minutes),
      begins() {
        state.workload.began();
        target.minutes.begins();
      },
    },
    room: createWaitingRoom(mostWaiting),
    waiting: bestFirst(),
    kinds: new Map(),
    opening: 'none',
    billingControls: 0,
  };
  target.sharing.models.push(state);
  return state;
}
