import { probeKeyOf } from '../../cell/cell-key.js';
import { groupBy } from '../../json/group-by.js';
import type { Cell, Plan, Reserve, PlannedCell } from '../plan.js';

/** The cells that a reserve is chosen from. */
interface ReserveSources {
  readonly planned: readonly Cell[];
  /** Every cell of the suites, planned or not. */
  readonly all: readonly Cell[];
  /** Points that `combine: each` left out and the filters let through. */
  readonly leftOut: readonly Cell[];
}

/**
 * The planned cells that a plan holds back: further points of a probe, to find out which labels its failures depend on
 * (`fill`), and the probes for the single keywords of a composite document (`split`). The latter, like needs, ignore
 * the filters.
 * @param pointOf the planned cell of a further point
 */
export function reserveOf(
  { planned, all, leftOut }: ReserveSources,
  plannedOf: (cell: Cell) => PlannedCell,
  pointOf: (cell: Cell) => PlannedCell,
): readonly Reserve[] {
  const keys = new Set(planned.map(({ key }) => key));
  const probes = new Set(planned.map(probeKeyOf));
  const points = leftOut.filter(
    (cell) => !keys.has(cell.key) && probes.has(probeKeyOf(cell)) && cell.needs.every((need) => keys.has(need)),
  );
  const held = points.map((cell): Reserve => ({
    planned: pointOf(cell),
    settles: { kind: 'condition', most: cell.probe.fill },
  }));
  const composites = planned.filter(({ probe, unmeetable }) => probe.split.length > 0 && unmeetable === null);
  // By model, or a plan of many models would take time in the square of their number.
  const ofModel = composites.length === 0 ? new Map<string, Cell[]>() : groupBy(all, ({ model }) => model.key);
  const parts = composites.flatMap((composite) =>
    splitCells(composite, ofModel.get(composite.model.key) ?? [])
      .filter(({ key, unmeetable }) => unmeetable === null && !keys.has(key))
      .map((cell): Reserve => ({ planned: plannedOf(cell), settles: { kind: 'composite', cell: composite.key } })),
  );
  return [...held, ...parts];
}

/** The cells of the single keywords, among those of the same model, through the same channel. */
function splitCells({ probe: { split }, point }: Cell, ofModel: readonly Cell[]): readonly Cell[] {
  const names = new Set(split.map(({ probe }) => probe));
  return ofModel.filter(
    ({ probe: { suite, name }, point: { channel } }) => channel === point['channel'] && names.has(`${suite}/${name}`),
  );
}

/** The planned cells of the plan, and after them those of its reserve that were asked. */
export function cellsAsked({ cells, reserve }: Plan, wasAsked: (key: string) => boolean): readonly PlannedCell[] {
  // Two composites may share a part.
  const further = new Map(reserve.map(({ planned }) => [planned.cell.key, planned]));
  return [...cells, ...[...further.values()].filter(({ cell }) => wasAsked(cell.key))];
}
