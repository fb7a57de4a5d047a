import { familyOf } from '../../matrix/capability-families.js';
import type { Report, ReportCell, ReportModel } from '../../matrix/report-format.js';
import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';

const { lists, faults, refusals } = texts;

/** A need of the overview: families of capabilities that are shown in one column. */
interface Column {
  readonly id: string;
  readonly title: string;
  readonly families: readonly string[];
}

/** How people call models, capabilities and needs. */
export interface Names {
  /** Without the target where all models share one. */
  readonly model: (id: string) => string;
  readonly capability: (id: string) => string;
  readonly columns: readonly Column[];
  readonly columnOf: (capability: string) => Column | null;
}

export function reportNames({ models, titles, columns }: Pick<Report, 'models' | 'titles' | 'columns'>): Names {
  const isOneTarget = new Set(models.map(({ target }) => target)).size <= 1;
  const known = new Map(models.map((model) => [model.id, model]));
  const byFamily = new Map(columns.flatMap((column) => column.families.map((family) => [family, column] as const)));
  return {
    model: (id) => (isOneTarget ? (known.get(id)?.model ?? id) : id),
    capability: (id) =>
      titles.capabilities[id] ?? (id.slice(familyOf(id).length + 1).replaceAll('_', ' ') || id.replaceAll('_', ' ')),
    columns,
    columnOf: (capability) => byFamily.get(familyOf(capability)) ?? null,
  };
}

const conjunction = new Intl.ListFormat('en', { type: 'conjunction' });

/** "a, b, and 3 more" */
export function joinedNames(names: readonly string[], most = Number.POSITIVE_INFINITY): string {
  if (names.length <= most) return conjunction.format(names);
  return say(lists.more, { names: names.slice(0, most).join(', '), more: names.length - most });
}

/** Name of a cell: its single capability, else the columns of all. */
export function capabilitiesText(capabilities: readonly string[], names: Names): string {
  const unique = [...new Set(capabilities)];
  if (unique.length <= 2) return joinedNames(unique.map(names.capability));
  const columns = new Set(unique.map((one) => names.columnOf(one)?.title ?? names.capability(one)));
  return joinedNames([...columns], 2);
}

/** "the service answers HTTP 500": what is wrong with answers. */
export function faultText({ class: kind, reason, status }: Pick<ReportCell, 'class' | 'reason' | 'status'>): string {
  if (kind === null) return '';
  const message = kind === 'http_error' && reason !== null ? refusals[reason] : faults[kind];
  return say(message, { status: status === null ? '?' : String(status) });
}

/** "answers are empty" -> "Answers are empty": a fault that begins a sentence. */
export const asSentence = (fault: string): string => fault.charAt(0).toUpperCase() + fault.slice(1);

/** So many kinds of failure a sentence names. */
const mostFaults = 3;

/** Faults of the answers of these cells; where they fail in several ways, each with its count. */
export function faultsText(
  cells: readonly Pick<ReportCell, 'class' | 'reason' | 'status' | 'enforcement' | 'failures'>[],
): string {
  const [first] = cells;
  if (first === undefined) return '';
  const counts = new Map<string, number>();
  // The replies to an enforcement probe are judged together: one alone says little.
  for (const failure of cells.flatMap(({ enforcement, failures }) => (enforcement === null ? failures : []))) {
    const fault = faultText(failure);
    counts.set(fault, (counts.get(fault) ?? 0) + (failure.count ?? 1));
  }
  if (counts.size < 2) return faultText(first);
  const named = [...counts].sort(([, one], [, other]) => other - one);
  return joinedNames(
    named.map(([fault, count]) => say(lists.counted, { fault, count })),
    mostFaults,
  );
}

/** Why a model was not reached. */
export const unreachedText = ({ unreachable }: Pick<ReportModel, 'unreachable'>): string =>
  unreachable === null ? '' : faultText(unreachable);
