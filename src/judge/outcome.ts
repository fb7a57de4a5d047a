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

/** How a document fares under a schema. Neither, where it could not be checked. */
export interface UnderSchema {
  readonly conforms: boolean;
  readonly violations: readonly Violation[];
}

/** What a comparison shows of one document, in the order of its schemas and documents. */
export interface ComparedDocument {
  readonly kind: 'object' | 'text' | 'other';
  readonly under: readonly UnderSchema[];
  /** Whether it is the other document, however it is written. */
  readonly is: readonly boolean[];
  /** Whether the names of its members are those of the other document. */
  readonly hasMembersOf: readonly boolean[];
}

/** What a comparison shows of a reply: small and plain data, however large the reply. */
export interface Compared {
  /** The outcome's value; null where it has none. */
  readonly value: ComparedDocument | null;
  /** Arguments of the calls after the first, where they are JSON. */
  readonly further: readonly ComparedDocument[];
  /** The JSON in a text that is not the value: bare, or the first in it. */
  readonly inText: ComparedDocument | null;
  /** The text of the value came back damaged: bytes were replaced, or read in a wrong encoding. */
  readonly isGarbled: boolean;
  readonly calls: number;
  /** How the content begins. */
  readonly begins: 'object' | 'other' | 'nothing';
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
  /** Absent where nothing was to be compared. */
  readonly compared?: Compared;
  /** The step of a flow that decided; null for a probe with a single step. */
  readonly step: string | null;
  /** Whether the client's retry helped; null when none was due or measured. */
  readonly recovered: boolean | null;
}
