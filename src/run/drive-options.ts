import type { Exchange } from '../chat/exchange.js';
import type { Budget, ModelConfig } from '../config/config.js';
import type { Course, Finding, Trial } from '../decide/course.js';
import type { watchWire } from '../decide/wire/fresh-exchanges.js';
import type { GivenOptions, PreviousRun, RunEvent, RunStarted } from '../journal/event.js';
import type { Journal } from '../journal/journal.js';
import type { RecordedExchanges } from '../journal/read-journal.js';
import type { Json } from '../json/json.js';
import type { Outcome } from '../judge/outcome.js';
import type { CourseName, Plan, PlannedCell } from '../plan/plan.js';
import type { Clock } from './clock.js';
import type { RunTarget } from './target-state.js';

/** Hands an event on; resolves when the next may come. */
export type EmitEvent = (event: RunEvent) => Promise<void>;

/** A plan, and everything that a run of it needs. */
export interface DriveOptions {
  readonly plan: Plan;
  /** By name. Every target of the plan must be there. */
  readonly targets: ReadonlyMap<string, RunTarget>;
  readonly courses: Readonly<Record<CourseName, Course>>;
  readonly trial: Trial;
  /** The cells to add after the findings of a model (by cell key). Called again until it adds none. */
  readonly further?: (model: string, findings: ReadonlyMap<string, Finding>) => readonly PlannedCell[];
  /** Watches the wire of a model, given its planned cells; see `watchWire`. Default: nobody does. */
  readonly watchWire?: (model: string, cells: readonly PlannedCell[]) => ReturnType<typeof watchWire>;
  /** The body of the plain request that opens a model. */
  readonly controlBody: (model: ModelConfig) => Json;
  /** Judges the answer to that request. */
  readonly judgeControl: (exchange: Exchange) => Outcome;
  readonly clock: Clock;
  readonly budget: Budget;
  readonly run: {
    readonly id: string;
    readonly tool: { readonly name: string; readonly version: string };
    /** Version of Node. */
    readonly node: string;
    /** The plan is one of `of` parts, and gets that part of limits and budget. */
    readonly shard: { readonly index: number; readonly of: number } | null;
    readonly options?: GivenOptions;
    /** null: unknown. */
    readonly previous?: PreviousRun | null;
    /** By target, the models that its service listed; null: the config names all. */
    readonly listed?: RunStarted['listed'] | null;
  };
  /** The journal, in which exchanges are written before they count; null: they are not kept. */
  readonly journal: Journal | null;
  /** Exchanges of an earlier run of the same plan, which are not requested again. */
  readonly recorded: RecordedExchanges | null;
  /** Sends nothing: what is not recorded stays undecided. */
  readonly replay?: boolean;
  /** Interrupts the run: nothing more is sent, and requests in flight get five seconds. */
  readonly signal?: AbortSignal;
}
