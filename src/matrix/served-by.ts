import { boundOver, evidenceOfTwoRates } from '../stats/evidence.js';
import { type Count, sumOf } from '../stats/count.js';
import type { Condition } from './conditions/find-condition.js';

/** The members of an answer that say who gave it. */
export const servedFields = ['model', 'system_fingerprint', 'provider'] as const;
export type ServedField = (typeof servedFields)[number];

/** By field and value: how many of the answers that were given so passed. */
export type ServedCounts = ReadonlyMap<ServedField, ReadonlyMap<string, Count>>;

/** The failures of a flaky cell follow who answered: each value of the field passes always, or never. */
export interface ServedBy {
  readonly field: ServedField;
  readonly values: readonly ({ readonly value: string } & Count)[];
}

/**
 * @returns null: the failures follow no field, or what follows it may be chance, by the law of evidence over its values
 */
export function servedBy(served: ServedCounts): ServedBy | null {
  for (const [field, counts] of served) {
    const all = [...counts.values()];
    const good = sumOf(all.filter(({ passed, total }) => passed === total));
    const bad = sumOf(all.filter(({ passed }) => passed === 0));
    if (good.total + bad.total < sumOf(all).total) continue;
    if (evidenceOfTwoRates(good, bad) < boundOver(all.length)) continue;
    return { field, values: [...counts].map(([value, { passed, total }]) => ({ value, passed, total })) };
  }
  return null;
}

/**
 * "only with system_fingerprint=fp_a": what the flaky cells of a capability have in common.
 * @param cells the flaky ones; null: the failures of this one follow nobody
 */
export function servedCondition(cells: readonly (ServedBy | null)[]): Condition | null {
  const [first] = cells;
  if (first === undefined || first === null || cells.some((one) => one?.field !== first.field)) return null;
  const values = cells.flatMap((one) => one?.values ?? []);
  const names = (isGood: boolean): string[] => [
    ...new Set(values.flatMap(({ value, passed }) => (passed > 0 === isGood ? [value] : []))),
  ];
  const [good, bad] = [names(true), names(false)];
  if (good.some((name) => bad.includes(name))) return null;
  const axis = first.field;
  if (good.length <= bad.length) return [{ kind: 'only', statement: { axis, labels: good } }];
  return [{ kind: 'not', statements: [{ axis, labels: bad }] }];
}
