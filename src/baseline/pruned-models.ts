import { splitAtModel } from '../cell/cell-key.js';
import type { Baseline } from './entries.js';

/** Entries of models that the config does not name. */
export interface UnnamedEntries {
  /** `TARGET/MODEL` */
  readonly models: readonly string[];
  /** By list: the names of the entries. */
  readonly entries: Readonly<Record<'covers' | 'wire' | 'expect' | 'thresholds', readonly string[]>>;
  readonly count: number;
}

/**
 * A pattern that leaves the model open names none.
 * @param isNamed whether the config names a model, by `TARGET/MODEL`
 */
export function unnamedEntries(baseline: Baseline, isNamed: (model: string) => boolean): UnnamedEntries {
  const models = new Set<string>();
  const isUnnamed = (model: string | null): boolean => {
    if (model === null || model.includes('*') || isNamed(model)) return false;
    models.add(model);
    return true;
  };
  const isOfUnnamed = (key: string): boolean => isUnnamed(splitAtModel(key).model);
  const { covers, wire = [], expect, thresholds = [] } = baseline;
  const entries = {
    covers: covers.map(({ cells }) => cells).filter(isOfUnnamed),
    wire: wire.map(({ model }) => model).filter(isUnnamed),
    expect: expect.map(({ key }) => key).filter(isOfUnnamed),
    thresholds: thresholds.map(({ key }) => key).filter(isOfUnnamed),
  };
  const count = Object.values(entries).reduce((sum, names) => sum + names.length, 0);
  return { models: [...models].sort(), entries, count };
}
