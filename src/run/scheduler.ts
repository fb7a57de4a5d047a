import type { Clock } from './clock.js';
import type { createConcurrencyLimiter } from './concurrency-limiter.js';
import type { Admission, RateWindow } from './rate-window.js';
import { createSlotShares } from './slot-shares.js';

type Limiter = ReturnType<typeof createConcurrencyLimiter>;

/** A request that waits for its turn. */
interface Job {
  readonly priority: number;
  /** The most that it should take of the tokens of a minute. */
  readonly tokens: () => number;
  readonly begin: (admission: Admission) => Promise<void>;
  /** Called when the request is not sent any more. */
  readonly drop: () => void;
  /** Requests that go at the same moment; null: none. */
  readonly group: RequestGroup | null;
}

/** Requests that are sent at the same moment. */
export interface RequestGroup {
  readonly size: () => number;
  /** Takes out a request that is not sent. */
  readonly leave: () => void;
}

export function createRequestGroup(requests: number): RequestGroup {
  let size = requests;
  return { size: () => size, leave: () => void (size -= 1) };
}

/** In front of a model's cells, whose priorities are numbers of requests. */
export const priorities = { repetition: 1e6, control: 1e7, opening: 1e8, question: Infinity } as const;

/** A model, as the scheduler sees it. */
export interface Queue {
  /** The highest priority first, and equals in the order in which they came. */
  readonly waiting: Job[];
  readonly limiter: Limiter;
  /** Of the model's own limit per minute. */
  readonly window: RateWindow;
  /** The model is held: all its requests but controls of the circuit breaker wait. */
  readonly isHeld: () => boolean;
  /** An answer came to its newest request, whatever it says. */
  readonly isAnswering: () => boolean;
  /** Milliseconds of requests that are still to come. */
  readonly remaining: () => number;
}

/** A request counts against the minute of its account and that of its model. */
function bothWindows(one: Admission, other: Admission): Admission {
  return {
    sent() {
      one.sent();
      other.sent();
    },
    settle(tokens) {
      one.settle(tokens);
      other.settle(0);
    },
    release() {
      one.release();
      other.release();
    },
  };
}

/** The queues of an account, and the limits on them. */
interface AccountQueues {
  readonly queues: readonly Queue[];
  readonly limiter: Limiter;
  readonly shares: ReturnType<typeof createSlotShares<Queue>>;
}

/** The request that goes next, or the time at which it is worth looking again; Infinity: when another has ended. */
type NextRequest = { readonly queue: Queue; readonly job: Job } | { readonly at: number };

/** A request that may begin now. */
interface Candidate {
  readonly queue: Queue;
  readonly job: Job;
  readonly rank: number;
  /** The request would take its model beyond the share of the slots. */
  readonly isBeyond: boolean;
}

/**
 * Controls first, then models within their share of the slots, and of those the one that would be the last to end. A
 * group goes once all of it is waiting, and until it has room, no others begin.
 */
function nextRequest({ queues, limiter, shares }: AccountQueues, now: number): NextRequest {
  let best: Candidate | null = null;
  let soonest = Infinity;
  const asking = shares.asking();
  const isDraining = queues.some((queue) => queue.waiting[0] !== undefined && isWhole(queue, queue.waiting[0]));
  for (const queue of queues) {
    const [job] = queue.waiting;
    if (job === undefined || (queue.isHeld() && job.priority < priorities.question)) continue;
    if (job.group !== null) {
      const fits = queue.window.fitsAt(0, now, job.group.size());
      if (fits > now) soonest = Math.min(soonest, fits);
      if (fits <= now && hasRoomForGroup(queue, job, limiter)) return { queue, job };
      continue;
    }
    if (isDraining && job.priority < priorities.repetition) continue;
    const isUrgent = job.priority >= priorities.question;
    const slotAt = Math.max(limiter.readyAt(isUrgent), queue.limiter.readyAt(isUrgent));
    const at = Math.max(slotAt, queue.window.fitsAt(0, now), shares.restedAt(queue, asking));
    if (at > now) {
      soonest = Math.min(soonest, at);
      continue;
    }
    const isControl = job.priority >= priorities.control;
    const isBeyond = !isControl && shares.isBeyond(queue, asking);
    if (isBeyond && !shares.mayGoBeyond(queue, asking)) continue;
    const candidate = { queue, job, rank: isControl ? Infinity : queue.remaining(), isBeyond };
    if (best === null || goesBefore(candidate, best)) best = candidate;
  }
  return best ?? { at: soonest };
}

