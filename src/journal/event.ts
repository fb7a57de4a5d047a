import type { Exchange } from '../chat/exchange.js';
import type { Finding } from '../decide/course.js';
import type { Outcome } from '../judge/outcome.js';
import type { Ask, Send } from '../plan/ticket.js';

/** First line of a journal. */
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
  /** Which of the shards (from 1) it was joined from. */
  readonly merged?: { readonly of: number; readonly shards: readonly number[] };
  readonly options?: GivenOptions;
  /** Of each cell that the run before showed as a regression, for how many runs in a row; absent where that is not known. */
  readonly shownBefore?: Readonly<Record<string, number>>;
}

/**
 * Options of the command line that decide what is asked, as they were given (`trials`, `only`, `budgetRequests`), so
 * that resuming and judging again need none of them.
 */
export type GivenOptions = Readonly<Record<string, string | readonly string[]>>;

/** One exchange of the run. `cell` is null for a model's opening control, whose `model` says whose it is. */
export interface ExchangeRecord {
  readonly type: 'exchange';
  readonly id: string;
  readonly model: string;
  readonly cell: string | null;
  readonly ask: Ask | null;
  readonly purpose: Send['purpose'];
  readonly step: string;
  readonly attempt: number;
  /** `model` and `system_fingerprint` of the answer. */
  readonly served: string | null;
  readonly fingerprint: string | null;
  readonly exchange: Exchange;
}

/** What stopped early, and why: a model, a target (the model is null), or the whole run (both are). */
export interface Stop {
  readonly target: string | null;
  readonly model: string | null;
  readonly why: string;
  /** Of a shard that was merged: its models, for which alone it speaks. */
  readonly models?: readonly string[];
}

/** Last line of a journal; without it the run is truncated. */
export interface RunFinished {
  readonly type: 'run_finished';
  readonly at: string;
  readonly requests: number;
  /** What was stopped before everything was asked. */
  readonly stopped?: readonly Stop[];
}

/** A line of `journal.jsonl`. */
export type JournalLine = RunStarted | ExchangeRecord | RunFinished;

/** What a run tells its listeners (progress, journal, reports); they only listen. */
export type RunEvent =
  | JournalLine
  | { readonly type: 'model'; readonly model: string; readonly reachable: boolean; readonly outcome: Outcome }
  | {
      readonly type: 'trial';
      readonly cell: string;
      readonly ask: Ask;
      readonly outcome: Outcome;
      readonly exchanges: readonly string[];
    }
  | { readonly type: 'cell'; readonly cell: string; readonly finding: Finding; readonly exchanges: Iterable<string> }
  /** Cells beyond the plan, which settle a doubt that it left. */
  | { readonly type: 'further'; readonly model: string; readonly cells: readonly string[] }
  /** Asking pauses (a limit, a Retry-After). */
  | { readonly type: 'waiting'; readonly target: string; readonly seconds: number; readonly why: string }
  /** A target or the whole run stops early (billing, budget, interruption). */
  | { readonly type: 'stopped'; readonly target: string | null; readonly why: string };
