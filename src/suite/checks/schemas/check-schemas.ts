import type { Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { Path } from '../../../files/source.js';
import { isObject, type Json } from '../../../json/json.js';
import { at, withValueAt } from '../../../json/pointer.js';
import type { ProbeDraft } from '../probe-draft.js';
import { templatesIn } from '../templates/check-templates.js';
import { schemaAdvice } from './schema-advice.js';

/** The schemas of a probe's requests, expectations and axes must be JSON Schemas, unless it expects a refusal. */
export function* checkSchemas(draft: ProbeDraft): Generator<Problem> {
  // `enforce` has checks of its own.
  if (draft.written.enforce !== undefined) return;
  const sent = { severity: expectsRefusal(draft) ? 'warning' : 'error', advise: !draft.builtin } as const;
  // No service needs to support a schema that only the client checks, so there is nothing to advise.
  const checked = { severity: 'error', advise: false } as const;
  for (const { request, expect, pathOf, expectPath } of draft.requests) {
    for (const { schema, steps } of schemasIn(request)) {
      yield* checkSchema(draft, schema, (below) => pathOf([...steps, ...below]), sent);
    }
    yield* expectedSchema(expect.schema, expectPath);
  }
  for (const [index, { expect }] of (draft.written.when ?? []).entries()) {
    yield* expectedSchema(expect.schema, [...draft.path, 'when', index, 'expect']);
  }
  yield* checkVariedSchemas(draft, sent);

  function* expectedSchema(schema: Json | undefined, path: Path): Generator<Problem> {
    if (schema !== undefined) {
      yield* checkSchema(draft, schema, (below) => [...path, 'schema', ...below], checked);
    }
  }
}

interface Strictness {
  readonly severity: Problem['severity'];
  /** Warn where the schema leaves the advised subset. */
  readonly advise: boolean;
}

/** A probe may send a malformed schema on purpose. */
function expectsRefusal({ expectations }: ProbeDraft): boolean {
  return expectations.some(({ expect }) => expect.rejected !== undefined || expect.outcome === 'http_error');
}

/** What each point of an axis makes of the first request's schemas. */
function* checkVariedSchemas(draft: ProbeDraft, strictness: Strictness): Generator<Problem> {
  const request = draft.requests[0]?.request ?? {};
  for (const axis of draft.axes) {
    if (axis.kind !== 'values' || (axis.at[0] !== 'response_format' && axis.at[0] !== 'tools')) continue;
    const written = draft.written.vary?.[axis.name];
    const inner = typeof written === 'object' && 'points' in written && 'at' in written ? ['points'] : [];
    for (const [index, [label, point]] of [...axis.points].entries()) {
      if (point.kind === 'unset') continue;
      const path = [...draft.path, 'vary', axis.name, ...inner, axis.listed ? index : label];
      for (const { schema, steps } of schemasIn(withValueAt(request, axis.at, point.value))) {
        const isSetHere = axis.at.every(
          (step, position) => steps[position] === undefined || String(steps[position]) === step,
        );
        const pathOf = (below: Path): Path => [...path, ...steps.slice(axis.at.length), ...below];
        if (isSetHere) yield* checkSchema(draft, schema, pathOf, strictness);
      }
    }
  }
}

function* checkSchema(
  { source, languages }: ProbeDraft,
  schema: Json,
  pathOf: (below: Path) => Path,
  { severity, advise }: Strictness,
): Generator<Problem> {
  // A schema with templates can be compiled only after they are filled.
  if (!templatesIn(schema).next().done) return;
  const compiled = languages.compileSchema(schema);
  if (!compiled.ok) {
    const hint = severity === 'warning' ? 'it is sent as it is, since the probe expects a refusal' : compiled.hint;
    yield problemAt(source, pathOf(compiled.below), compiled.message, hint, { severity });
  } else if (advise) {
    for (const { below, message, hint } of schemaAdvice(schema)) {
      yield problemAt(source, pathOf(below), message, hint, { severity: 'warning', part: 'key' });
    }
  }
}

/** The JSON Schemas of a request body: of `response_format` and of the parameters of each tool. */
function* schemasIn(body: Json): Generator<{ schema: Json; steps: Path }> {
  const steps = ['response_format', 'json_schema', 'schema'];
  const schema = at(body, steps);
  if (schema !== undefined) yield { schema, steps };
  const tools = isObject(body) ? body['tools'] : undefined;
  if (!Array.isArray(tools)) return;
  for (const [index, tool] of (tools as readonly Json[]).entries()) {
    const parameters = at(tool, ['function', 'parameters']);
    if (parameters !== undefined) yield { schema: parameters, steps: ['tools', index, 'function', 'parameters'] };
  }
}
