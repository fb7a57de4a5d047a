import { isJudgement, type Enforcement, type JudgedVerdict, type Standing, type Verdict } from '../cell/verdict.js';
import type { Reason, OutcomeClass } from '../judge/outcome.js';
import type { WireGroup } from '../judge/wire/wire-form.js';
import { writtenJson } from '../json/json.js';
import type { TrialCounts, WayCounts, BaselineEntry, AcceptedWire, Baseline, WireEntry } from './entries.js';

/** A report, as far as accepting a run reads it. */
export interface AcceptedRun {
  readonly run: {
    readonly complete: boolean;
    readonly profile: string;
    /** The reasons why the run, a target or a model ended early. */
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
  readonly trials: TrialCounts;
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
  /** The cell is in doubt. */
  readonly unsettled: boolean;
  /** The run asked it of its own accord, to settle a doubt; absent: it was planned. */
  readonly asked_for?: 'condition' | 'composite';
  /** The expectation of the baseline at that time; null: none, absent: that of today's baseline. */
  readonly expected?: ExpectedThen | null;
  /** Known trials after this run, and the doubt; null: only the cell's own trials. */
  readonly evidence?: KnownThen | null;
}

interface KnownThen {
  /** Passed, total. */
  readonly known: readonly [number, number];
  readonly ways?: WayCounts;
  readonly doubt: readonly TrialCounts[];
}

/** The expectation of the baseline with which the run was compared. */
interface ExpectedThen extends Pick<BaselineEntry, 'class' | 'reason' | 'status' | 'passed' | 'total'> {
  readonly verdict: JudgedVerdict;
  readonly threshold: number | null;
  /** From how many trials the cell was known; absent: not stated. */
  readonly trials?: number;
}

const emptyAcceptedWire: AcceptedWire = { quirks: [], only: {}, sometimes: [] };

/** The accepted quirks of a model; null: nobody looked at its wire yet, so that no quirk of it is a change. */
export const acceptedWireOf = ({ wire = [] }: Baseline, model: string): AcceptedWire | null =>
  wire.find((one) => one.model === model) ?? null;

/**
 * The entries of `wire` after a run was accepted, by model; only those that change. A quirk that always showed is
 * accepted as the rule; one that came and went is only remembered, so that neither its presence nor its absence alarms.
 */
export function acceptedWireAfter(
  { run, cells, wire: seen = [] }: AcceptedRun,
  baseline: Baseline | null,
  isAccepted: (cell: Pick<AcceptedCell, 'key'>) => boolean,
): ReadonlyMap<string, WireEntry> {
  const changed = new Map<string, WireEntry>();
  const judged = new Set(cells.filter(({ verdict }) => isJudgement(verdict)).map(({ model }) => model));
  for (const model of judged) {
    const accepted = cells.filter((cell) => cell.model === model && isAccepted(cell));
    if (accepted.length === 0) continue;
    const isWhole = accepted.length === cells.filter((cell) => cell.model === model).length;
    const before = baseline === null ? null : acceptedWireOf(baseline, model);
    // The few answers of a partial run do not show all that is usual.
    if (before === null && run.last_failed !== undefined) continue;
    // Once there is an entry, what it lacks counts as not there: the first one holds all that the run shows.
    const takesAll = isWhole || before === null;
    const now = seen.filter((one) => one.model === model && (takesAll || one.cells.some((key) => isAccepted({ key }))));
    const after = renewedAcceptedWire(before ?? emptyAcceptedWire, now);
    if (before === null || !isSame(before, after)) changed.set(model, { model, ...after });
  }
  return changed;
}

function renewedAcceptedWire(before: AcceptedWire, now: readonly AcceptedQuirk[]): AcceptedWire {
  const quirks = new Set(before.quirks);
  const sometimes = new Set(before.sometimes);
  const only = new Map(Object.entries(before.only));
  for (const { quirk, standing, seen, of, only: group } of now) {
    if (standing === 'gone') {
      quirks.delete(quirk);
    } else if (seen > 0 && seen < of) {
      quirks.delete(quirk);
      sometimes.add(quirk);
    } else if (seen > 0 && !sometimes.has(quirk)) {
      quirks.add(quirk);
      if (group === null) {
        only.delete(quirk);
      } else {
        only.set(quirk, group);
      }
    }
  }
  return {
    quirks: [...quirks].sort(),
    only: Object.fromEntries([...only].filter(([quirk]) => quirks.has(quirk)).sort()),
    sometimes: [...sometimes].sort(),
  };
}

function isSame(one: AcceptedWire, other: AcceptedWire): boolean {
  const facts = ({ quirks, only, sometimes }: AcceptedWire): string =>
    writtenJson([[...quirks].sort(), Object.entries(only).sort(), [...sometimes].sort()]);
  return facts(one) === facts(other);
}
