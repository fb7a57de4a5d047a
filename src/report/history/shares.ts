import { isJudgement } from '../../cell/verdict.js';
import { type PastOf, speaksFor, type Strip } from './past.js';

/**
 * The share of these cells that passed in each run of the history, of those that it judged: 0 to 1, null where it judged
 * none. Only cells that today's run plans should be given, so that a longer suite does not look like a better model.
 */
export function sharesOf(past: PastOf, keys: readonly string[]): (number | null)[] {
  const strips = keys.map((key): Strip => past.cell(key).strip);
  return past.runs.map((run, index) => {
    if (!speaksFor(run, keys)) return null;
    const verdicts = strips.map((strip) => strip[index] ?? null);
    const judged = verdicts.filter(isJudgement);
    return judged.length === 0 ? null : judged.filter((verdict) => verdict === 'pass').length / judged.length;
  });
}
