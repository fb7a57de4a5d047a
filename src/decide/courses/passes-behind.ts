import { knowledgeOf } from '../../baseline/knowledge.js';
import { hasRate, type Ticket } from '../../plan/ticket.js';

/**
 * From how many trials a baseline knows well that a cell passes, so that it may have been lucky in them; null where it
 * knows the cell from few trials, where somebody vouches for it because the line states none, and for thresholds and
 * enforcement, which are compared by rules of their own.
 */
export function passesBehind({ course, expected }: Ticket): number | null {
  if (!hasRate({ course }) || expected.kind !== 'pass' || knowledgeOf(expected) !== null) return null;
  return expected.trials ?? null;
}
