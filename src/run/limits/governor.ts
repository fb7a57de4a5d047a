import type { Clock } from '../clock.js';
import { createSlots, type Lane, type Slots } from '../order/slots.js';
import { createPace } from './pace.js';

/**
 * How much is sent to an account or to one model: at a time, and how fast one request follows another. Less after a
 * refusal for load, and gradually more without one.
 */
export interface Governor {
  /** Runs the task as soon as there is room and it is the lane's turn. */
  run<T>(lane: Lane, signal: AbortSignal, task: () => Promise<T>): Promise<T>;
  /** For a request that has the place of an earlier one: waits only until it may follow the last one sent. */
  follow(signal: AbortSignal): Promise<void>;
  /** How many requests may be in flight now. */
  room(): number;
  /** Nothing is sent before then; milliseconds since the epoch. */
  pausedUntil(): number;
  pause(until: number): void;
  /** A request was refused for load. Times are milliseconds since the epoch. */
  refused(sentAt: number, now: number): void;
  /** A request was not refused for load. */
  answered(sentAt: number, now: number): void;
  /**
   * A request failed for no reason that an answer gives: a cut connection, a 5xx.
   * @param isDown the model answers nothing, not even a control, which has no cause of its own to fail
   */
  failed(sentAt: number, now: number, isDown: boolean): void;
  /** As if nothing had been refused. */
  reset(): void;
  /** Since when every request has been refused, or has failed; null while some are answered. */
  inVainSince(): number | null;
}

/** Requests without a refusal before more is tried. Doubles each time that more was too much. */
const [fewestCalm, mostCalm] = [8, 160];
/** After the first refusal, one is tolerated for so many answers: fewer than a tenth are refused then. */
const answersPerRefusal = 16;
const mostTolerated = 2;
/** Milliseconds. Slower than this only if the service asks for it. */
const longestInterval = 6000;
/** Milliseconds of silence after refusals in a row; doubles. Only a sliding minute that is used up needs many. */
const [firstSilence, longestSilence] = [100, 8000];
/** Of these, only so many make requests slower: a used-up minute says nothing about the interval that would hold. */
const mostInARow = 5;
/** Milliseconds. After refusals for so long, a window was used up: what it let through shows the interval that holds. */
const usedUpWindow = 10_000;
/** Doublings of the interval that end every refusal by a rate if at least this share was answered before them. */
const tellingDoublings = 3;
const answeredAnyway = 0.4;
/** Requests for which refusals that slowing down did not stop are ignored. */
const ignored = 200;
/** Milliseconds of silence in an outage; doubles with each failure after it. */
const [firstLull, longestLull] = [500, 16_000];

/**
 * Requests at a time: half after a refusal, one more after calm, as in TCP. With one at a time, and still refused: the
 * interval doubles, and shrinks by a fifth after calm. What was too much is tried again ever later, since each try costs
 * a refusal. Refusals that go on however slowly requests are sent are not a matter of their number, and change nothing.
 * @param most requests at a time
 * @param interval milliseconds between requests in a steady flow at the configured limit per minute; 0 without one
 * @param limit so many slots
 */
