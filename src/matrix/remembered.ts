import type { CellMemory, WayCounts } from '../baseline/entries.js';
import { nameOfLine } from '../baseline/expected.js';
import { knownWay } from '../baseline/ways-of-failing.js';
import type { RecordedMemory, PreviousRun } from '../journal/event.js';
import { sumOf } from '../stats/count.js';
import type { Report, ReportCell, ReportDoubtRun, ReportModel } from './report-format.js';

/** Whether anything is known of a model; what is known of one that did not answer stays as it was. */
function hasAnswered({ served, fingerprints = [] }: Pick<ReportModel, 'served' | 'fingerprints'>): boolean {
  return served.length + fingerprints.length > 0;
}

/**
 * Knowledge of cells and models that this run did not ask or could not judge: filters must not lose it.
 */
export function rememberedBy(
  previous: PreviousRun | null,
  { models, cells, isPartial }: Pick<Report, 'models' | 'cells'> & { readonly isPartial: boolean },
): Pick<Report, 'remembered'> {
  if (previous === null) return {};
  const judged = new Set(cells.filter((cell) => memoryOfCell(cell) !== null).map(({ key }) => key));
  const answered = new Set(models.filter(hasAnswered).map(({ id }) => id));
  const added = new Set(isPartial ? [] : answered);
  const left = {
    cells: [...previous.cells].filter(([key]) => !judged.has(key)),
    models: [...previous.models].filter(([id]) => !answered.has(id)),
    shared: [...previous.shared].filter(([id]) => !added.has(id)),
  };
  if (left.cells.length + left.models.length + left.shared.length === 0) return {};
  return {
    remembered: {
      cells: Object.fromEntries(left.cells),
      models: Object.fromEntries(left.models),
      shared: Object.fromEntries(left.shared),
    },
  };
}

/** Knowledge that a run leaves to the next. */
export function memoryOf({
  cells,
  models,
  remembered,
}: Pick<Report, 'cells' | 'models' | 'remembered'>): RecordedMemory {
  return {
    cells: {
      ...remembered?.cells,
      ...Object.fromEntries(cells.map((cell) => [cell.key, memoryOfCell(cell)] as const).filter(isThere)),
    },
    models: {
      ...remembered?.models,
      ...Object.fromEntries(
        models.filter(hasAnswered).map(({ id, served, fingerprints = [] }) => [id, { served, fingerprints }]),
      ),
    },
    shared: {
      ...remembered?.shared,
      ...Object.fromEntries(models.flatMap(({ id, shared_failures: found }) => (found ? [[id, found] as const] : []))),
    },
  };
}

const isThere = (one: readonly [string, CellMemory | null]): one is readonly [string, CellMemory] => one[1] !== null;

/** null: nothing was learned of it. A threshold that fell was looked for at another value than the known one. */
function memoryOfCell({ expected, evidence, standing }: ReportCell): CellMemory | null {
  if (expected === null || evidence === null) return null;
  if (standing === 'improvement' && expected.verdict === 'pass') return null;
  const { known, ways, doubt, weighed_again: again = [], alarmed, unreliable } = evidence;
  const earlier = sumOf(again);
  const [passed, total] = [known[0] - earlier.passed, known[1] - earlier.total];
  const waysBefore = withoutRuns(ways ?? {}, again);
  return {
    since: nameOfLine(expected),
    known: Object.keys(waysBefore).length === 0 ? { passed, total } : { passed, total, ways: waysBefore },
    doubt: [...again, ...doubt],
    ...(alarmed === true && { alarmed }),
    ...(unreliable === true && { unreliable }),
  };
}

function withoutRuns(ways: WayCounts, runs: readonly ReportDoubtRun[]): WayCounts {
  const left: Record<string, number> = { ...ways };
  for (const [way, count] of runs.flatMap((run) => Object.entries(run.ways ?? {}))) {
    const name = knownWay(left, way);
    left[name] = (left[name] ?? 0) - count;
  }
  return Object.fromEntries(Object.entries(left).filter(([, count]) => count > 0));
}
