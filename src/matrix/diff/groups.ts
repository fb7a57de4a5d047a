import { groupBy } from '../../json/group-by.js';
import { familyOf } from '../capability-families.js';
import { modelOf, type Pair } from './pair.js';

/** Cells of one model that belong together and may have changed together. */
export interface Group {
  /** What they have in common: a capability, a probe, a setting, a family of capabilities, a suite, or just the model. */
  readonly name: string;
  readonly model: string;
  readonly pairs: readonly Pair[];
}

/** Of cells that belong together: those of each model, each set of cells once, under the narrowest name. */
export function groupsOf(pairs: readonly Pair[]): readonly Group[] {
  const levels: readonly ((pair: Pair) => readonly string[])[] = [
    ({ head }) => [head.capability],
    ({ head }) => [`${head.suite}/${head.probe}`],
    settingsOf,
    ({ head }) => [familyOf(head.capability)],
    ({ head }) => [head.suite],
    () => ['everything'],
  ];
  const groups = levels.flatMap((namesOf) => groupedBy(pairs, namesOf));
  const bySet = groupBy(groups, (group) => group.pairs.map(({ name }) => name).join('\n'));
  return [...bySet.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
}

/** The capabilities of each model that several cells show. */
export function capabilityGroups(pairs: readonly Pair[]): readonly Group[] {
  return groupedBy(pairs, ({ head }) => [head.capability]);
}

function groupedBy(pairs: readonly Pair[], namesOf: (pair: Pair) => readonly string[]): Group[] {
  const named = pairs.flatMap((pair) => namesOf(pair).map((name) => ({ name, pair, model: modelOf(pair) })));
  return [...groupBy(named, ({ name, model }) => JSON.stringify([name, model])).values()].flatMap((group): Group[] => {
    const [first] = group;
    if (first === undefined || group.length < 2) return [];
    return [{ name: first.name, model: first.model, pairs: group.map(({ pair }) => pair) }];
  });
}

/** A probe that is only about one setting has no axis for it: its capability says which it is. */
function settingsOf({ head: { point, capability } }: Pair): readonly string[] {
  const labels = Object.entries(point).map(([axis, label]) => `${axis}=${label}`);
  return [...new Set([...labels, capability.replace('.', '=')])];
}
