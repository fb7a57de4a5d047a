import type { Problem } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import type { Path } from '../../files/source.js';
import { isObject, type Json } from '../../json/json.js';
import type { Axis, Step } from '../probe.js';
import type { ProbeSource } from '../read/probe-source.js';
import { partsOf, type EarlierSteps } from './request-parts.js';
import { unknownName, type Scope } from './scope.js';
import type { TemplateReader } from './template-names.js';

/** Every template of a probe must parse and name only what every trial knows. */
export function* templateProblems(
  probe: ProbeSource,
  steps: readonly Step[],
  axes: readonly Axis[],
  scope: Omit<Scope, 'steps'>,
  read: TemplateReader,
): Generator<Problem> {
  const flow = probe.written.steps !== undefined;
  const within = (earlier: EarlierSteps): Scope => ({ ...scope, steps: flow ? earlier : null });
  const check = function* (value: Json | undefined, path: Path, names: Scope): Generator<Problem> {
    for (const { text, below } of templatesIn(value ?? null))
      yield* textProblems(probe, text, [...path, ...below], names, read);
  };
  // The documents of enforce are sent to the letter.
  if (probe.written.enforce !== undefined) return;
  const { requests, results } = partsOf(probe, steps);
  for (const { request, expect, placeOf, expectPath, earlier } of requests) {
    for (const { text, below } of templatesIn(request)) {
      yield* textProblems(probe, text, placeOf(below), within(earlier), read);
    }
    yield* check(expect as Json, expectPath, within(earlier));
  }
  for (const { result, path, earlier } of results) yield* check(result, path, within(earlier));
  const anywhere = within(new Map(steps.map(({ id, kind }) => [id, kind])));
  for (const axis of axes) {
    if (axis.kind === 'values')
      yield* check(probe.written.vary?.[axis.name] as Json, [...probe.path, 'vary', axis.name], anywhere);
  }
  for (const [index, when] of (probe.written.when ?? []).entries()) {
    yield* check(when.expect as Json, [...probe.path, 'when', index, 'expect'], anywhere);
  }
}

/** `capability` knows the labels of the axes and nothing else. */
export function* capabilityProblems(
  probe: ProbeSource,
  axes: readonly string[],
  read: TemplateReader,
): Generator<Problem> {
  const { capability } = probe.written;
  if (capability === undefined || !capability.includes('{{')) return;
  const scope = { vars: {}, axes, samples: [], modelVars: new Set<string>(), steps: null };
  yield* textProblems(probe, capability, [...probe.path, 'capability'], scope, read);
}

function* textProblems(
  probe: ProbeSource,
  text: string,
  path: Path,
  scope: Scope,
  read: TemplateReader,
): Generator<Problem> {
  const template = read(text);
  if (!template.ok) {
    yield problemAt(probe.source, path, template.message, 'write \\{{ for two braces that mean themselves');
    return;
  }
  for (const name of template.names) {
    const unknown = unknownName(scope, name);
    if (unknown !== null) yield problemAt(probe.source, path, unknown.message, unknown.hint);
  }
}

/** Texts with `{{` in them, at any depth; names of members are no templates. */
export function* templatesIn(value: Json, below: Path = []): Generator<{ text: string; below: Path }> {
  if (typeof value === 'string') {
    if (value.includes('{{')) yield { text: value, below };
  } else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) yield* templatesIn(item, [...below, index]);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* templatesIn(member, [...below, name]);
  }
}
