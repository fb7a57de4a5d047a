import { splitAtModel } from '../cell/cell-key.js';
import { compilePattern } from '../cell/cell-pattern.js';
import type { AcceptedRun } from './accepted-run.js';

/**
 * Whether the filters of a run let all points of a probe through, by its line in `covers`. Other points of it may exist
 * that the run did not ask, and of which nobody has learned anything.
 */
export function wholeProbes({ last_failed: lastFailed, filters = {} }: AcceptedRun['run']): (line: string) => boolean {
  if (lastFailed !== undefined) return () => false;
  const [only, skip] = [patternsIn(filters['only']), patternsIn(filters['skip'])];
  const chosen = only.map(compilePattern);
  const starts = skip.map(literalStart);
  return (line) => {
    const { head } = splitAtModel(line);
    const isCut = starts.some((start) => head.startsWith(start) || start.startsWith(head));
    return !isCut && (chosen.length === 0 || chosen.some((matches) => matches(line)));
  };
}

const patternsIn = (given: string | readonly string[] | undefined): readonly string[] => [given ?? []].flat();

/** What every key that the pattern matches begins with. */
const literalStart = (pattern: string): string => splitAtModel(pattern).head.replace(/\*.*$/s, '');
