import { withHeld } from '../baseline/learned.js';
import { splitAtModel } from '../cell/cell-key.js';
import type { PreviousRun } from '../journal/previous-run.js';
import type { Report, ReportModel } from './report-format.js';

/** What the answers of a model show of it. */
interface Shown extends Pick<ReportModel, 'served' | 'fingerprints'> {
  readonly counted_requests?: readonly unknown[];
}

/** Whether anything is known of a model; what is known of one that did not answer stays as it was. */
export function hasAnswered({ served, fingerprints = [], counted_requests: counted = [] }: Shown): boolean {
  return served.length + fingerprints.length + counted.length > 0;
}

/** What earlier runs learned of cells and models that this run did not ask: filters must not lose it. */
export function rememberedBy(
  previous: PreviousRun | null,
  models: Report['models'],
  cells: Report['cells'],
): Pick<Report, 'remembered'> {
  if (previous === null) return {};
  // A model that did not answer in one run must not lose the names it had before.
  const answered = models.filter(hasAnswered);
  const [inCells, inModels] = [new Set(cells.map(({ key }) => key)), new Set(answered.map(({ id }) => id))];
  const asked = new Set(models.map(({ id }) => id));
  const shared = [...(previous.shared ?? [])].filter(([id]) => !asked.has(id));
  const doubted = new Set([
    ...shared.map(([id]) => id),
    ...models.flatMap(({ id, shared_failures: found = [] }) => (found.length > 0 ? [id] : [])),
  ]);
  const isInDoubt = (key: string): boolean => doubted.has(splitAtModel(key).model ?? '');
  const left = {
    cells: [...previous.learned].flatMap(([key, known]) =>
      inCells.has(key) ? [] : [[key, isInDoubt(key) ? known : withHeld(known)] as const],
    ),
    models: [...previous.models].filter(([id]) => !inModels.has(id)),
  };
  if (left.cells.length === 0 && left.models.length === 0 && shared.length === 0) return {};
  return {
    remembered: {
      ...{ cells: Object.fromEntries(left.cells), models: Object.fromEntries(left.models) },
      ...(shared.length > 0 && { shared: Object.fromEntries(shared) }),
    },
  };
}
