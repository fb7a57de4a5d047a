import type { Finding } from '../decide/course.js';
import type { WireTally } from '../decide/wire/wire-standing.js';
import type { Stop } from '../journal/event.js';
import type { Outcome } from '../judge/outcome.js';
import type { AnswerTimes, CellFailure, ReportRun } from './report-format.js';
import type { ServedCounts } from './served-by.js';

/**
 * Findings of a run, a resumed run or a rejudged one. Their size grows with the plan, not with the number of trials.
 */
export interface Gathered {
  readonly run: {
    readonly id: string;
    /** ISO 8601, UTC. */
    readonly startedAt: string;
    readonly finishedAt: string | null;
    /** The journal has its last line, and nothing stopped early. */
    readonly complete: boolean;
    readonly tool: { readonly name: string; readonly version: string };
    /** The config that was named; absent: the usual one. */
    readonly config?: string;
    /** The options that left out cells, by name; absent: none did. */
    readonly filters?: ReportRun['filters'];
    readonly requests: number;
    /** Absent: the run was not shared out. */
    readonly shard?: { readonly index: number; readonly of: number };
    /** Stops before everything was asked. */
    readonly stops: readonly Stop[];
  };
  /** By `TARGET/MODEL`. */
  readonly models: ReadonlyMap<string, ModelSeen>;
  /** By cell key. */
  readonly cells: ReadonlyMap<string, CellSeen>;
  /** By `TARGET/MODEL`: what the judged exchanges show of the wire; absent: nobody looked. */
  readonly wire?: ReadonlyMap<string, WireTally>;
  /** By cell key: what its requests took, controls and retries included; absent: nobody looked. */
  readonly spent?: ReadonlyMap<string, Spent>;
  /** By `TARGET/MODEL`: how long answers took; absent: nobody looked. */
  readonly times?: ReadonlyMap<string, readonly AnswerTimes[]>;
}

export interface Spent {
  readonly requests: number;
  readonly usage: Usage;
  /** The largest share of a prompt that one of the answers says was cached; absent: none says it. */
  readonly cachedShare?: number;
}

export interface ModelSeen {
  /** null: the control was never sent. */
  readonly reachable: boolean | null;
  /** Of the opening control. */
  readonly outcome: Outcome | null;
  /** `model` fields of the answers, in order of first appearance. */
  readonly served: readonly string[];
  /** How many answers carry each of these names; absent: nobody counted. */
  readonly servedCounts?: Readonly<Record<string, number>>;
  /** `system_fingerprint` fields of the answers, the first of them. */
  readonly fingerprints?: readonly string[];
  readonly usage: Usage;
  /** The first two names of its answers, see `refusalName`; absent: nobody looked. */
  readonly refusals?: readonly string[];
  /** Sent to it, the opening control included; absent: nobody counted. */
  readonly requests?: number;
}

export type Usage = ReportRun['usage'];

export const noUsage: Usage = { prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0, total_tokens: 0 };

export interface CellSeen {
  /** null: the cell was started but not finished. */
  readonly finding: Finding | null;
  /** Some or all of its trials were not asked, because nothing more was sent; absent: all were. */
  readonly stopped?: boolean;
  /** Ids in the order of the trials; read only when the report is made. */
  readonly exchanges: Iterable<string>;
  /** Every kind of failure that came, the most frequent first. */
  readonly failures: readonly CellFailure[];
  /** Failing trials in which reasoning used up the output tokens. */
  readonly reasoningTookTokens: number;
  /** Models that gave its judged answers; absent: nobody looked. */
  readonly served?: ServedCounts;
  /** Cost of its first conversations; absent: nobody looked. */
  readonly prompts?: readonly SeenPrompt[];
}

/** A request without a form, and without tools that may not be called, whose answer says what its prompt cost. */
export interface SeenPrompt {
  /** A digest of the messages. */
  readonly messages: string;
  readonly tokens: number;
  /** Whether the request declares tools. */
  readonly has_tools: boolean;
  /** How many calls came. */
  readonly calls: number;
}
