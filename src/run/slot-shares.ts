import type { Clock } from './clock.js';

/** Requests beyond its share that a model may have in flight for each answer since the oldest of them began. */
const beyondPerAnswer = 2;

/** The use that a model has made of the slots of its account. */
interface SlotUse {
  /** Requests in flight, the oldest first: when each began, and how many had ended by then. */
  readonly inFlight: Set<{ readonly at: number; readonly endedBefore: number }>;
  ended: number;
  /** Of the newest that ended: until when it held its slot, and how many milliseconds. */
  heldUntil: number;
  heldFor: number;
}

interface SlotUser {
  /** An answer came to its newest request, whatever it says. */
  readonly isAnswering: () => boolean;
  readonly waiting: readonly unknown[];
}

/**
 * How the models of an account share its slots, so that one that answers slowly or not at all holds up no other. Each
 * that has something to ask has an equal share. Beyond it goes only a model that is being answered. Where there are
 * more models than slots, one whose request was not answered rests after it for as long as its share of time was
 * overdrawn.
 * @param slots of the account, now
 */
export function createSlotShares<User extends SlotUser>(slots: () => number, clock: Clock) {
  const uses = new Map<User, SlotUse>();
  const useOf = (user: User): SlotUse => {
    const known = uses.get(user) ?? { inFlight: new Set(), ended: 0, heldUntil: 0, heldFor: 0 };
    uses.set(user, known);
    return known;
  };
  const shareOf = (asking: number): number => Math.max(1, Math.ceil(slots() / asking));

  return {
    /**
     * The number of models that have something to ask: the others below get it, since to count takes as long as to
     * choose.
     */
    asking(): number {
      let count = 0;
      for (const [user, { inFlight }] of uses) {
        if (user.waiting.length > 0 || inFlight.size > 0) count += 1;
      }
      return count;
    },
    add: (user: User): void => void useOf(user),
    /** Call the function that it returns when the request has ended. */
    began(user: User): () => void {
      const use = useOf(user);
      const request = { at: clock.now(), endedBefore: use.ended };
      use.inFlight.add(request);
      return () => {
        use.inFlight.delete(request);
        use.ended += 1;
        use.heldUntil = clock.now();
        use.heldFor = use.heldUntil - request.at;
      };
    },
    /** Whether the next request of a model would be beyond its share. */
    isBeyond: (user: User, asking: number): boolean => useOf(user).inFlight.size >= shareOf(asking),
    /** The time from which a model that is not being answered may ask again, in milliseconds since the epoch. */
    restedAt(user: User, asking: number): number {
      if (user.isAnswering()) return -Infinity;
      const { heldUntil, heldFor } = useOf(user);
      return heldUntil + heldFor * Math.max(0, asking / slots() - 1);
    },
    /** Whether a model is answered well enough to go beyond its share. */
    mayGoBeyond(user: User, asking: number): boolean {
      const { inFlight, ended } = useOf(user);
      const [oldest] = inFlight;
      if (oldest === undefined) return true;
      const extra = inFlight.size - shareOf(asking);
      return user.isAnswering() && extra < beyondPerAnswer * (ended - oldest.endedBefore);
    },
  };
}
