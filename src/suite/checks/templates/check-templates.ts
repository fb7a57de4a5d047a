import { hasTemplate } from '../../../body/fault.js';
import type { Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { Path } from '../../../files/source.js';
import { isObject, type Json } from '../../../json/json.js';
import type { EarlierSteps, ProbeDraft } from '../probe-draft.js';
import { readTemplate } from './template-reader.js';
import { scopeFault, type TemplateScope } from './template-scope.js';

/**
 * Every template of a probe must parse, and use only names that every trial can fill in; `capability` may use the labels
 * of the axes and nothing else.
 */
export function* checkTemplates(draft: ProbeDraft): Generator<Problem> {
  const { written, path, steps, axes, samples, vars, modelVars } = draft;
  const labels = [...draft.labels.keys()];
  const noScope = { vars: {}, axes: labels, samples: [], modelVars: new Set<string>(), steps: null };
  yield* templateProblems(draft, written.capability, beneath([...path, 'capability']), noScope);
  // The documents of `enforce` are sent exactly as they are written. Without its samples, every column is unknown.
  if (written.enforce !== undefined || samples === null) return;
  const scopeAfter = (earlier: EarlierSteps): TemplateScope => ({
    ...{ vars, axes: labels, samples, modelVars: modelVars ?? new Set() },
    steps: written.steps === undefined ? null : earlier,
  });
  for (const { request, expect, pathOf, expectPath, earlier } of draft.requests) {
    const scope = scopeAfter(earlier);
    yield* templateProblems(draft, request, pathOf, scope);
    yield* templateProblems(draft, expect as Json, beneath(expectPath), scope);
  }
  for (const { result, path: at, earlier } of draft.results) {
    yield* templateProblems(draft, result, beneath(at), scopeAfter(earlier));
  }
  const scope = scopeAfter(new Map(steps.map(({ id, kind }) => [id, kind])));
  for (const { name, kind } of axes) {
    if (kind === 'settings') continue;
    yield* templateProblems(draft, written.vary?.[name] as Json, beneath([...path, 'vary', name]), scope);
  }
  for (const [index, { expect }] of (written.when ?? []).entries()) {
    yield* templateProblems(draft, expect as Json, beneath([...path, 'when', index, 'expect']), scope);
  }
}

type PathOf = (below: Path) => Path;

function beneath(path: Path): PathOf {
  return (below) => [...path, ...below];
}

function* templateProblems(
  { source }: ProbeDraft,
  value: Json | undefined,
  pathOf: PathOf,
  scope: TemplateScope,
): Generator<Problem> {
  for (const { text, below } of templatesIn(value ?? null)) {
    const template = readTemplate(text);
    if (!template.ok) {
      yield problemAt(source, pathOf(below), template.message, 'write \\{{ for two literal braces');
      continue;
    }
    for (const name of template.names) {
      const fault = scopeFault(scope, name);
      if (fault !== null) yield problemAt(source, pathOf(below), fault.message, fault.hint);
    }
  }
}

/** Texts with `{{` in them, at any depth. The names of members are not templates. */
export function* templatesIn(value: Json, below: Path = []): Generator<{ text: string; below: Path }> {
  if (typeof value === 'string') {
    if (hasTemplate(value)) yield { text: value, below };
  } else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) yield* templatesIn(item, [...below, index]);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* templatesIn(member, [...below, name]);
  }
}
