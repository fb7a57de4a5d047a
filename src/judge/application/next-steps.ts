import type { JsonObject } from '../../json/json.js';

/** What to do after an answer. */
export const nextSteps = [
  /** Nothing: the answer can be used. */
  'none',
  /** Ask the same again. */
  'retry',
  /** Ask the same again with less randomness. */
  'lower_temperature',
  /** Ask the same again with room for more output. */
  'larger_max_tokens',
  /** Mend the request. */
  'change_request',
  /** Ask for the same in another request form. */
  'other_form',
  /** Asking again gives the same, or nobody waits for it: the application aborted the request. */
  'never',
] as const;
export type NextStep = (typeof nextSteps)[number];

/** The structured request forms. */
export type RequestForm = 'json_schema' | 'json_object' | 'tool_call';

export interface RetryAdvice {
  readonly step: NextStep;
  /** Whether the same request with `changes` is worth sending again, a limited number of times. */
  readonly again: boolean;
  /** Seconds that the service asks to wait; null: it does not say, and your own back-off applies. */
  readonly after_seconds: number | null;
  /** Members to set in the request before it is sent again; null removes one (RFC 7396). */
  readonly changes: JsonObject;
  /** Where `step` is `other_form`: the forms to try, the best first. */
  readonly other_forms: readonly RequestForm[];
  /** For people. */
  readonly advice: string;
}
