import { nearest } from '../files/problems/nearest.js';
import type { Problem } from '../files/problems/problem.js';
import { problemAt } from '../files/problems/problem-at.js';
import { parseYaml } from '../files/yaml/read-yaml.js';
import type { Baseline } from './entries.js';

/** A removed model leaves many entries, which need not all be named. */
const mostNamed = 5;

/**
 * Warnings for entries whose key is not a cell of the current plan: it is misspelt and has no effect, or the cell no
 * longer exists.
 * @param keys of every cell that may be asked
 */
export function staleEntries(baseline: Baseline, keys: ReadonlySet<string>): readonly Problem[] {
  const { text = '', file, expect } = baseline;
  const stale = expect.flatMap(({ key }, index) => (keys.has(key) ? [] : [{ key, index }]));
  if (stale.length === 0) return [];
  const source = parseYaml(text, file);
  return stale.slice(0, mostNamed).map(({ key, index }, position): Problem => {
    const meant = nearest(key, keys);
    const further = position === mostNamed - 1 && stale.length > mostNamed ? stale.length - mostNamed : 0;
    const message = `${key}: no such cell in the current suites and models${further > 0 ? `, as for ${further} more ${further === 1 ? 'entry' : 'entries'}` : ''}`;
    const hint = meant === null ? 'remove the entry if the cell is gone for good' : `did you mean "${meant}"?`;
    return problemAt(source, ['expect', index, 'key'], message, hint, { severity: 'warning' });
  });
}
