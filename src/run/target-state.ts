import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import type { LimitFunction } from 'p-limit';
import type { Exchange } from '../chat/exchange.js';
import { shareOfLimit, strictest } from '../config/accounts.js';
import type { Limits, ModelConfig, TargetConfig } from '../config/config.js';
import { courseCost } from '../decide/courses/courses.js';
import type { StopReason } from '../journal/event.js';
import type { Json } from '../json/json.js';
import { requestsAtOnce, type Ticket } from '../plan/ticket.js';
import type { Clock } from './clock.js';
import { createConcurrencyLimiter } from './concurrency-limiter.js';
import { createRateWindow, type RateWindow } from './rate-window.js';
import { createScheduler, type Queue } from './scheduler.js';
import { createTokenEstimator } from './budget-ledger.js';

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

/** What all requests on one account share. */
interface Account {
  readonly limiter: ReturnType<typeof createConcurrencyLimiter>;
  readonly window: RateWindow;
  /** Of a model's own limit per minute. */
  readonly windowOf: (model: ModelConfig) => RateWindow;
  readonly scheduler: ReturnType<typeof createScheduler>;
  readonly targets: TargetState[];
  readonly models: ModelState[];
  /** A plain request to another model is on its way, which shows whether the account has any credit. */
  isInDoubt: boolean;
}

/** What all requests to one target share. */
interface TargetState extends RunTarget {
  readonly shared: Account;
  readonly stopSwitch: StopSwitch;
  /** Milliseconds before the first repetition; doubles with each further one. */
  readonly firstBackoff: number;
}

/** What all requests to one model share. */
export interface ModelState extends Queue {
  readonly target: TargetState;
  readonly model: ModelConfig;
  readonly stopSwitch: StopSwitch;
  readonly estimator: ReturnType<typeof createTokenEstimator>;
  readonly workload: ReturnType<typeof createWorkload>;
  /**
   * The circuit breaker: refused or unanswered requests in a row, and whether all others are held back, or all cells
   * have ended.
   */
  readonly breaker: { inARow: number; isOpen: boolean; isOver: boolean };
  /** Where trials wait until their first request goes: few, since each takes memory. */
  readonly entrance: LimitFunction;
  /** Requests that were answered, and when the last of them was, in milliseconds since the epoch. */
  readonly answers: { count: number; lastAt: number };
  /** Plain requests outside of its trials, so far. */
  controls: number;
  /** Requests in a row to which no answer came. */
  unanswered: number;
  readonly trials: ReturnType<typeof openTrials>;
}

interface TargetListener {
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
  return { limiter, window, windowOf, scheduler, targets: [], models: [], isInDoubt: false };
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
  const breaker = { inARow: 0, isOpen: false, isOver: false };
  const stopSwitch = createStopSwitch(target.stopSwitch, (reason) => listener.stopped(model.target, model.key, reason));
  const state: ModelState = {
    target,
    model,
    stopSwitch,
    workload,
    breaker,
    waiting: [],
    controls: 0,
    answers: { count: 0, lastAt: 0 },
    unanswered: 0,
    trials: openTrials(),
    entrance: pLimit(mostEntering),
    limiter: createConcurrencyLimiter(slots),
    window: target.shared.windowOf(model),
    estimator: createTokenEstimator(model),
    isHeld: () => breaker.isOpen,
    isAnswering: () => state.unanswered === 0,
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

/** The trials of a model that are under way: some wait until all others have ended. */
function openTrials() {
  let open = 0;
  let isStopped = false;
  let waiting: (() => void)[] = [];
  const release = (): void => {
    if (!isStopped && waiting.length < open) return;
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  };
  return {
    /** Resolves when every open trial waits here, or nothing more is sent. */
    othersEnd: () =>
      new Promise<void>((go) => {
        waiting.push(go);
        release();
      }),
    began: (): void => void (open += 1),
    ended(): void {
      open -= 1;
      release();
    },
    stop(): void {
      isStopped = true;
      release();
    },
  };
}

/** Whether a run, a target or a model still sends requests. Once stopped, it stays stopped. */
export interface StopSwitch {
  /** Why nothing more is sent; null while requests are sent. */
  reason(): StopReason | null;
  /** The first reason counts. */
  stop(reason: StopReason): void;
  /** Aborted by the stop, so that waiting ends. */
  readonly signal: AbortSignal;
}

/** A switch of its own that also stops with its parent. */
export function createStopSwitch(
  parent: StopSwitch | null,
  onStop: (reason: StopReason) => void = () => undefined,
): StopSwitch {
  const controller = new AbortController();
  const signal = parent === null ? controller.signal : AbortSignal.any([controller.signal, parent.signal]);
  setMaxListeners(0, controller.signal, signal);
  let own: StopReason | null = null;
  return {
    reason: () => own ?? parent?.reason() ?? null,
    stop(reason) {
      if (own !== null) return;
      own = reason;
      onStop(reason);
      controller.abort();
    },
    signal,
  };
}

interface CellWork {
  left: number;
  /** Requests that have to follow one another, in the cell alone, and with those that need it. */
  readonly own: number;
  path: number;
}

/** What is probably left to ask of a model. */
function createWorkload() {
  const cells = new Map<string, CellWork>();
  const answers = { count: 0, ms: 0 };
  let left = 0;
  const setLeft = (work: CellWork | undefined, requests: number): void => {
    if (work === undefined) return;
    left += requests - work.left;
    work.left = requests;
  };
  return {
    plan(tickets: readonly Ticket[]): void {
      for (const ticket of tickets) {
        const { key, unmeetable, probe } = ticket.cell;
        if (unmeetable !== null || cells.has(key)) continue;
        const steps = Math.max(1, probe.steps.filter(({ kind }) => kind === 'ask').length);
        const { expected } = courseCost(ticket);
        // A threshold is searched one trial after the other; other courses ask theirs together.
        const own = steps * (ticket.course === 'find' ? expected : 1);
        const work = { left: 0, own, path: own };
        cells.set(key, work);
        setLeft(work, steps * expected * requestsAtOnce(ticket.cell));
      }
      addFollowers(tickets, cells);
    },
    /** A request that was expected of this cell has been answered. */
    asked(cell: string): void {
      const work = cells.get(cell);
      setLeft(work, Math.max(0, (work?.left ?? 0) - 1));
    },
    answered(ms: number): void {
      answers.count += 1;
      answers.ms += ms;
    },
    concluded: (cell: string): void => {
      setLeft(cells.get(cell), 0);
    },
    /** Requests that have to follow one another, from the first of this cell to the end of all that need it. */
    pathFrom: (cell: string) => cells.get(cell)?.path ?? 1,
    /** Milliseconds of all requests that are left. */
    remaining: () => left * (answers.count === 0 ? 1 : answers.ms / answers.count),
  };
}

/** Adds to the path of each cell the longest of those that need it, which come after it. */
function addFollowers(tickets: readonly Ticket[], cells: ReadonlyMap<string, CellWork>): void {
  for (const { cell } of tickets.toReversed()) {
    for (const need of cell.needs) {
      const work = cells.get(need);
      if (work !== undefined) work.path = Math.max(work.path, work.own + (cells.get(cell.key)?.path ?? 0));
    }
  }
}
