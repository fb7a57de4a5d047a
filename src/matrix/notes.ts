import type { Count } from '../stats/count.js';
import type { SharedFailure } from '../decide/course.js';
import type { AbsentSetting } from '../plan/plan.js';
import type { ReportCell } from './report-format.js';
import type { AnsweredBy } from './served-by.js';

type FailureFields = Pick<ReportCell, 'class' | 'reason' | 'status'>;

/** Notes on a run. */
export type Note =
  | { readonly kind: 'shard'; readonly index: number; readonly of: number }
  /** Too much was not measured: shares, 0 to 1. */
  | { readonly kind: 'unmeasured' | 'unasked'; readonly share: number; readonly most: number }
  /** The cause that kept most cells from being measured. */
  | ({
      readonly kind: 'fault';
      readonly cells: number;
      readonly cell: string;
      readonly detail: string | null;
    } & FailureFields)
  /** No request of this kind was answered. */
  | { readonly kind: 'silent'; readonly part: string; readonly models: readonly string[]; readonly cells: number }
  /** Answers of a model carry another name, or several. */
  | ({ readonly kind: 'answered_by'; readonly model: string } & AnsweredBy)
  /** An expression of a suite that could not be evaluated. */
  | {
      readonly kind: 'behaviour';
      readonly id: string;
      readonly place: string;
      readonly model: string;
      readonly error: string;
    };

/** Caveats for a client beside the settings of a request. */
export type Caveat =
  | { readonly kind: 'shared'; readonly failure: SharedFailure }
  | ({ readonly kind: 'answered_by' } & AnsweredBy)
  | { readonly kind: 'flaky'; readonly passed: number; readonly total: number }
  | { readonly kind: 'few_trials'; readonly total: number }
  /** Answers that kept the form, and how many of them had wrong values. */
  | { readonly kind: 'values'; readonly wrong: number; readonly total: number }
  | { readonly kind: 'most_tokens'; readonly cap: number }
  /** Members of a request that must be left out: they do not work, or were never asked. */
  | { readonly kind: 'leave_out'; readonly member: string; readonly works: boolean }
  | { readonly kind: 'one_tool' | 'not_strict' | 'schema_ignored' | 'schema_in_part' }
  | { readonly kind: 'keywords'; readonly how: 'ignored' | 'refused' | 'broken'; readonly keywords: readonly string[] }
  /** Words of a suite. */
  | { readonly kind: 'declared'; readonly text: string; readonly passed: number; readonly total: number }
  | { readonly kind: 'breaks'; readonly quirk: string; readonly what: string };

/** Evidence for a form, and against those that would have come first. */
export interface Because {
  readonly form: FormCount | null;
  readonly rejected: readonly FormCount[];
  /** Some of these promise more, and no task was asked of both. */
  readonly apart: boolean;
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
  /** Settings that the config lacks for probes that were not asked. */
  readonly notAsked: (absent: readonly AbsentSetting[]) => readonly string[];
}
