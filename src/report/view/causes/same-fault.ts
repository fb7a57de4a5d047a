import { groupBy } from '../../../json/group-by.js';
import { isSameJson } from '../../../json/same-json.js';
import type { ReportCell } from '../../../matrix/report-format.js';
import type { Deviation } from '../../../matrix/standing/deviations.js';
import { cellChange } from './cell-change.js';
import { type Fault, faultOf } from './fault.js';

export type OfCell = Exclude<Deviation, { kind: 'gone' | 'wire' }>;

/** Deviations of one model that say the same. */
export interface SameFault {
  readonly alike: readonly OfCell[];
  /** What they say, without its place: "must be integer or number"; empty: they do not say the same. */
  readonly kind: string;
  /** The class of some cells, besides that of the first. */
  readonly also?: NonNullable<ReportCell['class']>;
}

/** A model with more kinds of the same class rather has one fault that shows in many ways, or a service that words it anew each time. */
const mostKinds = 3;

/** Divides cells of one model that changed alike by what their failures say. */
export function byFault(alike: readonly OfCell[]): readonly SameFault[] {
  const kinds = new Set(alike.map(({ cell }) => kindAndSort(cell).kind));
  const sorts = groupBy(alike, ({ cell }) => kindAndSort(cell).sort);
  if (kinds.size > mostKinds && sorts.size > 1) return [{ alike, kind: '' }];
  return [...sorts.values()].map((same) => ({ alike: same, kind: kindsOf(same) }));
}

const nothing = { kind: '', sort: '' };

function kindAndSort(cell: ReportCell): Pick<Fault, 'kind' | 'sort'> {
  if (cell.verdict === 'pass') return nothing;
  const { kind, sort } = faultOf(cell);
  return kind === '' ? nothing : { kind, sort };
}

/** "must be boolean, integer or number" */
function kindsOf(alike: readonly OfCell[]): string {
  const kinds = [...new Set(alike.map(({ cell }) => kindAndSort(cell).kind))].sort();
  const [first = '', ...others] = kinds;
  const further = others.map((kind) => kind.replace(/^must be /, ''));
  return [[first, ...further.slice(0, -1)].join(', '), ...further.slice(-1)].join(' or ');
}

/** Puts probes of a schema to the fault that their replies show, where the model shows the same fault elsewhere. */
export function withEnforcement(faults: readonly SameFault[]): readonly SameFault[] {
  const hosts = faults.filter(({ alike }) => alike.every(({ cell }) => cell.class === 'schema_violation'));
  const hostOf = ({ alike }: SameFault): SameFault | null =>
    hosts.find((host) => alike.every((one) => isEnforcementOf(one, host))) ?? null;
  const guests = groupBy(faults, hostOf);
  return (guests.get(null) ?? []).map((fault) => {
    const added = (guests.get(fault) ?? []).flatMap(({ alike }) => alike);
    return added.length === 0 ? fault : { ...fault, alike: [...fault.alike, ...added], also: 'not_enforced' };
  });
}

function isEnforcementOf({ kind, cell }: OfCell, { alike }: SameFault): boolean {
  if (cell.class !== 'not_enforced') return false;
  const change = cellChange(kind, { ...cell, class: 'schema_violation' });
  return alike.some(
    (one) =>
      one.kind === kind &&
      isSameJson({ ...cellChange(kind, one.cell) }, { ...change }) &&
      faultOf(one.cell).sort === faultOf(cell).sort,
  );
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
