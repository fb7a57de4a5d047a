import { unnamedEntries } from '../baseline/pruned-models.js';
import { idOfTarget } from '../cell/model-names.js';
import { chosenIds, ModelsNotListed } from '../plan/listed-models.js';
import type { TargetConfig } from '../config/config.js';
import type { Problem } from '../files/problems/problem.js';
import type { Baseline } from '../baseline/entries.js';
import type { Environment } from '../config/key-variables.js';
import { connect } from './connect.js';

/** The ids to test, by target, and what is doubtful about them. */
interface AskedLists {
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly warnings: readonly Problem[];
}

/**
 * Asks the services of the targets whose models they list themselves. Where a service gives no list, the models of the
 * baseline stand for it. Throws a {@link UserError} for missing keys, and {@link ModelsNotListed}.
 */
export async function askListed(
  all: readonly TargetConfig[],
  baseline: Baseline | null,
  env: Environment,
): Promise<AskedLists> {
  const targets = all.filter(({ listed }) => listed);
  const connections = await connect(targets, env, { seed: 1 });
  const warnings: Problem[] = [];
  const inBaseline = baseline === null ? [] : unnamedEntries(baseline, () => false).models;
  try {
    const entries = await Promise.all(
      targets.map(async (target): Promise<[string, readonly string[]]> => {
        const { name, listed, place } = target;
        const answer = await connections.modelsOf(name);
        const known = inBaseline.flatMap((key) => idOfTarget(name, key) ?? []);
        const { ids, left } = chosenIds(listed ?? { patterns: [], atMost: null }, answer.ids ?? [], known);
        const doubt = answer.ids === null ? `gives no list of models (${answer.why})` : 'lists none that fits';
        if (ids.length === 0) throw new ModelsNotListed(name, doubt);
        const instead = `the /models of target "${name}" ${doubt}; the ${ids.length} models of the baseline are asked`;
        if (answer.ids === null) warnings.push({ severity: 'warning', place, message: instead });
        const cut = `target "${name}" lists ${left} more models that fit than at_most allows`;
        if (left > 0) warnings.push({ severity: 'warning', place, message: cut });
        return [name, ids];
      }),
    );
    return { ids: new Map(entries), warnings };
  } finally {
    await connections.close();
  }
}

/** The ids that a run was made with, of the targets that list them themselves; null where there are none. */
export function listedIds(targets: readonly TargetConfig[]): Readonly<Record<string, readonly string[]>> | null {
  const all = targets
    .filter(({ listed }) => listed)
    .map(({ name, models }) => [name, models.map(({ id }) => id)] as const);
  return all.length === 0 ? null : Object.fromEntries(all);
}
