import type { OutcomeClass } from './outcome-classes.js';
import type { Reason } from './reasons.js';
import type { Json } from '../json/json.js';
import type { Reply } from '../chat/reply.js';

/** How far an answer came; the specification's three levels are the last three. */
export const rungs = ['accepted', 'complete', 'present', 'parses', 'conforms', 'correct'] as const;
export type Rung = (typeof rungs)[number];

export interface Violation {
  /** JSON Pointer into the value, or the id of a rule. */
  readonly at: string;
  readonly message: string;
}

/** What one trial (or one step of a flow) showed. */
export interface Outcome {
  readonly passed: boolean;
  /** Ours or the network's, not the model's: gives no judgement. */
  readonly fault: boolean;
  /** null on pass. */
  readonly class: OutcomeClass | null;
  /** Of `http_error`, and of an error object wherever it stands. */
  readonly reason: Reason | null;
  /** HTTP status; null when none came. */
  readonly status: number | null;
  /** One line for people; null on a plain pass. */
  readonly detail: string | null;
  readonly rung: Rung | null;
  readonly quirks: readonly string[];
  /** Schema violations and broken rules, all of them. */
  readonly violations: readonly Violation[];
  /** The parsed content, the call's arguments, or the text. */
  readonly value: Json | undefined;
  readonly reply: Reply | null;
  /** The flow's step that decided, when the probe has several. */
  readonly step: string | null;
  /** The client's retry: null when none was asked for or none was due. */
  readonly recovered: boolean | null;
}
