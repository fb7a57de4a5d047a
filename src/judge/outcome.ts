import type { OutcomeClass } from './outcome-classes.js';
import type { Reason } from './reasons.js';
import type { Json } from '../json/json.js';
import type { Reply } from '../chat/reply.js';
import type { WireSighting } from './wire/wire-form.js';

/** How far an answer got. The last three are the levels of the specification. */
export const rungs = ['accepted', 'complete', 'present', 'parses', 'conforms', 'correct'] as const;
export type Rung = (typeof rungs)[number];

export interface Violation {
  /** JSON Pointer into the value, or the id of a rule. */
  readonly at: string;
  readonly message: string;
}

/** The result of one trial, or of one step of a flow. */
export interface Outcome {
  readonly passed: boolean;
  /** Caused by us, the account or the network, not by the model: gives no judgement. */
  readonly fault: boolean;
  /** null on pass. */
  readonly class: OutcomeClass | null;
  /** Of `http_error`, and of an error object wherever it appears. */
  readonly reason: Reason | null;
  /** HTTP status; null when none came. */
  readonly status: number | null;
  /** One line for people; null on a plain pass. */
  readonly detail: string | null;
  readonly rung: Rung | null;
  readonly quirks: readonly string[];
  /** What each judged exchange of the trial shows of the wire. */
  readonly wire: readonly WireSighting[];
  /** Schema violations and broken rules, all of them. */
  readonly violations: readonly Violation[];
  /** The parsed content, the call's arguments, or the text. */
  readonly value: Json | undefined;
  readonly reply: Reply | null;
  /** The step of a flow that decided; null for a probe with a single step. */
  readonly step: string | null;
  /** Whether the client's retry helped; null when none was due or measured. */
  readonly recovered: boolean | null;
}
