import type { Json } from '../../json/json.js';
import type { ruleRoots } from '../expectation.js';
import { replyOf, valueOf, type JudgeContext, type RungCheck } from '../context.js';
import type { Violation } from '../outcome.js';

/** A value that conforms must also satisfy the client's own rules. */
export const rules: RungCheck = (context) => {
  if (context.expectation.rules.length === 0) return null;
  const violations = brokenRules(context);
  const [first] = violations;
  if (first === undefined) return null;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return {
    class: 'rule_violation',
    rung: 'conforms',
    violations,
    detail: `broken rule ${first.at}: ${first.message}${more}`,
  };
};

function brokenRules(context: JudgeContext): Violation[] {
  const { rules: asked } = context.expectation;
  const { vars, request, steps } = context.values;
  const reply = replyOf(context) as unknown as Json;
  const value = valueOf(context);
  const known = { vars, request, reply, steps } satisfies Partial<Record<(typeof ruleRoots)[number], Json>>;
  const input: Json = value === undefined ? known : { value, ...known };
  const answers = context.engine.evaluate(asked, input);
  return asked.flatMap(({ id, assert, message }, index) => {
    const answer = answers[index];
    if (answer?.ok !== true)
      return [{ at: id, message: `${message ?? assert} (error: ${answer?.error ?? 'no answer'})` }];
    return answer.value === true ? [] : [{ at: id, message: message ?? `${assert} is not true` }];
  });
}
