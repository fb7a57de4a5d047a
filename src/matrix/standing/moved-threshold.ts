import type { Finding } from '../../decide/course.js';
import type { Ticket } from '../../plan/ticket.js';

/** A cell that passes, but not from the value on that the baseline stores, with the trials that show it. */
export interface MovedThreshold {
  readonly suspicion: 'regression' | 'improvement';
  readonly passed: number;
  readonly total: number;
}

/** For runs without fresh samples: in the others the course itself looks into what a stored threshold shows. */
export function movedThreshold({ expected }: Ticket, { threshold }: Finding): MovedThreshold | null {
  const stored = expected.kind === 'pass' ? expected.threshold : null;
  const value = threshold?.value ?? null;
  if (threshold === null || stored === null || value === null || value === stored) return null;
  const there = threshold.curve.find(([x]) => x === stored);
  // Outside of what the search may ask now, the stored value is no expectation.
  if (there === undefined) return null;
  if (value > stored) return { suspicion: 'regression', passed: there[1], total: there[2] };
  const below = threshold.curve.findLast(([x]) => x < stored);
  return below ? { suspicion: 'improvement', passed: below[1], total: below[2] } : null;
}
