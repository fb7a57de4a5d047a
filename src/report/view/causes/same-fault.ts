import { groupBy } from '../../../json/group-by.js';
import type { ReportCell } from '../../../matrix/report-format.js';
import type { Deviation } from '../../../matrix/standing/deviations.js';
import { faultOf } from './fault.js';

export type OfCell = Exclude<Deviation, { kind: 'gone' | 'wire' }>;

/** Deviations of one model that say the same. */
export interface SameFault {
  readonly alike: readonly OfCell[];
  /** What all of them say, without its place; empty: they do not say the same. */
  readonly kind: string;
}

/** A model with more kinds of the same class rather has one fault that shows in many ways, or a service that words it anew each time. */
const mostKinds = 3;

/** Divides cells of one model that changed alike by what their failures say. */
export function byFault(alike: readonly OfCell[]): readonly SameFault[] {
  const kinds = groupBy(alike, ({ cell }) => (cell.verdict === 'pass' ? '' : faultOf(cell).kind));
  if (kinds.size > mostKinds) return [{ alike, kind: '' }];
  return [...kinds].map(([kind, same]) => ({ alike: same, kind }));
}

/** The kind as a sentence has room for it; what a service says may be long, and stands in the detail of the example. */
export function kindInWords(kind: string, { class: outcome }: ReportCell): string {
  return outcome === 'schema_violation' || outcome === 'not_json' || outcome === 'missing_tool_call' ? kind : '';
}

/** What the failures of the cells say, each once and in order. */
export function saidBy(cells: readonly ReportCell[]): readonly string[] {
  const failing = cells.filter(({ verdict }) => verdict !== 'pass');
  return [...new Set(failing.map((cell) => faultOf(cell).says))].sort();
}
