import type { Report, ReportCapability, ReportCell } from '../matrix/report-format.js';
import { whatFailed } from '../report/view/phrases.js';
import { capabilitiesUsed } from './capabilities-used.js';
import type { ShapeChange } from './compare-shapes.js';

/** Something that is sent now and was not before, and that a model cannot do as far as the last verified run knows. */
export interface Unsupported {
  readonly capability: string;
  /** `TARGET/MODEL` */
  readonly model: string;
  /** `answers that with http_error 500, tool_choice_unsupported`; `does that only with max_tokens >= 2048` */
  readonly says: string;
}

/** What a change newly asks of the models of a run and they cannot do, or only sometimes or on a condition. */
export function unsupportedBy(change: ShapeChange, report: Report): readonly Unsupported[] {
  if (change.kind !== 'changed' && change.kind !== 'appeared') return [];
  const before: ReadonlySet<string> = change.kind === 'changed' ? capabilitiesUsed(change.before) : new Set();
  const fresh = new Set([...capabilitiesUsed(change.after)].filter((capability) => !before.has(capability)));
  const cells = new Map(report.cells.map((cell) => [cell.key, cell]));
  return report.capabilities
    .filter(({ capability, verdict }) => fresh.has(capability) && verdict !== 'pass' && verdict !== 'inconclusive')
    .map((one) => ({ capability: one.capability, model: one.model, says: says(one, cells) }));
}

function says(one: ReportCapability, cells: ReadonlyMap<string, ReportCell>): string {
  const failing = one.cells
    .flatMap((key) => cells.get(key) ?? [])
    .find(({ verdict }) => verdict === 'fail' || verdict === 'flaky');
  const failed = failing === undefined ? '' : whatFailed(failing);
  switch (one.verdict) {
    case 'partial':
      return one.condition === null ? `does that in part (${failed})` : `does that on a condition: ${one.condition}`;
    case 'flaky':
      return `does that only sometimes${failed === '' ? '' : ` (${failed})`}`;
    default:
      return failing?.class === 'http_error'
        ? `answers that with ${failed}`
        : `cannot do that${failed === '' ? '' : `: ${failed}`}`;
  }
}
