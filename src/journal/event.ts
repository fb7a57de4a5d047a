import type { CellMemory } from '../baseline/entries.js';
import type { Exchange } from '../chat/exchange.js';
import type { Finding, SharedFailure } from '../decide/course.js';
import type { Outcome, OutcomeClass, Reason } from '../judge/outcome.js';
import type { Ask, LastFailed, Send } from '../plan/plan.js';

/** Names by which the answers of an earlier run called a model. */
export interface ModelBefore {
  /** `model` fields of the answers. */
  readonly served: readonly string[];
  /** `system_fingerprint` fields of the answers. */
  readonly fingerprints: readonly string[];
}

/**
 * The memory that a run leaves to the next, as JSON: in the first line of a journal, so that resuming or rejudging the
 * run gives the same report, and in its summary.
 */
export interface RecordedMemory {
  readonly cells: Readonly<Record<string, CellMemory>>;
  readonly models: Readonly<Record<string, ModelBefore>>;
  readonly shared: Readonly<Record<string, readonly SharedFailure[]>>;
}

/** The first line of a journal. */
export interface RunStarted {
  readonly type: 'run_started';
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly plan: string;
  readonly digests: { readonly config: string; readonly suites: string; readonly schemas: string };
  readonly tool: { readonly name: string; readonly version: string };
  readonly node: string;
  readonly profile: string;
  readonly seed: number;
  readonly plannedCells: number;
  readonly shard: { readonly index: number; readonly of: number } | null;
  /** The shards (numbered from 1) that were merged into this run. */
  readonly merged?: {
    readonly of: number;
    readonly shards: readonly number[];
    /** Shards that were not there, with the models that each had to ask; absent: none. */
    readonly missing?: readonly { readonly shard: number; readonly models: readonly string[] }[];
  };
  readonly options?: GivenOptions;
  /** The run asks only what an earlier run left open; absent: whatever its filters let through. */
  readonly lastFailed?: LastFailed;
  /** By target, the ids of the models that its service listed when the run began; absent: the config names all. */
  readonly listed?: Readonly<Record<string, readonly string[]>>;
  /** The memory of the runs before; absent: the run knew of none. */
  readonly before?: RecordedMemory;
}

/**
 * The command-line options that decide what is asked, as they were given (`trials`, `only`, `budgetRequests`), so that
 * a run can be resumed or judged again without repeating them.
 */
export type GivenOptions = Readonly<Record<string, string | readonly string[]>>;

/** One exchange of the run. `cell` and `ask` are null for the opening control of `model`. */
export interface ExchangeRecord {
  readonly type: 'exchange';
  readonly id: string;
  readonly model: string;
  readonly cell: string | null;
  readonly ask: Ask | null;
  readonly purpose: Send['purpose'];
  readonly step: string;
  readonly attempt: number;
  /** `model` of the answer. */
  readonly served: string | null;
  /** `system_fingerprint` of the answer. */
  readonly fingerprint: string | null;
  readonly exchange: Exchange;
}

/**
 * A request that is about to be sent, written where a limit counts it. Without an exchange after it, it was in flight
 * when the run was killed or cut off.
 */
export interface RequestSent {
  readonly type: 'sent';
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly model: string;
  /** Equal for equal requests: see `requestName`. */
  readonly request: string;
  /** The most that it was expected to take. */
  readonly tokens: number;
  /** The most that it was expected to cost, in the currency of the configured prices. */
  readonly cost: number;
}

/** The last line of a journal; without it the run is truncated. */
export interface RunFinished {
  readonly type: 'run_finished';
  readonly at: string;
  readonly requests: number;
  /** Stops before everything was asked. */
  readonly stopped?: readonly Stop[];
}

/** A line of the journal. */
export type JournalLine = RunStarted | RequestSent | ExchangeRecord | RunFinished;

/** An event of a run while it runs. Listeners (progress, journal, reports) cannot change it. */
export type RunEvent =
  | Exclude<JournalLine, RequestSent>
  | { readonly type: 'model'; readonly model: string; readonly reachable: boolean; readonly outcome: Outcome }
  | {
      readonly type: 'trial';
      readonly cell: string;
      readonly ask: Ask;
      readonly outcome: Outcome;
      readonly exchanges: readonly string[];
    }
  | {
      readonly type: 'cell';
      readonly cell: string;
      readonly finding: Finding;
      readonly exchanges: Iterable<string>;
      /** The reason why some or all of its trials were not asked; absent when all were. */
      readonly stop?: StopReason;
    }
  /** A trial that was asked once more, only to see whether a new quirk of the wire is the rule. */
  | {
      readonly type: 'wire';
      readonly cell: string;
      readonly outcome: Outcome;
      readonly exchanges: readonly string[];
    }
  /** Cells that were added to the plan to answer a question that it left open. */
  | { readonly type: 'further'; readonly model: string; readonly cells: readonly string[] }
  /** A target waits for the limits per minute. */
  | { readonly type: 'waiting'; readonly reason: 'rate_limit'; readonly target: string; readonly seconds: number }
  /** A request of a model waits before it repeats a fault. */
  | {
      readonly type: 'waiting';
      readonly reason: 'retry';
      readonly target: string;
      readonly model: string;
      readonly seconds: number;
      /** "HTTP 503", "connection reset". */
      readonly cause: string;
    }
  /** A model answers nothing, not even a plain request, and is not asked until all others are done. */
  | { readonly type: 'left_alone'; readonly model: string; readonly outcome: Outcome }
  /** A model, a target or the whole run stops early. */
  | { readonly type: 'stopped'; readonly stop: Stop };

