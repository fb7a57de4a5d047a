import type { Finding } from '../../decide/course.js';
import { probeKeyOf } from '../../cell/cell-key.js';
import type { Cell, Reserve, PlannedCell } from '../../plan/plan.js';
import { groupBy } from '../../json/group-by.js';

type FindingsByCell = ReadonlyMap<string, Finding>;

/** Further cells to ask a model, given its findings by cell key; none if no question is open. */
type FurtherCells = (model: string, findings: FindingsByCell) => readonly PlannedCell[];

/**
 * Chooses from the reserve of a plan: of each probe of which some points fail and others pass, one further point after
 * the other that has a label of a failing one, and the parts of every composite document that contradicts the baseline.
 * The choice depends on the findings alone, so that a run that is resumed or judged again asks the same.
 * @param cells the planned ones
 */
export function furtherCellsFrom(reserve: readonly Reserve[], cells: readonly Cell[]): FurtherCells {
  const byModel = groupBy(reserve, ({ planned }) => planned.cell.model.key);
  const byProbe = groupBy(cells, probeKeyOf);
  return (model, findings) => {
    const own = byModel.get(model) ?? [];
    const isOpen = ({ cell }: PlannedCell): boolean => !findings.has(cell.key);
    const parts = own.flatMap(({ planned, settles }) =>
      settles.kind === 'composite' && hasFailureInDoubt(findings.get(settles.cell), findings) ? [planned] : [],
    );
    const held = own.flatMap(({ planned, settles }) =>
      settles.kind === 'condition' ? [{ planned, most: settles.most }] : [],
    );
    const points = [...groupBy(held, ({ planned }) => probeKeyOf(planned.cell))].flatMap(([probe, ofProbe]) => {
      const open = ofProbe.filter(({ planned }) => isOpen(planned));
      if (ofProbe.length - open.length >= (ofProbe[0]?.most ?? 0)) return [];
      const isTelling = tellsWhatFails(byProbe.get(probe) ?? [], findings);
      return open.find(({ planned }) => isTelling(planned.cell))?.planned ?? [];
    });
    // Two composites may share a part.
    return [...new Map([...parts.filter(isOpen), ...points].map((planned) => [planned.cell.key, planned])).values()];
  };
}

/** Whether a point has a label that fails, where another label of its axis passes. */
function tellsWhatFails(cells: readonly Cell[], findings: FindingsByCell): (cell: Cell) => boolean {
  const labels = (verdict: Finding['verdict']): ReadonlySet<string> =>
    new Set(cells.flatMap(({ key, point }) => (findings.get(key)?.verdict === verdict ? pairsIn(point) : [])));
  const [good, bad] = [labels('pass'), labels('fail')];
  return ({ point }) => good.size > 0 && pairsIn(point).some((pair) => bad.has(pair) && !good.has(pair));
}

const pairsIn = (point: Cell['point']): string[] => Object.entries(point).map((pair) => pair.join('='));

/**
 * A failure that is not in the baseline: its parts must show which keyword changed; unless cells that ask
 * nothing of keywords have begun to fail in the same way.
 */
function hasFailureInDoubt(finding: Finding | undefined, findings: FindingsByCell): boolean {
  if (finding?.doubtOutcome !== 'confirmed' && finding?.doubtOutcome !== 'unsettled') return false;
  if (finding.verdict === 'pass' || finding.law === null) return false;
  return ![...findings.values()].some(
    (one) =>
      one.enforcement === null &&
      one.doubtOutcome === 'confirmed' &&
      one.trials.passed === 0 &&
      one.class === finding.class &&
      one.reason === finding.reason,
  );
}
