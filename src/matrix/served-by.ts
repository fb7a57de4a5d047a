import { boundOver, evidenceOfTwoRates } from '../stats/evidence.js';
import { type Count, sumOf } from '../stats/count.js';
import type { Condition } from './conditions/find-condition.js';
import type { ModelBefore } from '../journal/event.js';

/** The members of an answer that say who gave it, and the header of a gateway that names the deployment. */
export const servedFields = ['model', 'system_fingerprint', 'provider', 'deployment'] as const;
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

/**
 * So many fingerprints of a model are kept. Some services send another one with every answer; those say nothing, and
 * must not fill the memory.
 */
export const mostFingerprints = 20;

/** Names or fingerprints of which none is left from the run before. */
export interface ServedChange {
  readonly field: 'model' | 'system_fingerprint';
  readonly before: readonly string[];
  readonly now: readonly string[];
}

/**
 * Names and fingerprints of which none is left from the run before. Services often alternate between a few, so that one
 * more or one less is no news; nor is a service that starts or stops to send them, or has another one for every answer.
 */
export function servedChanges(before: ModelBefore | undefined, now: ModelBefore): ServedChange[] {
  if (before === undefined) return [];
  const fields: readonly ServedChange[] = [
    { field: 'model', before: before.served, now: now.served },
    { field: 'system_fingerprint', before: before.fingerprints, now: now.fingerprints },
  ];
  const isVersioned = ({ field, ...names }: ServedChange): boolean =>
    field === 'model' || Math.max(names.before.length, names.now.length) < mostFingerprints;
  return fields
    .filter(isVersioned)
    .filter((one) => one.before.length > 0 && one.now.length > 0 && !one.now.some((name) => one.before.includes(name)));
}

/** Whose name the answers of a model carry, where it is another's or more than one. */
export interface AnsweredBy {
  readonly names: readonly { readonly name: string; readonly answers: number }[];
  /** Answers that carry a name. */
  readonly answers: number;
}

/**
 * @param counts answers by the name that they carry
 * @returns null: all carry the model's own name, or that of a version of it
 */
export function answeredByOthers(id: string, counts: Readonly<Record<string, number>>): AnsweredBy | null {
  const all = Object.entries(counts).sort(([, one], [, other]) => other - one);
  const others = all.length > 1 ? all.filter(([name]) => name !== id) : all.filter(([name]) => !isVersionOf(id, name));
  if (others.length === 0) return null;
  const answers = all.reduce((sum, [, count]) => sum + count, 0);
  return { names: others.map(([name, count]) => ({ name, answers: count })), answers };
}

/** "vendor/big" is answered by "big-2026-05-01". */
function isVersionOf(id: string, name: string): boolean {
  const [one, other] = [id, name].map((text) => (text.split('/').at(-1) ?? text).toLowerCase()) as [string, string];
  return one.startsWith(other) || other.startsWith(one);
}
