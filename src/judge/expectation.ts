import type { Answer } from '../chat/exchange.js';
import type { Reading } from '../chat/reply.js';
import { requestKind } from '../chat/request-kind.js';
import type { Json, JsonObject } from '../json/json.js';
import type { Evaluated } from './jsonata/jsonata-engine.js';
import type { Reason, OutcomeClass } from './outcome.js';
import type { Conformance } from './schema/read-schema.js';

/** Roots of the data that a rule can read. */
export const ruleRoots = ['value', 'vars', 'request', 'reply', 'answer', 'steps'] as const;

/** The checks of the judge, in the order of a careful client: the first that fails names the outcome class. */
export const checks = [
  'transport',
  'status',
  'readable',
  'finish_reason',
  'presence',
  'json',
  'schema',
  'rules',
  'effect',
] as const;
export type Check = (typeof checks)[number];

/** A rule of the client, in JSONata over an object of {@link ruleRoots}. */
export interface Rule {
  readonly id: string;
  readonly assert: string;
  readonly message?: string;
  /** The outcome class of its violation; default: `rule_violation`. */
  readonly class?: RuleClass;
}

/** `ineffective`: what the request set has no effect, while the values may all be right. */
export type RuleClass = 'ineffective';

/** Members of `expect` in a suite. Those that it leaves out are derived from the request. */
export interface ExpectSpec {
  readonly tool_call?: string | boolean;
  readonly content?: 'text' | 'json' | 'any';
  readonly schema?: Json;
  readonly finish_reason?: readonly string[];
  readonly rejected?: { readonly status?: readonly number[]; readonly reason?: Reason; readonly only?: boolean };
  readonly outcome?: OutcomeClass;
  readonly rules?: readonly Rule[];
  /** Whether there must be evidence of reasoning: text, reasoning tokens, or tokens beyond the visible text. */
  readonly reasoning?: 'present' | 'absent';
  /** Checks to leave out, such as `finish_reason` for a program that does not read it. */
  readonly skip?: readonly Check[];
}

/** A complete expectation, with nothing left to derive. */
export interface Expectation {
  /** `{ name }`: that tool; `any`: some declared tool; `none`: a call is a failure; `optional`: either. */
  readonly toolCall: { readonly kind: 'named'; readonly name: string } | { readonly kind: 'any' | 'none' | 'optional' };
  /** `object`: JSON whose root is an object. If a call was made, the content is not checked. */
  readonly content: 'text' | 'json' | 'object' | 'any';
  readonly schema: Json | null;
  /** null: anything but `length` and `content_filter`. */
  readonly finishReasons: readonly string[] | null;
  readonly rejected: {
    readonly status: readonly number[] | null;
    readonly reason: Reason | null;
    readonly only: boolean;
  } | null;
  readonly outcome: OutcomeClass | null;
  readonly rules: readonly Rule[];
  readonly reasoning: 'present' | 'absent' | null;
  /** Checks that are left out; absent: none. */
  readonly skip?: readonly Check[];
}

/** Demands that follow from a request alone. */
type DerivedExpectation = Pick<Expectation, 'toolCall' | 'content' | 'schema'>;

function expectedContent(format: string | null): DerivedExpectation['content'] {
  if (format === 'json_object') return 'object';
  return format === 'json_schema' ? 'json' : 'text';
}

/** The demands that follow from a request: the form that it asks for, and the calls that its tools allow. */
export function derive(body: JsonObject): DerivedExpectation {
  const { format, schema, choice, chosen } = requestKind(body);
  return {
    toolCall: derivedCall(choice, chosen),
    content: expectedContent(format),
    schema: format === 'json_schema' ? schema : null,
  };
}

function derivedCall(choice: string | null, name: string | null): Expectation['toolCall'] {
  if (choice === null || choice === 'none') return { kind: 'none' };
  if (choice === 'object') return name === null ? { kind: 'any' } : { kind: 'named', name };
  return { kind: choice === 'required' ? 'any' : 'optional' };
}

/** A complete expectation: what a suite or a program says goes before what follows from the request. */
export function explicit(derived: DerivedExpectation, spec: ExpectSpec): Expectation {
  const { content, schema } = explicitContent(derived, spec);
  return {
    toolCall: spec.tool_call === undefined ? derived.toolCall : explicitCall(spec.tool_call),
    content,
    schema,
    finishReasons: spec.finish_reason ?? null,
    rejected:
      spec.rejected === undefined
        ? null
        : {
            status: spec.rejected.status ?? null,
            reason: spec.rejected.reason ?? null,
            only: spec.rejected.only ?? false,
          },
    outcome: spec.outcome ?? null,
    rules: spec.rules ?? [],
    reasoning: spec.reasoning ?? null,
    ...(spec.skip !== undefined && { skip: spec.skip }),
  };
}

function explicitCall(call: string | boolean): Expectation['toolCall'] {
  if (typeof call === 'boolean') return { kind: call ? 'any' : 'none' };
  return call === 'optional' ? { kind: 'optional' } : { kind: 'named', name: call };
}

/** A schema alone implies JSON content; a derived schema does not apply to `text` or `any`. */
function explicitContent(derived: DerivedExpectation, spec: ExpectSpec): Pick<Expectation, 'content' | 'schema'> {
  const content = spec.content ?? (spec.schema !== undefined && derived.content === 'text' ? 'json' : derived.content);
  const inherited = content === 'text' || content === 'any' ? null : derived.schema;
  return { content, schema: spec.schema ?? inherited };
}

/**
 * Work that the ladder cannot do everywhere alike: a run checks schemas with compiled code and rules with JSONata, both
 * under a time limit of Node; an application may stand where nothing but plain JavaScript runs.
 */
export interface Engine {
  /** In a run, others read the answer as well. */
  readonly read: (answer: Answer) => Reading;
  readonly checkSchema: (value: Json, schema: Json) => Conformance;
  /**
   * Answers of the rules about the same value.
   * @param answer as it came; parsed anew, so only for rules that look at it
   */
  readonly evaluate: (rules: readonly Rule[], input: JsonObject, answer: () => JsonObject) => readonly Evaluated[];
}
