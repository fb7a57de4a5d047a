import { splitAtModel } from '../../cell/cell-key.js';
import { isJudged } from '../../cell/verdict.js';
import { groupBy } from '../../json/group-by.js';
import type { ReportCell, ReportUnmeasured } from '../report-format.js';
import { isLasting, metOnlyFaults } from '../unmeasured/unmeasured-groups.js';
import type { LostModel } from './lost-models.js';

/** Cells of one model that passed in the base, and that the head asked but could not measure, though it measured others. */
export interface UnmeasuredCells {
  /** What their requests share and no answered one has: `stream: true`; null: nothing that is known. */
  readonly shared: string | null;
  /** Of the first cell. */
  readonly capability: string;
  /** As the diff names them. */
  readonly cells: readonly string[];
  /** How their requests ended; null: a report of an older version, or answers that chatspec could not judge. */
  readonly answers: Pick<ReportUnmeasured, 'shared' | 'requests' | 'kinds' | 'others'> | null;
  readonly detail: string | null;
  /** Nothing is known in the head of what they share, or of their capability: that could not be compared. */
  readonly whole: boolean;
}

/** What is read of a side: under the names that both share. */
interface Side {
  readonly cells: ReadonlyMap<string, ReportCell>;
  readonly unmeasured: ReadonlyMap<string, ReportUnmeasured>;
}

/** @param models of which nothing could be compared, which says it of their cells */
export function unmeasuredCellsOf(base: Side, head: Side, models: readonly LostModel[]): UnmeasuredCells[] {
  const lost = new Set(models.map(({ model }) => model));
  const missed = [...base.cells].flatMap(([name, before]) => {
    const now = head.cells.get(name);
    const isMissed = isJudged(before) && before.trials.passed > 0 && now !== undefined && metOnlyFaults(now);
    // Where two models are compared, cells have no model in their names.
    const isOfLost = lost.has(modelOf(name)) || (modelOf(name) === '' && lost.size > 0);
    return isMissed && !isOfLost ? [{ name, now, group: head.unmeasured.get(name) ?? null }] : [];
  });
  const together = groupBy(missed, ({ name, now, group }) => {
    const shared = group !== null && isLasting(group) ? group.shared : null;
    return JSON.stringify([modelOf(name), shared, shared === null ? now.capability : null]);
  });
  return [...together.values()].flatMap((all): UnmeasuredCells[] => {
    const [first] = all;
    if (first === undefined) return [];
    const { now, group } = first;
    const lasts = group !== null && isLasting(group);
    return [
      {
        ...{ shared: lasts ? group.shared : null, capability: now.capability, cells: all.map(({ name }) => name) },
        answers: group && { shared: group.shared, requests: group.requests, kinds: group.kinds, others: group.others },
        ...{ detail: now.detail, whole: lasts || isWhole(first.name, all.length, head) },
      },
    ];
  });
}

const modelOf = (name: string): string => splitAtModel(name).model ?? '';

/** Several cells of a capability passed in the base, and the head measured none of them. */
function isWhole(name: string, amount: number, { cells }: Side): boolean {
  const capability = cells.get(name)?.capability;
  const own = [...cells].filter(([one, cell]) => modelOf(one) === modelOf(name) && cell.capability === capability);
  return amount > 1 && !own.some(([, cell]) => isJudged(cell));
}
