import prose from './prose.json' with { type: 'json' };

/** What an outcome class or a reason means to people. */
export interface Prose {
  readonly title: string;
  readonly explanation: string;
  /** What to do about it. */
  readonly advice: string;
}

/** What an outcome class means, with what follows from it. */
export interface ClassProse extends Prose {
  /** What goes wrong in a client that does not check. */
  readonly breaks: string;
  /** What usually lies behind it. */
  readonly cause: string;
}

/**
 * The outcome classes in the order in which a client checks. The names are stable. JSON Schemas and documentation follow
 * from this list and from `prose.json`: after a change, run `npm run generate`.
 */
export const outcomeClasses = [
  ...(['transport', 'http_error', 'malformed_response', 'truncated', 'filtered'] as const),
  ...(['unexpected_finish_reason', 'refused', 'empty_content', 'missing_tool_call'] as const),
  ...(['unexpected_tool_call', 'wrong_function', 'not_json', 'schema_violation', 'rule_violation'] as const),
  ...(['not_enforced', 'ineffective'] as const),
] as const;

export type OutcomeClass = (typeof outcomeClasses)[number];

export const outcomeProse: Readonly<Record<OutcomeClass, ClassProse>> = prose.classes;
