/** Of the latest answers, so many count. */
const rememberedAnswers = 50;
/** More refusals among them than a tenth make it slower. */
const mostRefused = rememberedAnswers / 10;
/** Where less than one request at a time is allowed, it is more by half after so many answers: they come slowly. */
const slowly = 20;
const growth = 1.5;
/** Milliseconds between two requests, at most. */
const longestInterval = 1000;
/** The weight of an answer in the usual time that one takes. */
const weight = 0.2;

/**
 * How much an account, or a model, is asked at once: additive increase, multiplicative decrease, driven by the share of
 * its latest answers that were refusals for load. The limit may be less than one: half a request at a time is one that
 * is followed by a pause as long as an answer takes.
 * @param most requests at a time
 */
export function createConcurrencyLimiter(most: number) {
  let limit = most;
  let inFlight = 0;
  let latest: boolean[] = [];
  let changedAt = -Infinity;
  let beganAt = -Infinity;
  const outage = createOutageWatch();
  /** Milliseconds of a usual answer. */
  let usual = 0;

  const change = (to: number, now: number): void => {
    limit = to;
    latest = [];
    changedAt = now;
  };

  return {
    /**
     * When one more request may begin, in milliseconds since the epoch; Infinity: when another has ended.
     * @param isUrgent it waits only for one of all slots
     */
    readyAt(isUrgent = false): number {
      const slots = isUrgent ? most : Math.max(1, Math.floor(limit));
      if (inFlight >= slots) return Infinity;
      return isUrgent || limit >= 1 ? -Infinity : beganAt + Math.min(longestInterval, usual / limit);
    },
    /** How many requests may be in flight now. */
    slots: (): number => Math.max(1, Math.floor(limit)),
    /** Whether so many requests may begin together, as far as all of its slots allow. */
    hasRoom: (requests: number): boolean => inFlight + Math.min(requests, most) <= most,
    began(now: number): void {
      inFlight += 1;
      beganAt = now;
    },
    ended(): void {
      inFlight -= 1;
    },
    /**
     * @param sentAt milliseconds since the epoch; what was sent before the last change says nothing about it
     * @param refused for load
     */
    answered(sentAt: number, now: number, refused: boolean): void {
      if (!refused) usual = usual === 0 ? now - sentAt : usual + weight * (now - sentAt - usual);
      if (outage.isOverAfter(refused, now)) {
        change(most, now);
        return;
      }
      if (sentAt <= changedAt) return;
      latest.push(refused);
      if (latest.length > rememberedAnswers) latest.shift();
      if (latest.filter((was) => was).length > mostRefused) {
        change(Math.max(limit / 2, Math.min(1, usual / longestInterval)), now);
      } else if (latest.length >= (limit < 1 ? slowly : rememberedAnswers) && limit < most) {
        change(limit < 1 ? Math.min(1, limit * growth) : Math.min(most, Math.floor(limit) + 1), now);
      }
    },
  };
}

/** Refusals without an answer between them. Where they go on for seconds, that was an outage: nothing was too much. */
function createOutageWatch() {
  let inARow = 0;
  let since = 0;
  return {
    /** Whether an outage ends with this answer. */
    isOverAfter(refused: boolean, now: number): boolean {
      const isOver = !refused && inARow > mostRefused && now - since > longestInterval * 2;
      if (inARow === 0) since = now;
      inARow = refused ? inARow + 1 : 0;
      return isOver;
    },
  };
}
