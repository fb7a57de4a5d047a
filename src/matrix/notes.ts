import { groupBy } from '../json/group-by.js';
import type { Count } from '../stats/count.js';
import type { SharedFailure } from '../decide/shared-failure.js';
import type { AbsentSetting } from '../plan/ticket.js';
import type { Report, ReportCell } from './report-format.js';
import { unaskedTrials, unmeasured, unmeasuredCells } from './run-exit-code.js';
import { silentParts } from './silent-parts.js';

type Fault = Pick<ReportCell, 'class' | 'reason' | 'status'>;

/** What readers must know about a run. */
export type Note =
  | { readonly kind: 'shard'; readonly index: number; readonly of: number }
  /** Too much was not measured: shares, 0 to 1. */
  | { readonly kind: 'unmeasured' | 'unasked'; readonly share: number; readonly most: number }
  /** What kept most cells from being measured. */
  | ({ readonly kind: 'fault'; readonly cells: number; readonly cell: string; readonly detail: string | null } & Fault)
  /** No request of this kind was answered. */
  | { readonly kind: 'silent'; readonly part: string; readonly models: readonly string[]; readonly cells: number }
  /** An expression of a suite that could not be evaluated. */
  | {
      readonly kind: 'behaviour';
      readonly id: string;
      readonly place: string;
      readonly model: string;
      readonly error: string;
    };

/** What a client must know beside the settings of a request. */
export type Caveat =
  | { readonly kind: 'shared'; readonly failure: SharedFailure }
  | { readonly kind: 'flaky'; readonly passed: number; readonly total: number }
  | { readonly kind: 'few_trials'; readonly total: number }
  | { readonly kind: 'most_tokens'; readonly cap: number }
  /** Members of a request that must be left out: they do not work, or were never asked. */
  | { readonly kind: 'leave_out'; readonly member: string; readonly works: boolean }
  | { readonly kind: 'one_tool' | 'not_strict' | 'schema_ignored' | 'schema_in_part' }
  | { readonly kind: 'keywords'; readonly how: 'ignored' | 'refused' | 'broken'; readonly keywords: readonly string[] }
  /** Words of a suite. */
  | { readonly kind: 'declared'; readonly text: string; readonly passed: number; readonly total: number }
  | { readonly kind: 'breaks'; readonly quirk: string; readonly what: string };

/** What speaks for a form, and against those that would have come first. */
export interface Because {
  readonly form: FormCount | null;
  readonly rejected: readonly FormCount[];
  readonly shared: readonly SharedFailure[];
  /** Words of a suite. */
  readonly care: string | null;
}

interface FormCount extends Count {
  readonly form: string;
}

/** The words for facts, which no room but that of reports knows. */
export interface Words {
  readonly note: (note: Note) => string;
  readonly caveat: (caveat: Caveat) => string;
  readonly because: (because: Because) => string;
  /** What the config would have to define for probes that were not asked. */
  readonly notAsked: (absent: readonly AbsentSetting[]) => readonly string[];
}

/** Explains why such a run exits with 3, and what was not answered at all. */
export function unmeasuredNotes(report: Pick<Report, 'models' | 'cells'>, most: number): Note[] {
  const silent = silentParts(report);
  const parts = [...groupBy(silent, ({ part }) => part)].map(([part, all]): Note => ({
    ...{ kind: 'silent', part, models: all.map(({ model }) => model) },
    cells: all.reduce((sum, { cells }) => sum + cells.length, 0),
  }));
  if (unmeasured(report) <= most) return parts;
  const [share, unasked] = [unmeasuredCells(report), unaskedTrials(report)];
  const told = new Set(silent.flatMap(({ cells }) => cells));
  return [
    ...(share > most ? [{ kind: 'unmeasured' as const, share, most }] : []),
    ...(unasked > most ? [{ kind: 'unasked' as const, share: unasked, most }] : []),
    ...mostFrequentFault(report, told),
    ...parts,
  ];
}

/** For models that did not answer, the report says why. */
function mostFrequentFault({ models, cells }: Pick<Report, 'models' | 'cells'>, told: ReadonlySet<ReportCell>): Note[] {
  const answered = new Set(models.filter(({ unreachable }) => unreachable === null).map(({ id }) => id));
  const faulty = cells.filter(
    (cell) => cell.verdict === 'inconclusive' && cell.class !== null && answered.has(cell.model) && !told.has(cell),
  );
  const alike = groupBy(faulty, ({ class: kind, reason, status }) => JSON.stringify([kind, reason, status]));
  const [most = []] = [...alike.values()].sort((one, other) => other.length - one.length);
  const [first] = most;
  if (first === undefined) return [];
  const { class: outcome, reason, status, detail } = first;
  return [{ kind: 'fault', cells: most.length, cell: first.key, class: outcome, reason, status, detail }];
}
