import { excerpt } from '../chat/excerpt.js';
import { isLoadStatus } from '../chat/exchange.js';
import type { Reply } from '../chat/reply.js';
import type { Json } from '../json/json.js';
import type { Clue } from './clue.js';
import prose from './prose.json' with { type: 'json' };
import type { WireSighting } from './wire/wire-form.js';

/** How far an answer got. The last three are the levels of the specification. */
export const rungs = ['accepted', 'complete', 'present', 'parses', 'conforms', 'correct'] as const;
export type Rung = (typeof rungs)[number];

export interface Violation {
  /** JSON Pointer into the value, or the id of a rule. */
  readonly at: string;
  readonly message: string;
  /** The keyword of the schema that is violated; absent for rules. */
  readonly keyword?: string;
}

/** The results for one document, in the order of the comparison's schemas and documents. */
export interface ComparedDocument {
  readonly kind: 'object' | 'text' | 'other';
  /** How it fares: neither, where it could not be checked. */
  readonly under: readonly { readonly conforms: boolean; readonly violations: readonly Violation[] }[];
  /** Whether it is the other document, however it is written. */
  readonly is: readonly boolean[];
  /** Whether the names of its members are those of the other document. */
  readonly hasMembersOf: readonly boolean[];
}

/** The results for a reply: small and plain data, however large the reply. */
export interface ComparedAnswer {
  /** The outcome's value; null where it has none. */
  readonly value: ComparedDocument | null;
  /** Arguments of the calls after the first, where they are JSON. */
  readonly further: readonly ComparedDocument[];
  /** The JSON in a text that is not the value: bare, or the first in it. */
  readonly inText: ComparedDocument | null;
  /** The text of the value came back damaged: bytes were replaced, or read in a wrong encoding. */
  readonly isGarbled: boolean;
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
  /** Sightings of the wire, one for each judged exchange of the trial. */
  readonly wire: readonly WireSighting[];
  /** A code that tells failures of one class apart: how a text is no JSON, or the keyword that is violated first. */
  readonly flaw?: string;
  /** A sign from which an advice follows; absent: there is none. */
  readonly clue?: Clue;
  /** Schema violations and broken rules, all of them. */
  readonly violations: readonly Violation[];
  /** The parsed content, the call's arguments, or the text. */
  readonly value: Json | undefined;
  readonly reply: Reply | null;
  /** Absent where nothing was to be compared. */
  readonly compared?: ComparedAnswer;
  /** The step of a flow that decided; null for a probe with a single step. */
  readonly step: string | null;
  /** Whether the client's retry helped; null when none was due or measured. */
  readonly recovered: boolean | null;
}

/** The outcome of an answer that chatspec itself failed to judge. */
export function unjudgedOutcome(error: unknown, status: number | null): Outcome {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const detail = 'chatspec itself failed to judge this answer, which says nothing about the model';
  return ownFailure({ detail: `${detail} (${excerpt(what, 200)})`, status, step: null });
}

/** The outcome of a trial that chatspec itself failed at: a fault without a class, since the model is not at fault. */
export function ownFailure({ detail, status, step }: Pick<Outcome, 'detail' | 'status' | 'step'>): Outcome {
  return { ...nothingLearned, fault: true, detail, status, step };
}

/** An outcome of which nothing is known. */
export const nothingLearned: Outcome = {
  passed: false,
  fault: false,
  class: null,
  reason: null,
  status: null,
  detail: null,
  rung: null,
  quirks: [],
  wire: [],
  violations: [],
  value: undefined,
  reply: null,
  step: null,
  recovered: null,
};

/** The fate of the plain request to a model that gives no usable answer; a service that answers was reached. */
export function unreachedWords({ status, reason }: Pick<Outcome, 'status' | 'reason'>): string {
  if (status === null) return 'cannot be reached';
  if (reason === 'model_not_found') return 'is unknown to the service';
  return status < 300 ? 'gives no usable answer to a plain request' : 'does not answer a plain request';
}

