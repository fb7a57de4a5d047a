import { groupBy } from '../../json/group-by.js';
import type { Report } from '../../matrix/report-format.js';
import { count } from './phrases.js';

interface UnmeasuredReason {
  readonly model: string;
  /** The first of the cells. */
  readonly key: string;
  /** "and 3 more cells"; empty: it is the only one. */
  readonly others: string;
  readonly why: string;
}

/**
 * Why cells could not be measured of which nothing else says it: not those of a model that was not reached, and none that
 * share forms of request that were never answered. Cells of a model for which the reason is the same share a line.
 */
export function unmeasuredReasons({ models, cells, unmeasured = [] }: Report): readonly UnmeasuredReason[] {
  const reached = new Set(models.filter(({ reachable }) => reachable).map(({ id }) => id));
  const told = new Set(unmeasured.flatMap((group) => group.cells));
  const open = cells.filter(
    ({ key, model, verdict }) => verdict === 'inconclusive' && reached.has(model) && !told.has(key),
  );
  const alike = groupBy(open, ({ model, class: outcome, detail }) => JSON.stringify([model, outcome, detail]));
  return [...alike.values()].flatMap(([first, ...more]) => {
    const why = first?.detail ?? first?.class ?? null;
    if (first === undefined || why === null) return [];
    const { model, key } = first;
    return [{ model, key, others: more.length === 0 ? '' : `and ${count(more.length, 'more cell')}`, why }];
  });
}
