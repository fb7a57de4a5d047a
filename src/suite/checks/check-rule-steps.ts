import { didYouMean } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { Step } from '../probe.js';
import type { ProbeSource } from '../read/probe-source.js';
import { partsOf } from './request-parts.js';
import type { VariableReader } from './rule-variables.js';

/**
 * A step that a flow does not have is undefined in a rule, which then fails every answer of every model. Only a
 * warning, as for variables.
 */
export function* ruleStepProblems(
  probe: ProbeSource,
  steps: readonly Step[],
  read: VariableReader,
): Generator<Problem> {
  if (probe.written.steps === undefined) return;
  const ids = new Set(steps.map(({ id }) => id));
  for (const { expect, expectPath } of partsOf(probe, steps).requests) {
    for (const [index, { id, assert }] of (expect.rules ?? []).entries()) {
      for (const name of assert.includes('{{') ? [] : read(assert, 'steps')) {
        if (ids.has(name)) continue;
        const message = `the rule "${id}" names steps.${name}, and the flow has no such step`;
        const hint = didYouMean(name, ids, 'steps') ?? 'give a step that id';
        const path = [...expectPath, 'rules', index, 'assert'];
        yield problemAt(probe.source, path, message, hint, { severity: 'warning' });
      }
    }
  }
}
