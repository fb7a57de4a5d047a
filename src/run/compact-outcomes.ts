import type { Outcome } from '../judge/outcome.js';

/**
 * What a course keeps of the outcomes of its trials: no reply, no value and nothing of the wire, and equal outcomes as one
 * object, so that a cell with thousands of trials needs little more memory than one with ten, and answers of megabytes are
 * let go.
 * @param readsReplies the course looks at replies and violations (as `enforce` does): it keeps what the judge has told of
 * them, and an outcome that tells nothing whole
 */
export function compactOutcomes(readsReplies: boolean): (outcome: Outcome) => Outcome {
  const known = new Map<string, Outcome>();
  return (outcome) => {
    if (readsReplies && !outcome.fault && outcome.compared === undefined) return outcome;
    const violations = readsReplies ? outcome.violations : [];
    const text = JSON.stringify({ ...outcome, wire: [], reply: null, violations, value: undefined });
    const seen = known.get(text);
    if (seen !== undefined) return seen;
    // Parsed again from its text, since a slice of a string keeps the whole reply in memory that it was cut from.
    const copy: Outcome = { value: undefined, ...(JSON.parse(text) as Omit<Outcome, 'value'>) };
    if (known.size < mostKnown) known.set(text, copy);
    return copy;
  };
}

/** Different outcomes of a cell that are remembered; details may differ from trial to trial. */
const mostKnown = 50;
