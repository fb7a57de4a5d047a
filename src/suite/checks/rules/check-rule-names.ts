import { hasTemplate } from '../../../body/has-template.js';
import { didYouMean, nearest } from '../../../files/problems/nearest.js';
import type { Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { Path } from '../../../files/source.js';
import { ruleRoots } from '../../../judge/expectation.js';
import type { ExpectPart, ProbeDraft } from '../probe-draft.js';
import type { RuleRoot } from './rule-members.js';

/**
 * What a rule is not given is undefined in it: every answer passes `$not($exists(valeu.error))`, and every answer fails
 * `valeu.total = 897`.
 */
export function* checkRuleRoots({ source, languages, expectations }: ProbeDraft): Generator<Problem> {
  for (const { id, assert, path } of rulesIn(expectations)) {
    for (const name of languages.rootsNamed(assert)) {
      if (isRuleRoot(name)) continue;
      const message = `the rule "${id}" uses ${name}, but a rule knows only ${ruleRoots.join(', ')}`;
      const near = nearest(name, ruleRoots);
      const hint = near === null ? `is it a member of the answer, value.${name}?` : `did you mean "${near}"?`;
      yield problemAt(source, path, message, hint);
    }
  }
}

const isRuleRoot = (name: string): boolean => (ruleRoots as readonly string[]).includes(name);

/**
 * A member of `vars` that nothing defines is undefined in a rule, so that every answer fails it. Only a warning, since
 * a rule may test whether a variable exists.
 */
export function* checkRuleVariables(draft: ProbeDraft): Generator<Problem> {
  const { vars, modelVars, samples, labels, expectations } = draft;
  if (modelVars === null || samples.rows === null) return;
  const known = new Set([...Object.keys(vars), ...modelVars, ...samples.rows.flatMap(Object.keys), ...labels.keys()]);
  for (const { rule, name, path } of unknownMembers(draft, expectations, 'vars', known)) {
    const message = `the rule "${rule}" uses vars.${name}, which nothing defines`;
    const hint = didYouMean(name, known, 'known names') ?? 'define it under vars of the suite';
    yield problemAt(draft.source, path, message, hint, { severity: 'warning' });
  }
}

/** A step that a flow does not have is undefined in a rule too. Only a warning, as for variables. */
export function* checkRuleSteps(draft: ProbeDraft): Generator<Problem> {
  if (draft.written.steps === undefined) return;
  const ids = new Set(draft.steps.map(({ id }) => id));
  const ofSteps = draft.requests.map(({ expect, expectPath }) => ({ expect, path: expectPath }));
  for (const { rule, name, path } of unknownMembers(draft, ofSteps, 'steps', ids)) {
    const message = `the rule "${rule}" uses steps.${name}, but the flow has no such step`;
    const hint = didYouMean(name, ids, 'steps') ?? 'give a step that id';
    yield problemAt(draft.source, path, message, hint, { severity: 'warning' });
  }
}

interface UnknownMember {
  readonly rule: string;
  readonly name: string;
  readonly path: Path;
}

function* unknownMembers(
  { languages }: ProbeDraft,
  expectations: readonly ExpectPart[],
  root: RuleRoot,
  known: ReadonlySet<string>,
): Generator<UnknownMember> {
  for (const { id, assert, path } of rulesIn(expectations)) {
    for (const name of languages.membersNamed(assert, root)) if (!known.has(name)) yield { rule: id, name, path };
  }
}

/** Those that can be read: a template in a rule is filled only when it is asked. */
function* rulesIn(expectations: readonly ExpectPart[]) {
  for (const { expect, path } of expectations) {
    for (const [index, { id, assert }] of (expect.rules ?? []).entries())
      if (!hasTemplate(assert)) yield { id, assert, path: [...path, 'rules', index, 'assert'] };
  }
}
