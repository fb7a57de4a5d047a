import { hasTemplate } from '../../../body/fault.js';
import { didYouMean, nearest } from '../../../files/problems/nearest.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { Problem } from '../../../files/problems/problem.js';
import type { Path } from '../../../files/source.js';
import { isObject, type Json, type JsonObject } from '../../../json/json.js';
import { at } from '../../../json/pointer.js';
import type { Step } from '../../probe.js';
import type { EarlierSteps, ProbeDraft } from '../probe-draft.js';
import { readTemplate, type TemplateName } from './template-reader.js';

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

/** The variables that a template may use. */
interface TemplateScope {
  readonly vars: JsonObject;
  /** Names of axes: their labels. */
  readonly axes: readonly string[];
  readonly samples: readonly JsonObject[];
  /** Names that some model's `vars` define. Only the names count: the values differ from model to model. */
  readonly modelVars: ReadonlySet<string>;
  /** null outside of flows. */
  readonly steps: EarlierSteps | null;
}

interface ScopeFault {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What is wrong with a name in a template; null when every trial can fill it in. */
function scopeFault(scope: TemplateScope, { parts, direct }: TemplateName): ScopeFault | null {
  const [first = '', ...below] = parts;
  if (scope.axes.includes(first)) {
    return below.length === 0 ? null : { message: `{{${first}}} is a label: it has no members` };
  }
  if (first === 'steps' && scope.steps !== null) return unknownStep(scope.steps, below);
  const { samples, vars, modelVars } = scope;
  const rowWithout = samples.findIndex((row) => !Object.hasOwn(row, first));
  const inRows = samples.length > 0 && rowWithout < 0;
  if (!inRows && modelVars.has(first)) return null;
  const inVars = Object.hasOwn(vars, first);
  if (!inRows && !inVars) {
    return samples.some((row) => Object.hasOwn(row, first))
      ? { message: `row ${rowWithout + 1} of the samples has no "${first}"`, hint: 'give every row the same columns' }
      : { message: `unknown name "${first}"`, hint: nameHint(first, scope) };
  }
  for (const [index, values] of (inRows ? samples : [vars]).entries()) {
    const value = at(values, parts);
    const where = inRows ? `row ${index + 1} of the samples` : 'vars';
    if (value === undefined) return missing(values, parts, where);
    if (direct && isObject(value)) {
      return { message: `"${parts.join('.')}" is an object, not text`, hint: `write {{json ${parts.join('.')}}}` };
    }
  }
  return null;
}

/** What later steps can use of a step. */
const stepMembers: Readonly<Record<Step['kind'], readonly string[]>> = {
  ask: ['arguments', 'value', 'content', 'reply'],
  run: ['result'],
};

/** The members of a reply. */
export const replyMembers: ReadonlySet<string> = new Set(
  (
    'id request_id object model system_fingerprint role content reasoning refusal tool_calls finish_reason ' +
    'native_finish_reason usage choices streamed ending empty_chunks quirks'
  ).split(' '),
);

function unknownStep(steps: EarlierSteps, [id, member, inner]: readonly string[]): ScopeFault | null {
  if (id === undefined) return null;
  const kind = steps.get(id);
  if (kind === undefined) {
    const hint = steps.size === 0 ? 'this is the first step' : didYouMean(id, steps.keys(), 'earlier steps');
    return { message: `there is no earlier step "${id}"`, hint };
  }
  const members = stepMembers[kind];
  if (member !== undefined && !members.includes(member))
    return { message: `a step has no "${member}"`, hint: didYouMean(member, members, `members of the step ${id}`) };
  if (member !== 'reply' || inner === undefined || replyMembers.has(inner)) return null;
  const meant = nearest(inner, replyMembers);
  const hint =
    meant === null ? `members of a reply: ${[...replyMembers].join(', ')}` : `write steps.${id}.reply.${meant}`;
  return { message: `a reply has no "${inner}"`, hint };
}

function missing(values: Json, parts: readonly string[], where: string): ScopeFault {
  const known = parts.findIndex((_, index) => at(values, parts.slice(0, index + 1)) === undefined);
  const holder = at(values, parts.slice(0, known));
  const hint = isObject(holder) ? didYouMean(parts[known] ?? '', Object.keys(holder)) : undefined;
  return { message: `${where} has no "${parts.slice(0, known + 1).join('.')}"`, hint };
}

function nameHint(name: string, { vars, axes, samples, modelVars, steps }: TemplateScope): string {
  const names = new Set([...Object.keys(vars), ...axes, ...samples.flatMap(Object.keys), ...modelVars]);
  if (steps !== null) names.add('steps');
  return didYouMean(name, names, 'known names') ?? 'define it under vars, or write \\{{ for two literal braces';
}
