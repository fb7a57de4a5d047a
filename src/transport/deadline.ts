/** Calls back unless it is stopped, or restarted, in time. */
export interface Deadline {
  /** Something arrived: the time begins anew. */
  restart(): void;
  /** The time stands still until `goOn`: chatspec itself does not look for an answer. */
  pause(): void;
  goOn(): void;
  stop(): void;
}

/**
 * Starts a deadline. Only time in which this process could have noticed an answer counts: while something else kept it
 * busy (a long judgement, a machine under load), answers wait in the sockets, and nobody but chatspec was late.
 * @param ms of the time in which answers could be noticed
 */
export function startDeadline(ms: number, expired: () => void): Deadline {
  watchLoop();
  let from = attentiveTime();
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  let stopped = false;
  /** In attentive time; null while the time runs. */
  let pausedAt: number | null = null;
  const now = (): number => pausedAt ?? attentiveTime();

  const check = (): void => {
    const left = ms - (now() - from);
    if (left > 0 || pausedAt !== null) {
      timer = setTimeout(check, Math.max(Math.ceil(left), pausedAt === null ? 1 : beat));
      return;
    }
    const before = from;
    // Timers come before the sockets are read. What has already arrived still counts.
    turn = setImmediate(() => {
      if (from !== before || pausedAt !== null) check();
      else expired();
    });
  };
  timer = setTimeout(check, ms);

  return {
    restart: () => void (from = now()),
    pause: () => void (pausedAt ??= attentiveTime()),
    goOn() {
      if (pausedAt === null) return;
      from += attentiveTime() - pausedAt;
      pausedAt = null;
    },
    stop() {
      if (stopped) return;
      stopped = true;
      clearTimeout(timer);
      clearImmediate(turn);
      leaveLoop();
    },
  };
}

/** Milliseconds between two looks at the clock. A gap of more than twice as many is time without attention. */
const beat = 50;

/** The event loop, watched while there are deadlines. */
const loop = { watchers: 0, lastBeat: 0, inattentive: 0, timer: null as NodeJS.Timeout | null };

function watchLoop(): void {
  loop.watchers += 1;
  if (loop.timer !== null) return;
  loop.lastBeat = performance.now();
  loop.timer = setInterval(() => {
    const now = performance.now();
    loop.inattentive += lateBy(now);
    loop.lastBeat = now;
  }, beat);
  loop.timer.unref();
}

function leaveLoop(): void {
  loop.watchers -= 1;
  if (loop.watchers > 0 || loop.timer === null) return;
  clearInterval(loop.timer);
  loop.timer = null;
}

/** Milliseconds, from any beginning, that stand still while the event loop does. */
function attentiveTime(): number {
  const now = performance.now();
  return now - loop.inattentive - lateBy(now);
}

/** How long the beat that is due has been kept waiting; its timer may come after others that were due as well. */
function lateBy(now: number): number {
  const gap = now - loop.lastBeat;
  return gap > 2 * beat ? gap - beat : 0;
}