/** The meaning of an outcome class or a reason, for people. */
export interface Prose {
  readonly title: string;
  /** The same in the middle of a sentence: "answers are not JSON". */
  readonly clause: string;
  readonly explanation: string;
  /** The remedy, whatever else is known. */
  readonly advice: string;
}

/** The meaning of an outcome class, with its effects and causes. */
export interface ClassProse extends Prose {
  /** The damage in a client that does not check. */
  readonly breaks: string;
  /** The usual cause. */
  readonly cause: string;
}

/**
 * The outcome classes in the order in which a client checks. The names are stable. JSON Schemas and documentation
 * follow from this list and from `prose.json`: after a change, run `npm run generate`.
 */
export const outcomeClasses = [
  ...(['transport', 'http_error', 'malformed_response', 'truncated', 'filtered'] as const),
  ...(['unexpected_finish_reason', 'refused', 'empty_content', 'missing_tool_call'] as const),
  ...(['unexpected_tool_call', 'wrong_function', 'not_json', 'schema_violation', 'rule_violation'] as const),
  ...(['not_enforced', 'ineffective', 'not_refused'] as const),
] as const;

export type OutcomeClass = (typeof outcomeClasses)[number];

export const outcomeProse: Readonly<Record<OutcomeClass, ClassProse>> = prose.classes;

/** Why an error came, and what that means. */
export interface ReasonEntry extends Prose {
  /** Whether it concerns the account or is temporary, so that it says nothing about the model. */
  readonly fault?: boolean;
  /** A permanent fault: asking again with the same key and account gives the same answer. */
  readonly final?: boolean;
}

/**
 * The reasons of `http_error`, and of an error object wherever it appears. The names are stable, as of outcome classes.
 */
export const reasons = [
  ...(['auth', 'quota', 'rate_limited', 'overloaded', 'gateway', 'model_not_found', 'context_length'] as const),
  ...(['content_filtered', 'tool_choice_unsupported', 'tool_choice_thinking'] as const),
  ...(['response_format_unsupported', 'json_word_required', 'schema_rejected', 'parameter_rejected'] as const),
  ...(['model_output_rejected', 'server_error', 'unknown'] as const),
] as const;

export type Reason = (typeof reasons)[number];

export const reasonProse: Readonly<Record<Reason, ReasonEntry>> = prose.reasons;

/** Whether an error of this reason concerns the account or is temporary, so that it says nothing about the model. */
export function isFaultReason(reason: Reason | null): boolean {
  return reason !== null && reasonProse[reason].fault === true;
}

/** Whether an error of this reason would recur with the same key and account. */
export function isFinalReason(reason: Reason | null): boolean {
  return reason !== null && reasonProse[reason].final === true;
}

/**
 * Whether only a control tells if an error is the request's own or the service's: a 5xx that does not speak of load,
 * an error of a 4xx whose words and codes name no reason or the service's own, and such an error inside a 200.
 */
export function needsControl({ class: kind, reason, status }: Pick<Outcome, 'class' | 'reason' | 'status'>): boolean {
  if (kind === 'malformed_response') return reason !== null && (reason === 'gateway' || isUnexplained(reason));
  if (kind !== 'http_error' || status === null || isLoadStatus(status)) return false;
  return status >= 500 || (reason !== null && isUnexplained(reason));
}

function isUnexplained(reason: Reason): boolean {
  return reason === 'unknown' || reason === 'server_error';
}

/**
 * Whether an error would recur if the request were sent again. Besides final reasons these are refusals by a machine in
 * front (a firewall, a limit on the size of a body), while its 5xx says that it got no answer this time.
 */
export function isFinalError({ reason, status }: { readonly reason: Reason | null; readonly status: number | null }) {
  return isFinalReason(reason) || (reason === 'gateway' && status !== null && status >= 400 && status < 500);
}
