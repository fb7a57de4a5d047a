import type { Enforcement, JudgedVerdict, Standing, Verdict } from '../cell/verdict.js';
import type { BaselineEntry } from './entries.js';
import type { Reason, OutcomeClass } from '../judge/outcome.js';
import type { Count } from '../stats/count.js';
import type { WireGroup } from '../judge/wire/wire-form.js';

/** What accepting a run reads of its report. */
export interface AcceptedRun {
  readonly run: {
    readonly complete: boolean;
    readonly profile: string;
    /** What ended it, or the asking of a target or a model, early. */
    readonly stops?: readonly ({ readonly kind: string } & Readonly<Record<'target' | 'model', string | null>>)[];
    /** Only what an earlier run left open was asked. */
    readonly last_failed?: object;
    /** The options that left out cells; absent: none did. */
    readonly filters?: Readonly<Record<string, string | readonly string[]>>;
  };
  readonly cells: readonly AcceptedCell[];
  /** Absent in reports of older versions. */
  readonly wire?: readonly AcceptedQuirk[];
}

/** A quirk that a model showed, or no longer shows. */
export interface AcceptedQuirk {
  /** `TARGET/MODEL` */
  readonly model: string;
  readonly quirk: string;
  readonly standing: 'as_expected' | 'new' | 'gone';
  /** In how many exchanges it showed, of those in which it could. */
  readonly seen: number;
  readonly of: number;
  readonly cells: readonly string[];
  /** The answers that are counted; null: all. */
  readonly only: WireGroup | null;
}

export interface AcceptedCell {
  readonly key: string;
  /** `TARGET/MODEL` */
  readonly model: string;
  readonly verdict: Verdict;
  readonly class: OutcomeClass | null;
  readonly reason: Reason | null;
  readonly status: number | null;
  readonly trials: { readonly total: number; readonly passed: number };
  readonly threshold: {
    readonly value: number | null;
    readonly last_failing?: number | null;
    /** [x, passed, total] in ascending order of x. */
    readonly largest?: true;
    readonly curve?: readonly (readonly [number, number, number])[];
  } | null;
  /** Of an `enforce` probe; absent or null for others. */
  readonly enforcement?: Enforcement | null;
  readonly standing: Standing;
  /** It is in doubt. */
  readonly unsettled: boolean;
  /** The run asked it of its own accord, to settle a doubt; absent: it was planned. */
  readonly asked_for?: 'condition' | 'composite';
  /** What its baseline expected of it at the time; null: nothing, absent: what today's baseline expects. */
  readonly expected?: ExpectedThen | null;
  /** What is known of it after this run; null: no more than its trials show. */
  readonly known?: Count | null;
  /** Its trials that contradict what is known; null: there are none. */
  readonly doubt?: Count | null;
}

/** What a baseline said of a cell when the run was compared with it. */
interface ExpectedThen extends Pick<BaselineEntry, 'class' | 'reason' | 'status' | 'passed' | 'total'> {
  readonly verdict: JudgedVerdict;
  readonly threshold: number | null;
  /** From how many trials the cell was known; absent: not stated. */
  readonly trials?: number;
}
