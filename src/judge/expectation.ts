import type { Json } from '../json/json.js';
import type { Reason } from './reasons.js';
import type { OutcomeClass } from './outcome-classes.js';

/** What a rule can read. */
export const ruleRoots = ['value', 'vars', 'request', 'reply', 'steps'] as const;

/** The checks of the judge, in the order of a careful client: the first that fails names the outcome class. */
export const checks = [
  ...['transport', 'status', 'readable', 'finish_reason', 'presence', 'json', 'schema', 'rules', 'effect'],
] as const;
export type Check = (typeof checks)[number];

/** A rule of the client, in JSONata over an object of {@link ruleRoots}. */
export interface Rule {
  readonly id: string;
  readonly assert: string;
  readonly message?: string;
}

/** What a suite may set under `expect`. Whatever it leaves out is derived from the request. */
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
