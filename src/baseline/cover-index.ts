import { cellKey, splitAtModel, withoutPoint } from '../cell/cell-key.js';
import { compilePattern } from '../cell/cell-pattern.js';
import { groupBy } from '../json/group-by.js';
import type { Cover } from './entries.js';

/**
 * From how many trials a cell is known; null: covered, but not stated; undefined: not covered.
 * @param itself the line of its probe, which an accepted run writes, does not count: the cell is asked only in some runs
 */
export type CoverIndex = (key: string, itself?: boolean) => number | null | undefined;

/** Finds the entries of `covers` that match a cell, among those of its model. The largest number counts: each is a lower bound. */
export function indexCovers(covers: readonly Cover[]): CoverIndex {
  const all = covers.map(({ cells, trials }) => ({
    ...{ cells, trials, test: compilePattern(cells) },
    model: splitAtModel(cells).model ?? '*',
  }));
  const open = all.filter(({ model }) => model.includes('*'));
  const byModel = groupBy(all, ({ model }) => model);
  return (key, itself = false) => {
    const { head, model } = splitAtModel(key);
    const line = cellKey(withoutPoint(head), [], model ?? '');
    const known = [...open, ...(byModel.get(model ?? '') ?? [])]
      .filter(({ cells, test }) => !(itself && cells === line && line !== key) && test(key))
      .map(({ trials }) => trials);
    if (known.length === 0) return undefined;
    return known.reduce((one, other) => (one === null || other === null ? null : Math.max(one, other)));
  };
}
