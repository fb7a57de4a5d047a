import type { Json } from '../../json/json.js';
import { readAnswer } from '../../chat/read-answer.js';
import type { Reply } from '../../chat/reply.js';
import type { Engine } from '../engine.js';
import type { Rule } from '../expectation.js';
import type { Evaluated } from '../jsonata/jsonata-engine.js';
import { checkAlone, type Conformance } from '../schema/check-alone.js';

/** What a rule may look at besides the value. */
export interface RuleInput {
  /** The body as sent. */
  readonly request: Json;
  readonly reply: Reply;
}

/** A rule of an application: a function, since JSONata makes code and waits. */
export interface CheckRule {
  readonly id: string;
  /**
   * Whether the value keeps the rule; only `true` does. An error that it throws is reported as its violation.
   * @param value the parsed content, the call's arguments, or the text
   */
  readonly check: (value: Json, input: RuleInput) => boolean;
  /** What is wrong where the rule is broken. */
  readonly message?: string;
}

/**
 * Validates a value against a JSON Schema: 2020-12, unless its `$schema` names another dialect. Gives the first 50
 * violations. Never throws.
 */
export const checkSchema: (value: Json, schema: Json) => Conformance = checkAlone;

/** The engine of an application: plain JavaScript, without a time limit. */
export function portableEngine(rules: readonly CheckRule[]): Engine {
  return {
    read: readAnswer,
    checkSchema,
    evaluate: (asked, input) => asked.map(({ assert }) => evaluated(rules[Number(assert)], input)),
  };
}

/** The rules as the ladder knows them: their texts are their places in the list. */
export function numbered(rules: readonly CheckRule[]): readonly Rule[] {
  return rules.map(({ id, check, message }, index) => {
    if (typeof check === 'function')
      return { id, assert: String(index), message: message ?? 'the value breaks this rule' };
    throw new TypeError(`rule ${id} has no function \`check\`; JSONata rules are judged by \`judge\` of 'chatspec'`);
  });
}

function evaluated(rule: CheckRule | undefined, input: Json): Evaluated {
  const { value, request, reply } = input as unknown as RuleInput & { readonly value: Json };
  try {
    const kept: unknown = rule?.check(value, { request, reply });
    if (kept instanceof Promise) return promised(kept);
    return { ok: true, value: kept === true };
  } catch (error) {
    return { ok: false, error: messageOf(error) };
  }
}

/** Nobody waits for it, so nobody else hears of its failure. */
function promised(kept: Promise<unknown>): Evaluated {
  kept.catch(() => undefined);
  return { ok: false, error: '`check` gave a promise; a rule has to answer at once' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
}
