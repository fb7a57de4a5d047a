import type { Outcome } from '../judge/outcome.js';

/**
 * What a course keeps of the outcomes of its trials: no reply, no violations, and equal ones once, so that a cell with
 * thousands of trials needs little more memory than one with ten.
 * @param readsReplies the course reads them, their values and violations (that of `enforce` does, over few trials): all
 * is kept as it is
 */
export function leanOutcomes(readsReplies: boolean): (outcome: Outcome) => Outcome {
  if (readsReplies) return (outcome) => outcome;
  const known = new Map<string, Outcome>();
  return (outcome) => {
    const lean = { ...outcome, reply: null, violations: [], value: undefined };
    const text = JSON.stringify(lean);
    const seen = known.get(text);
    if (seen !== undefined) return seen;
    // Read back from its text, since a piece of a string keeps the whole reply in memory that it was cut from.
    const apart: Outcome = { value: undefined, ...(JSON.parse(text) as Omit<Outcome, 'value'>) };
    if (known.size < mostKnown) known.set(text, apart);
    return apart;
  };
}

/** Kinds of outcomes of a cell that are worth remembering; details may differ from trial to trial. */
const mostKnown = 50;
