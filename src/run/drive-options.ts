import type { Exchange } from '../chat/exchange.js';
import type { Budget, ModelConfig } from '../config/config.js';
import type { ShownBefore } from '../decide/bad-hour.js';
import type { Course, Finding, Trial } from '../decide/course.js';
import type { GivenOptions } from '../journal/event.js';
import type { Journal } from '../journal/journal.js';
import type { Recorded } from '../journal/recorded-run.js';
import type { Json } from '../json/json.js';
import type { Outcome } from '../judge/outcome.js';
import type { CourseName, Plan, Ticket } from '../plan/ticket.js';
import type { Clock } from './clock.js';
import type { RunTarget } from './target-state.js';

/** What a run needs to know and to reach. */
export interface DriveOptions {
  readonly plan: Plan;
  /** By name; every target that the plan asks. */
  readonly targets: ReadonlyMap<string, RunTarget>;
  readonly courses: Readonly<Record<CourseName, Course>>;
  readonly trial: Trial;
  /** What else to ask a model after what was found, by cell key: asked until nothing more comes. */
  readonly further?: (model: string, findings: ReadonlyMap<string, Finding>) => readonly Ticket[];
  /** The plain request that opens a model, as it goes over the wire. */
  readonly controlBody: (model: ModelConfig) => Json;
  /** What the answer to it shows. */
  readonly judgeControl: (exchange: Exchange) => Outcome;
  readonly clock: Clock;
  readonly budget: Budget;
  readonly run: {
    readonly id: string;
    readonly tool: { readonly name: string; readonly version: string };
    /** Version of Node. */
    readonly node: string;
    /** The plan is one of `of` parts, and so are its limits and its budget. */
    readonly shard: { readonly index: number; readonly of: number } | null;
    readonly options?: GivenOptions;
    /** null: not known. */
    readonly shownBefore?: ShownBefore | null;
  };
  /** Where exchanges are written down before they count; null keeps none. */
  readonly journal: Journal | null;
  /** Exchanges of an earlier run of the same plan: what they answer is not asked again. */
  readonly recorded: Recorded | null;
  /** Nothing is sent: what is not recorded stays open. */
  readonly replay?: boolean;
  /** Interrupts: nothing more is sent, and what is in flight gets five seconds. */
  readonly signal?: AbortSignal;
}
