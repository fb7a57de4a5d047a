import { isJudged, type Verdict } from '../../cell/verdict.js';
import { withoutModel } from '../../cell/cell-key.js';
import { groupBy } from '../../json/group-by.js';
import type { ReportCell } from '../report-format.js';
import { cellsIn, type SwapSide } from './swap-side.js';

/** Cells of a capability that at least one side did not measure. Nothing follows from them. */
export interface Uncompared {
  readonly capability: string;
  /** Which side did measure them. */
  readonly measured: 'base' | 'head' | 'neither';
  /** Without their model. */
  readonly cells: readonly string[];
  /** What became of them where they were not measured. */
  readonly why: readonly ('inconclusive' | 'blocked' | 'not_run' | 'not_asked')[];
}

interface Missing extends Pick<Uncompared, 'capability' | 'measured' | 'why'> {
  readonly cell: string;
}

export function uncomparedOf(base: SwapSide, head: SwapSide): Uncompared[] {
  const byName = (side: SwapSide) => new Map(cellsIn(side).map((cell) => [withoutModel(cell.key), cell]));
  const [before, after] = [byName(base), byName(head)];
  const missing = [...new Set([...before.keys(), ...after.keys()])].flatMap((cell): Missing[] => {
    const [was, is] = [before.get(cell), after.get(cell)];
    const why = [was, is].flatMap((one) => whyMissing(one) ?? []);
    const { capability = '' } = is ?? was ?? {};
    if (why.length === 0) return [];
    const measured = why.length === 2 ? 'neither' : whyMissing(was) === null ? 'base' : 'head';
    return [{ capability, measured, why, cell }];
  });
  return [...groupBy(missing, ({ capability, measured }) => `${capability}\n${measured}`).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { capability, measured } = first;
    const why = [...new Set(group.flatMap((one) => one.why))];
    return [{ capability, measured, cells: group.map(({ cell }) => cell), why }];
  });
}

/** null: it was measured. */
function whyMissing(cell: ReportCell | undefined): Uncompared['why'][number] | null {
  if (cell === undefined) return 'not_asked';
  if (isJudged(cell)) return null;
  return cell.verdict as Exclude<Verdict, 'pass' | 'fail' | 'flaky'>;
}
