import type { Problem } from '../../../files/problems/problem.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { Path } from '../../../files/source.js';
import { isObject, type Json } from '../../../json/json.js';
import { at, withValueAt } from '../../../json/pointer.js';
import { pointPath } from '../point-path.js';
import type { ProbeDraft } from '../probe-draft.js';
import { templatesIn } from '../templates/check-templates.js';
import { schemaAdvice } from './schema-advice.js';

/** The schemas of a probe's requests, expectations and axes must be JSON Schemas, unless it sends others on purpose. */
export function* checkSchemas(draft: ProbeDraft): Generator<Problem> {
  // `enforce` has checks of its own.
  if (draft.written.enforce !== undefined) return;
  const sent = { sent: true, advise: true };
  // No service needs to support a schema that only the client checks, so there is nothing to advise but a misspelt keyword.
  const checked = { sent: false, advise: false };
  for (const { request, expect, pathOf, expectPath } of draft.requests) {
    for (const { schema, steps } of schemasIn(request)) {
      yield* checkSchema(draft, schema, (below) => pathOf([...steps, ...below]), { ...sent, steps });
    }
    yield* expectedSchema(expect.schema, expectPath);
  }
  for (const [index, { expect }] of (draft.written.when ?? []).entries()) {
    yield* expectedSchema(expect.schema, [...draft.path, 'when', index, 'expect']);
  }
  yield* checkVariedSchemas(draft, sent);

  function* expectedSchema(schema: Json | undefined, path: Path): Generator<Problem> {
    if (schema !== undefined) {
      yield* checkSchema(draft, schema, (below) => [...path, 'schema', ...below], { ...checked, steps: [] });
    }
  }
}

interface Strictness {
  /** Part of a request, which a probe may send malformed on purpose. */
  readonly sent: boolean;
  /** Warn where the schema leaves the advised subset. */
  readonly advise: boolean;
}

/** What each point of an axis makes of the first request's schemas. */
function* checkVariedSchemas(draft: ProbeDraft, strictness: Strictness): Generator<Problem> {
  for (const axis of draft.axes) {
    if (axis.kind !== 'values' || (axis.at[0] !== 'response_format' && axis.at[0] !== 'tools')) continue;
    const holders = draft.requests.map(({ request }) => request);
    const request = holders.find((one) => at(one, axis.at.slice(0, -1)) !== undefined) ?? holders[0] ?? {};
    for (const [label, point] of axis.points) {
      if (point.kind === 'unset') continue;
      const path = pointPath(draft, axis.name, label);
      for (const { schema, steps } of schemasIn(withValueAt(request, axis.at, point.value))) {
        const isSetHere = axis.at.every(
          (step, position) => steps[position] === undefined || String(steps[position]) === step,
        );
        const pathOf = (below: Path): Path => [...path, ...steps.slice(axis.at.length), ...below];
        if (isSetHere) yield* checkSchema(draft, schema, pathOf, { ...strictness, steps });
      }
    }
  }
}

function* checkSchema(
  { source, languages, deliberate, builtin }: ProbeDraft,
  schema: Json,
  pathOf: (below: Path) => Path,
  { sent, advise, steps }: Strictness & { readonly steps: Path },
): Generator<Problem> {
  // A schema with templates can be compiled only after they are filled.
  if (!templatesIn(schema).next().done) return;
  // The check of the request itself says so.
  if (sent && !isObject(schema)) return;
  const compiled = languages.compileSchema(schema);
  if (!compiled.ok) {
    const place = [...steps, ...compiled.below];
    if (sent && deliberate.covers(place)) return;
    const onPurpose = `if it is sent on purpose, write deliberate: [/${place.join('/')}]`;
    yield problemAt(source, pathOf(compiled.below), compiled.message, compiled.hint ?? (sent ? onPurpose : undefined));
  } else if (!builtin) {
    for (const { below, message, hint, mistake = false } of schemaAdvice(schema)) {
      if (mistake ? sent && deliberate.covers([...steps, ...below]) : !advise) continue;
      yield problemAt(source, pathOf(below), message, hint, { severity: mistake ? 'error' : 'warning', part: 'key' });
    }
  }
}

/** The JSON Schemas of a request body: of `response_format` and of the parameters of each tool. */
export function* schemasIn(body: Json): Generator<{ schema: Json; steps: Path }> {
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
