import { nearest } from '../files/problems/nearest.js';
import type { Problem } from '../files/problems/problem.js';
import { problemAt } from '../files/problems/problem-at.js';
import { parseYaml } from '../files/yaml/read-yaml.js';
import type { Baseline } from './entries.js';

/** Entries of a model that is gone are many, and all of a kind. */
const mostNamed = 5;

/**
 * Warnings for entries whose key is no cell of today's plan: misspelt, they never count; of cells that are gone, they
 * are in the way of a reader.
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
    const message = `${key} is no cell of the suites and models of today${further > 0 ? `, nor are ${further} more` : ''}`;
    const hint = meant === null ? 'remove the entry when the cell is gone for good' : `did you mean "${meant}"?`;
    return problemAt(source, ['expect', index, 'key'], message, hint, { severity: 'warning' });
  });
}
