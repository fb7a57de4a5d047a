import { didYouMean } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { Path } from '../../files/source.js';
import type { ExpectSpec } from '../../judge/expectation.js';
import type { Step } from '../probe.js';
import type { ProbeSource } from '../read/probe-source.js';
import { partsOf } from './request-parts.js';
import type { VariableReader } from './rule-variables.js';

/**
 * A member of `vars` that nothing defines is undefined in a rule, which then fails every answer. Only a warning, since
 * a rule may ask whether there is one.
 * @param known every name that a trial of the probe may know
 */
export function* ruleVariableProblems(
  probe: ProbeSource,
  steps: readonly Step[],
  known: ReadonlySet<string>,
  read: VariableReader,
): Generator<Problem> {
  const check = function* ({ rules = [] }: ExpectSpec, path: Path): Generator<Problem> {
    for (const [index, { id, assert }] of rules.entries()) {
      for (const name of assert.includes('{{') ? [] : read(assert)) {
        if (known.has(name)) continue;
        const message = `the rule "${id}" names vars.${name}, which nothing defines`;
        const hint = didYouMean(name, known, 'known names') ?? 'define it under vars of the suite';
        const at = [...path, 'rules', index, 'assert'];
        yield problemAt(probe.source, at, message, hint, { severity: 'warning' });
      }
    }
  };
  for (const { expect, expectPath } of partsOf(probe, steps).requests) yield* check(expect, expectPath);
  for (const [index, { expect }] of (probe.written.when ?? []).entries()) {
    yield* check(expect, [...probe.path, 'when', index, 'expect']);
  }
}
