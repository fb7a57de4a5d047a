import { familyOf } from '../../matrix/capability-families.js';
import { cellsByKey } from '../../matrix/cells-by-key.js';
import { groupBy } from '../../json/group-by.js';
import type { Report, ReportCapability, ReportModel } from '../../matrix/report-format.js';
import type { ShownVerdict } from './phrases.js';

/** Capabilities by models, as every renderer shows them. */
export interface MatrixView {
  readonly models: readonly ReportModel[];
  readonly rows: readonly MatrixRow[];
}

export interface MatrixRow {
  readonly capability: string;
  /** One for each model, in the order of the models; undefined if nothing was planned for it. */
  readonly marks: readonly (Mark | undefined)[];
}

/** A capability of one model. If nothing was asked, the verdict says so, not that it could not be measured. */
export interface Mark extends Omit<ReportCapability, 'verdict'> {
  readonly verdict: ShownVerdict;
}

export function matrixView({ models, capabilities, cells, families = [] }: Report): MatrixView {
  const byKey = cellsByKey(cells);
  const withVerdict = (mark: ReportCapability): Mark => {
    const seen = new Set(mark.cells.map((key) => byKey.get(key)?.verdict));
    const [only] = seen;
    const unasked = seen.size === 1 && (only === 'not_run' || only === 'blocked') ? only : null;
    return { ...mark, verdict: unasked ?? mark.verdict };
  };
  const rows = [...groupBy(capabilities, ({ capability }) => capability)].map(([capability, group]) => {
    const ofModel = new Map(group.map((mark) => [mark.model, mark]));
    const marks = models.map(({ id }) => {
      const mark = ofModel.get(id);
      return mark && withVerdict(mark);
    });
    return { capability, marks };
  });
  // A family that is not listed comes after the others, and rows of one family stay as they came.
  const positions = new Map(families.map((family, index) => [family, index]));
  const position = ({ capability }: MatrixRow): number => positions.get(familyOf(capability)) ?? families.length;
  return { models, rows: rows.toSorted((a, b) => position(a) - position(b)) };
}

/** The shortest names that tell the models apart: without the target if all share one. */
export function shortNames(models: readonly ReportModel[]): ReadonlyMap<string, string> {
  const oneTarget = new Set(models.map(({ target }) => target)).size <= 1;
  return new Map(models.map(({ id, model }) => [id, oneTarget ? model : id]));
}
