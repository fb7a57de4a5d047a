import { hasTemplate } from '../../../body/has-template.js';
import type { Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { ExpectPart, ProbeDraft } from '../probe-draft.js';
import { ruleFunctions } from './expression-fault.js';

/** Rules must compile, and the rules of one `expect` must have different ids. */
export function* checkRules(draft: ProbeDraft): Generator<Problem> {
  for (const part of draft.expectations) yield* rulesOf(part, draft);
}

function* rulesOf({ expect: { rules = [] }, path }: ExpectPart, { source, languages }: ProbeDraft): Generator<Problem> {
  const first = new Map<string, number>();
  for (const [index, { id, assert }] of rules.entries()) {
    const twin = first.get(id);
    if (twin === undefined) first.set(id, index);
    else {
      const { place } = source.spotOf([...path, 'rules', twin, 'id']);
      const message = `two rules are called "${id}" (the first on line ${place.line})`;
      yield problemAt(source, [...path, 'rules', index, 'id'], message, 'rename one of them');
    }
    // A rule with a template in it can be parsed only once the template is filled.
    const fault = hasTemplate(assert) ? null : languages.expressionFault(assert, ruleFunctions);
    if (fault !== null) {
      const hint = 'a rule is JSONata over value, vars, request, reply and steps, such as value.total = 897';
      const message = `the rule "${id}" is not JSONata: ${fault}`;
      yield problemAt(source, [...path, 'rules', index, 'assert'], message, hint);
    }
  }
}
