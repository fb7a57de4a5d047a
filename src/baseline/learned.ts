import type { Count } from '../stats/count.js';

/** What runs have learned of a cell since the baseline accepted it, the trials behind the baseline included. */
export interface Learned extends Count {
  /** Which line of the baseline these trials belong to. Once the cell is accepted anew, they are not counted any more. */
  readonly since: string;
  /**
   * Fresh trials of a drop that luck may explain, which are not counted above as long as it lasts: what is compared with a
   * rate is no part of it.
   */
  readonly held?: Count;
}

/** With the trials of a drop that is over. */
export function withHeld({ since, passed, total, held }: Learned): Learned {
  return { since, passed: passed + (held?.passed ?? 0), total: total + (held?.total ?? 0) };
}
