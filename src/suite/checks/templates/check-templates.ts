import { hasTemplate } from '../../../body/fault.js';
import { didYouMean, nearest } from '../../../files/problems/nearest.js';
import { problemAt, type Problem, type Path } from '../../../files/problems/problem.js';
import { isObject, type Json, type JsonObject, at } from '../../../json/json.js';
import type { ProbeDraft } from '../probe-draft.js';
import { readTemplate, type TemplateName } from './template-reader.js';

/** Stands for a value that only a trial knows: any member of it may be there. */
const anyTemplateValue: JsonObject = {};

/** The names that a template may use, as a tree: one, or one for each row of the samples. */
type Scope = readonly { readonly variables: JsonObject; readonly columns: JsonObject }[];

/**
 * Every template of a probe must parse, and use only names that every trial can fill in; `capability` may use the
 * labels of the axes and nothing else.
 */
export function* checkTemplates(draft: ProbeDraft): Generator<Problem> {
  const { written, path, steps, axes, samples, vars, modelVars } = draft;
  const beneath = (base: Path) => (below: Path) => [...base, ...below];
  const labels = Object.fromEntries([...draft.labels.keys()].map((name) => [name, '']));
  const labelsOnly: Scope = [{ variables: labels, columns: {} }];
  yield* templateProblems(draft, written.capability, beneath([...path, 'capability']), labelsOnly);
  // The documents of `enforce` are sent exactly as they are written. Without its samples, every column is unknown.
  if (written.enforce !== undefined || samples === null) return;
  const ofModels = Object.fromEntries([...(modelVars ?? [])].map((name) => [name, anyTemplateValue]));
  const rows = samples.length === 0 ? [{}] : samples;
  const scopeWith = (earlier: JsonObject): Scope =>
    rows.map((columns) => {
      const flow = written.steps === undefined ? {} : { steps: { ...earlier } };
      return { variables: { ...ofModels, ...vars, ...columns, ...flow, ...labels }, columns };
    });
  const earlier: Record<string, Json> = {};
  const requests = draft.requests.values();
  for (const [index, step] of steps.entries()) {
    const scope = scopeWith(earlier);
    if (step.kind === 'run') {
      yield* templateProblems(draft, step.result, beneath([...path, 'steps', index, 'run', 'result']), scope);
    } else {
      const part = requests.next().value;
      if (part === undefined) continue;
      yield* templateProblems(draft, part.request, part.pathOf, scope);
      yield* templateProblems(draft, part.expect as Json, beneath(part.expectPath), scope);
    }
    earlier[step.id] = stepMembers[step.kind];
  }
  const scope = scopeWith(earlier);
  for (const { name, kind } of axes) {
    if (kind === 'settings') continue;
    yield* templateProblems(draft, written.vary?.[name] as Json, beneath([...path, 'vary', name]), scope);
  }
  for (const [index, { expect }] of (written.when ?? []).entries()) {
    yield* templateProblems(draft, expect as Json, beneath([...path, 'when', index, 'expect']), scope);
  }
}

function* templateProblems(
  { source }: ProbeDraft,
  value: Json | undefined,
  pathOf: (below: Path) => Path,
  scope: Scope,
): Generator<Problem> {
  for (const { text, below } of templatesIn(value ?? null)) {
    const template = readTemplate(text);
    if (!template.ok) {
      yield problemAt(source, pathOf(below), template.message, 'write \\{{ for two literal braces');
    } else {
      for (const name of template.names) {
        const fault = templateNameFault(name, scope);
        if (fault !== null) yield problemAt(source, pathOf(below), ...fault);
      }
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

/** The members of a reply. */
export const replyMembers: ReadonlySet<string> = new Set(
  (
    'id request_id object model system_fingerprint role content reasoning refusal tool_calls finish_reason ' +
    'native_finish_reason usage choices streamed ending empty_chunks quirks'
  ).split(' '),
);

/** The members of a step that later steps can use. */
const stepMembers: Readonly<Record<'ask' | 'run', JsonObject>> = {
  ask: {
    arguments: anyTemplateValue,
    value: anyTemplateValue,
    content: anyTemplateValue,
    reply: Object.fromEntries([...replyMembers].map((name) => [name, anyTemplateValue])),
  },
  run: { result: anyTemplateValue },
};

type TemplateNameFault = readonly [message: string, hint: string | undefined];

/** The fault of a name in a template; null when every trial can fill it in. */
function templateNameFault({ parts, direct }: TemplateName, scope: Scope): TemplateNameFault | null {
  const isColumn = scope.some(({ columns }) => Object.hasOwn(columns, parts[0] ?? ''));
  for (const [row, { variables }] of scope.entries()) {
    const depth = parts.findIndex((_, index) => at(variables, parts.slice(0, index + 1)) === undefined);
    const known = parts.slice(0, depth < 0 ? parts.length : depth);
    if (known.some((_, index) => at(variables, known.slice(0, index + 1)) === anyTemplateValue)) continue;
    const value = at(variables, known);
    if (depth >= 0) {
      return missingNameFault(known, parts[depth] ?? '', value, isColumn ? `row ${row + 1} of the samples` : 'vars');
    }
    if (direct && isObject(value)) {
      return [`"${parts.join('.')}" is an object, not text`, `write {{json ${parts.join('.')}}}`];
    }
  }
  return null;
}

/** @param where the rows or the vars of the suite, which have the first name */
function missingNameFault(
  known: readonly string[],
  name: string,
  holder: Json | undefined,
  where: string,
): TemplateNameFault {
  const names = isObject(holder) ? Object.keys(holder) : [];
  const [first, step, member] = known;
  if (first === 'steps' && member === 'reply') {
    const meant = nearest(name, names);
    const hint = meant === null ? `members of a reply: ${names.join(', ')}` : `write ${known.join('.')}.${meant}`;
    return [`a reply has no "${name}"`, hint];
  }
  if (first === 'steps') {
    return step === undefined
      ? [`there is no earlier step "${name}"`, didYouMean(name, names, 'earlier steps') ?? 'this is the first step']
      : [`a step has no "${name}"`, didYouMean(name, names, `members of the step ${step}`)];
  }
  if (first !== undefined || where !== 'vars') {
    return [`${where} has no "${[...known, name].join('.')}"`, didYouMean(name, names)];
  }
  const hint = didYouMean(name, names, 'known names') ?? 'define it under vars, or write \\{{ for two literal braces';
  return [`unknown name "${name}"`, hint];
}