function goesBefore(one: Candidate, other: Candidate): boolean {
  return one.isBeyond === other.isBeyond ? one.rank > other.rank : other.isBeyond;
}

function groupOf(queue: Queue, job: Job): readonly Job[] {
  return job.group === null ? [job] : queue.waiting.filter(({ group }) => group === job.group);
}

/** A group of which all is there, and which waits for room. */
function isWhole(queue: Queue, job: Job): boolean {
  return job.group !== null && groupOf(queue, job).length >= job.group.size();
}

function hasRoomForGroup(queue: Queue, job: Job, limiter: Limiter): boolean {
  const size = job.group?.size() ?? 1;
  return isWhole(queue, job) && limiter.hasRoom(size) && queue.limiter.hasRoom(size);
}

/**
 * Decides whose request of an account goes next, and when: as soon as a slot of the account and one of the model are
 * free and the minute has room.
 * @param onWait called before the limits per minute make requests wait, with the milliseconds
 */
export function createScheduler(limiter: Limiter, window: RateWindow, clock: Clock, onWait: (ms: number) => void) {
  const queues: Queue[] = [];
  const shares = createSlotShares<Queue>(() => limiter.slots(), clock);
  const alarm = createAlarm(clock, () => pump());

  const begin = (queue: Queue, job: Job, admission: Admission, now: number): void => {
    queue.waiting.splice(queue.waiting.indexOf(job), 1);
    for (const one of [limiter, queue.limiter]) one.began(now);
    const ended = shares.began(queue);
    void job.begin(admission).finally(() => {
      for (const one of [limiter, queue.limiter]) one.ended();
      ended();
      // When the event loop turns, its trial has said what it asks next, which may be a control that goes first.
      alarm.setForNextTurn();
    });
  };
  /** Begins a request, with its group, or says when the minute has room for it; null: begun. */
  const beginWithGroup = (queue: Queue, job: Job, now: number): number | null => {
    const group = groupOf(queue, job).map((one) => ({ one, tokens: one.tokens() }));
    const tokens = group.reduce((sum, { tokens: own }) => sum + own, 0);
    const at = window.fitsAt(tokens, now, group.length);
    if (at > now) return at;
    for (const { one, tokens: own } of group) {
      begin(queue, one, bothWindows(window.enter(own), queue.window.enter(0)), now);
    }
    return null;
  };
  const pump = (): void => {
    alarm.cancel();
    for (;;) {
      const now = clock.now();
      const next = nextRequest({ queues, limiter, shares }, now);
      const at = 'at' in next ? next.at : beginWithGroup(next.queue, next.job, now);
      if (at === null) continue;
      if (!('at' in next) && at < Infinity) onWait(at - now);
      alarm.set(at);
      return;
    }
  };
  return {
    add(queue: Queue): void {
      queues.push(queue);
      shares.add(queue);
    },
    enqueue({ waiting }: Queue, job: Job): void {
      const before = waiting.findLastIndex(({ priority }) => priority >= job.priority);
      waiting.splice(before + 1, 0, job);
      pump();
    },
    drop({ waiting }: Queue): void {
      for (const { drop } of waiting.splice(0)) drop();
      pump();
    },
    /** To be called when anything has changed that requests wait for. */
    pump,
  };
}

function createAlarm(clock: Clock, call: () => void) {
  let controller: AbortController | null = null;
  let turn: NodeJS.Immediate | null = null;
  return {
    /** Calls when the event loop turns, once for all that set it before. */
    setForNextTurn(): void {
      turn ??= setImmediate(() => {
        turn = null;
        call();
      });
    },
    /** @param at milliseconds since the epoch; Infinity: never */
    set(at: number): void {
      if (at === Infinity) return;
      controller = new AbortController();
      const { signal } = controller;
      void clock.sleep(at - clock.now(), signal).then(() => {
        if (!signal.aborted) call();
      });
    },
    /** Takes the time back that was set. */
    cancel(): void {
      controller?.abort();
      controller = null;
    },
  };
}
