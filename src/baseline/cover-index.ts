import { cellKey, splitAtModel, withoutPoint } from '../cell/cell-key.js';
import { compilePattern, type PatternTest } from '../cell/cell-pattern.js';
import { groupBy } from '../json/group-by.js';
import type { Cover } from './entries.js';

/**
 * From how many trials a cell is known; null: covered, but not stated; undefined: not covered.
 * @param itself the line of its probe, which an accepted run writes, does not count: the cell is asked only in some runs
 */
export type CoverIndex = (key: string, itself?: boolean) => number | null | undefined;

interface Compiled {
  readonly test: PatternTest;
  readonly trials: number | null;
}

/**
 * Finds the entries of `covers` that match a cell. A baseline of many models has thousands of them, nearly all without a
 * star, so only those with one are tried in turn, and of these only the ones that name the cell's model or probe. The
 * largest number counts, since each is a lower bound.
 */
export function indexCovers(covers: readonly Cover[]): CoverIndex {
  const literal = new Map<string, number | null>();
  const patterns: { head: string; model: string; compiled: Compiled }[] = [];
  for (const { cells, trials } of covers) {
    const { head, model } = splitAtModel(cells);
    if (model !== null && !cells.includes('*')) literal.set(cells, better(literal.get(cells), trials));
    else patterns.push({ head, model: model ?? '*', compiled: { test: compilePattern(cells), trials } });
  }
  const [openModel, namedModel] = split(patterns, ({ model }) => model.includes('*'));
  const [openBoth, namedHead] = split(openModel, ({ head }) => head.includes('*'));
  const byModel = groupBy(namedModel, ({ model }) => model);
  const byHead = groupBy(namedHead, ({ head }) => head);

  return (key, itself = false) => {
    const { head, model } = splitAtModel(key);
    const path = withoutPoint(head);
    const ofProbe = model === null || itself ? undefined : literal.get(cellKey(path, [], model));
    let found = better(literal.get(key), ofProbe);
    const candidates = [
      ...openBoth,
      ...(byModel.get(model ?? '') ?? []),
      ...(byHead.get(head) ?? []),
      ...(path === head ? [] : (byHead.get(path) ?? [])),
    ];
    for (const { compiled } of candidates) if (compiled.test(key)) found = better(found, compiled.trials);
    return found;
  };
}

function better(one: number | null | undefined, other: number | null): number | null;
function better(one: number | null | undefined, other: number | null | undefined): number | null | undefined;
function better(one: number | null | undefined, other: number | null | undefined): number | null | undefined {
  if (one === undefined) return other;
  if (other === undefined) return one;
  return one === null || other === null ? null : Math.max(one, other);
}

function split<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