export function createGovernor(
  most: number,
  interval: number,
  clock: Clock,
  limit: Slots = createSlots(most),
): Governor {
  const pace = createPace(clock);
  let pausedUntil = 0;
  let changedAt = -Infinity;
  let calm = 0;
  let calmNeeded = fewestCalm;
  let tolerated = 0;
  /** What held before more was tried. */
  let before: { readonly room: number; readonly interval: number } | null = null;
  let vain: { readonly since: number; count: number } | null = null;
  let latency = 50;
  /** With one at a time: what the first intervals brought, and how often the interval has doubled. */
  let slowest = { answered: 0, refused: 0, doublings: 0 };
  let ignoring = 0;
  /** Since the last window that was used up. */
  let window: { readonly since: number; answers: number } | null = null;
  /** Since a control failed while nothing was answered, and until something is. */
  let outage: { readonly since: number; silences: number; silentAt: number } | null = null;
  /** What held before the outage. */
  let roomBefore: number | null = null;

  const endOutage = (): void => {
    outage = null;
    if (roomBefore !== null) limit.most = Math.max(limit.most, roomBefore);
    roomBefore = null;
  };

  const reset = (): void => {
    limit.most = most;
    pace.interval = 0;
    before = null;
    vain = null;
    calm = 0;
    slowest = { answered: 0, refused: 0, doublings: 0 };
  };
  /** @param inARow refusals without an answer between them */
  const slower = (inARow: number): void => {
    // A limit per minute that is known has to be spread evenly if the service counts in shorter windows.
    const steady = Math.max(pace.interval, interval);
    if (limit.most > 1) {
      limit.most = inARow > 1 ? 1 : Math.floor(limit.most / 2);
      pace.interval = steady;
      return;
    }
    if (inARow > mostInARow) return;
    pace.interval = Math.min(longestInterval, 2 * Math.max(steady, latency));
    if (inARow === 1) slowest.doublings += 1;
  };
  const spreadOver = ({ since, answers }: NonNullable<typeof window>, now: number): void => {
    const held = (1.05 * (now - since)) / Math.max(1, answers);
    pace.interval = Math.min(longestInterval, Math.max(interval, held));
  };
  const isInVain = ({ answered, refused, doublings }: typeof slowest): boolean =>
    doublings > tellingDoublings && answered / (answered + refused) >= answeredAnyway;
  const noteSlowest = (what: 'answered' | 'refused'): void => {
    if (limit.most === 1 && slowest.doublings < 2) slowest[what] += 1;
  };
  const more = (): void => {
    slowest = { answered: 0, refused: 0, doublings: 0 };
    before = { room: limit.most, interval: pace.interval };
    const shorter = pace.interval * 0.8;
    if (shorter > Math.max(interval, limit.most === 1 ? latency : 0)) pace.interval = shorter;
    else if (limit.most < most) {
      pace.interval = interval > 0 ? Math.min(pace.interval, interval) : 0;
      limit.most += 1;
    }
  };

  return {
    follow: (signal) => pace.firstTurn(signal),
    run: (lane, signal, task) =>
      limit.run(lane, () => {
        const turn = pace.turn(signal);
        return turn === null ? task() : turn.then(task);
      }),
    room: () => limit.most,
    pausedUntil: () => pausedUntil,
    pause(until) {
      pausedUntil = Math.max(pausedUntil, until);
    },
    refused(sentAt, now) {
      if (ignoring > 0) {
        ignoring -= 1;
        return;
      }
      noteSlowest('refused');
      // What was in flight when the last change was made says nothing about it.
      if (sentAt <= changedAt) return;
      vain = { since: vain?.since ?? now, count: (vain?.count ?? 0) + 1 };
      if (before === null && vain.count === 1 && tolerated >= 1) {
        tolerated -= 1;
        return;
      }
      pausedUntil = Math.max(pausedUntil, now + Math.min(longestSilence, firstSilence * 2 ** (vain.count - 1)));
      changedAt = now;
      calm = 0;
      if (before !== null) {
        limit.most = before.room;
        pace.interval = before.interval;
        before = null;
        calmNeeded = Math.min(mostCalm, 2 * calmNeeded);
        return;
      }
      slower(vain.count);
      if (isInVain(slowest)) {
        reset();
        ignoring = ignored;
      }
    },
    failed(sentAt, now, isDown) {
      // Any number of others may fail for causes of their own.
      if (isDown) outage ??= { since: now, silences: 0, silentAt: -Infinity };
      if (outage === null || sentAt <= outage.silentAt) return;
      roomBefore ??= limit.most;
      // One request is enough to see whether it is over.
      limit.most = 1;
      pausedUntil = Math.max(pausedUntil, now + Math.min(longestLull, firstLull * 2 ** outage.silences));
      outage.silences += 1;
      outage.silentAt = now;
    },
    answered(sentAt, now) {
      endOutage();
      ignoring = Math.max(0, ignoring - 1);
      noteSlowest('answered');
      window ??= { since: sentAt, answers: 0 };
      if (vain !== null && sentAt > changedAt && now - vain.since >= usedUpWindow) {
        spreadOver(window, now);
        window = { since: now, answers: 0 };
      }
      window.answers += 1;
      latency = 0.8 * latency + 0.2 * (now - sentAt);
      if (sentAt <= changedAt) return;
      vain = null;
      if (changedAt > -Infinity) tolerated = Math.min(mostTolerated, tolerated + 1 / answersPerRefusal);
      if (limit.most >= most && pace.interval <= interval) {
        before = null;
        return;
      }
      calm += 1;
      if (calm < calmNeeded) return;
      calm = 0;
      more();
    },
    reset,
    inVainSince: () => vain?.since ?? outage?.since ?? null,
  };
}