/** The memory of the runs before this one. */
export interface PreviousRun {
  /** By cell key: what is known since the baseline accepted it, and its open doubt. */
  readonly cells: ReadonlyMap<string, CellMemory>;
  /** By `TARGET/MODEL`: what the answers said of the model. */
  readonly models: ReadonlyMap<string, ModelBefore>;
  /** By `TARGET/MODEL`: the doubts about the model as a whole. */
  readonly shared: ReadonlyMap<string, readonly SharedFailure[]>;
}

export function recordedMemory({ cells, models, shared }: PreviousRun): RecordedMemory {
  return { cells: Object.fromEntries(cells), models: Object.fromEntries(models), shared: Object.fromEntries(shared) };
}

export function previousFrom({ cells, models, shared }: RecordedMemory): PreviousRun {
  return {
    cells: new Map(Object.entries(cells)),
    models: new Map(Object.entries(models)),
    shared: new Map(Object.entries(shared)),
  };
}

/** null: the run did not know of one. */
export function recordedPrevious(started: RunStarted | null): PreviousRun | null {
  return started?.before === undefined ? null : previousFrom(started.before);
}

/**
 * The reason why nothing more was sent, as data: from the budget or the answer that caused it up to report.json. The
 * sentences for people are made in src/report/words/stop-text.ts.
 */
export type StopReason =
  | BudgetUsedUp
  | { readonly kind: 'interrupted' }
  /** The account has no credit left, or none for this model, according to the answer of the model `answered_by`. */
  | {
      readonly kind: 'quota';
      readonly answered_by: string;
      readonly detail: string | null;
      /** The model that refused a plain request for the same reason, so that the whole account was stopped. */
      readonly confirmed_by?: string;
    }
  /** A key that had worked was refused, a plain request of another model of the account included. */
  | {
      readonly kind: 'key_refused';
      readonly answered_by: string;
      readonly detail: string | null;
      /** ISO 8601, UTC: when the account last answered. */
      readonly since: string;
      /** Requests of the account that had been answered. */
      readonly answered: number;
    }
  /** The service asks for a pause that is too long to wait for. */
  | { readonly kind: 'long_pause'; readonly answered_by: string; readonly seconds: number }
  /** Requests in a row were refused or not answered, and then a plain one, also when all other models were done. */
  | {
      readonly kind: 'unanswered';
      readonly answered_by: string;
      /** Of that plain request. */
      readonly class: OutcomeClass | null;
      readonly reason: Reason | null;
      readonly status: number | null;
      readonly detail: string | null;
      /** ISO 8601, UTC: when it last answered; null: it never did. Absent in journals of older versions. */
      readonly since?: string | null;
      /** Requests of the model that had been answered. */
      readonly answered?: number;
    }
  /** Judged again: the recorded run was killed before this was asked. */
  | { readonly kind: 'cut_off' }
  /** A merged run lacks the shard that was to ask this. */
  | { readonly kind: 'missing_shard'; readonly shard: number; readonly of: number }
  /** Judged again: the recorded run finished without asking this. */
  | { readonly kind: 'not_recorded' };

export interface BudgetUsedUp {
  readonly kind: 'budget';
  readonly unit: 'requests' | 'tokens' | 'cost';
  readonly limit: number;
  /** The limit is one shard's part of the budget. */
  readonly shard_part: boolean;
  /**
   * Of tokens and cost, in the unit: what counts as spent, and what the next request could have taken, which no longer
   * fitted.
   */
  readonly spent?: number;
  readonly next?: number;
}

/** The scope of an early stop: a model, a target (the model is null), or the whole run (both are). */
export interface StopScope {
  readonly target: string | null;
  readonly model: string | null;
  /** For a merged shard: its models. The stop says nothing about any other. */
  readonly models?: readonly string[];
}

/** A stop as it is recorded. */
export type Stop = StopScope & StopReason;

const scope: ReadonlySet<string> = new Set<keyof StopScope>(['target', 'model', 'models']);

/** The reason why a model was not asked in a run that ended with these stops; null when none of them concerns it. */
export function whyNotAsked(
  stops: readonly Stop[],
  { key, target }: { readonly key: string; readonly target: string },
): StopReason | null {
  const stop = stops.find(
    ({ models, ...stopped }) =>
      (models?.includes(key) ?? true) &&
      (stopped.model === key || (stopped.model === null && (stopped.target === target || stopped.target === null))),
  );
  if (stop === undefined) return null;
  return Object.fromEntries(Object.entries(stop).filter(([name]) => !scope.has(name))) as unknown as StopReason;
}

/** Whether the run ended before it had asked everything, whatever the models and their targets did. */
export function endsRun({ target, model }: StopScope): boolean {
  return target === null && model === null;
}
