import type { Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import { behaviourFunctions } from '../rules/expression-fault.js';
import type { SuitesDraft } from '../suites-draft.js';

/** The conditions of a behaviour must compile. */
export function* checkBehaviours({ suites, languages }: SuitesDraft): Generator<Problem> {
  for (const { suite, source, checked } of suites) {
    if (checked) continue;
    for (const [index, behaviour] of suite.behaviours.entries()) {
      for (const part of ['when', 'unless'] as const) {
        const expression = behaviour[part];
        const fault = expression === null ? null : languages.expressionFault(expression, behaviourFunctions);
        if (fault === null) continue;
        const message = `${part} of "${behaviour.id}" is not JSONata: ${fault}`;
        yield problemAt(source, ['behaviours', index, part], message, 'see docs/behaviours.md');
      }
    }
  }
}
