import { didYouMean, nearest } from '../../../files/problems/nearest.js';
import { problemAt } from '../../../files/problems/problem-at.js';
import type { Problem } from '../../../files/problems/problem.js';
import type { Path } from '../../../files/source.js';
import { isObject, type Json } from '../../../json/json.js';
import { at, withValueAt } from '../../../json/pointer.js';
import { checkSchema as conformance } from '../../../judge/schema/conformance.js';
import { readSchema, typeNames } from '../../../judge/schema/read-schema.js';
import type { EnforceFile } from '../../suite-file.js';
import { probeProblem, type ProbeDraft } from '../probe-draft.js';
import { templatesIn } from '../templates/check-templates.js';
import { knownKeywords, schemaAdvice } from './schema-advice.js';

/** The schemas of a probe's requests, expectations and axes must be JSON Schemas, unless it sends others on purpose. */
export function* checkSchemas(draft: ProbeDraft): Generator<Problem> {
  if (draft.written.enforce !== undefined) {
    yield* checkEnforce(draft, draft.written.enforce);
    return;
  }
  for (const { request, pathOf } of draft.requests) {
    for (const { schema, steps } of schemasIn(request))
      yield* checkSchema(draft, schema, (below) => pathOf([...steps, ...below]), steps);
  }
  for (const { expect, path } of draft.expectations) {
    if (expect.schema !== undefined) yield* checkSchema(draft, expect.schema, (below) => [...path, 'schema', ...below]);
  }
  // What each point of an axis makes of a request's schemas.
  const requests = draft.requests.map(({ request }) => request);
  for (const axis of draft.axes) {
    if (axis.kind !== 'values' || !['response_format', 'tools'].includes(axis.at[0] ?? '')) continue;
    const request = requests.find((one) => at(one, axis.at.slice(0, -1)) !== undefined) ?? requests[0] ?? {};
    for (const [label, point] of axis.points) {
      if (point.kind === 'unset') continue;
      for (const { schema, steps } of schemasIn(withValueAt(request, axis.at, point.value))) {
        if (!axis.at.every((step, index) => String(steps[index] ?? step) === step)) continue;
        const path = [...draft.pointPath(axis.name, label), ...steps.slice(axis.at.length)];
        yield* checkSchema(draft, schema, (below) => [...path, ...below], steps);
      }
    }
  }
}

/**
 * @param sent where it stands in a request, which a probe may send malformed on purpose; absent: only the client checks it,
 * so that no service needs to support it, and there is nothing to advise but a misspelt keyword
 */
function* checkSchema(
  { source, deliberate }: ProbeDraft,
  schema: Json,
  pathOf: (below: Path) => Path,
  sent?: Path,
): Generator<Problem> {
  // A schema with templates can be compiled only after they are filled; the check of the request tells what is no object.
  if (!templatesIn(schema).next().done || (sent !== undefined && !isObject(schema))) return;
  const isMeant = (below: Path): boolean =>
    sent !== undefined && deliberate.covers({ path: [...sent, ...below], lacks: null });
  const compiled = checkedSchema(schema);
  if (!compiled.ok) {
    const { below, message, hint } = compiled;
    const onPurpose = sent && `if it is sent on purpose, write deliberate: [/${[...sent, ...below].join('/')}]`;
    if (!isMeant(below)) yield problemAt(source, pathOf(below), message, hint ?? onPurpose);
    return;
  }
  for (const { below, message, hint, mistake = false } of schemaAdvice(schema)) {
    if (mistake ? isMeant(below) : sent === undefined) continue;
    yield problemAt(source, pathOf(below), message, hint, { severity: mistake ? 'error' : 'warning', part: 'key' });
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

type CheckedSchema =
  /** `accepts` gives null, or why a value does not conform. */
  | { readonly ok: true; readonly accepts: (value: Json) => string | null }
  | { readonly ok: false; readonly message: string; readonly hint?: string | undefined; readonly below: Path };

/** What the judge makes of a schema, in words for the author of a suite. */
export function checkedSchema(schema: Json): CheckedSchema {
  const read = readSchema(schema);
  if (read.kind === 'read') return { ok: true, accepts: (value) => whyNot(value, schema) };
  const { error, invalid, unresolved } = read;
  if (invalid !== null) {
    const { at: below, message, found } = invalid;
    const isType = below.at(-1) === 'type' && typeof found === 'string';
    const hint = isType ? didYouMean(found, typeNames, 'allowed') : undefined;
    return {
      ok: false,
      message: `this is not a JSON Schema: ${[below.join('.'), message].join(' ').trim()}`,
      hint,
      below,
    };
  }
  if (unresolved !== null) {
    const hint = 'a file is named by a path that begins with ./ or ../, a part of the same schema by #/$defs/NAME';
    return { ok: false, message: `the $ref "${unresolved}" leads nowhere in this schema`, hint, below: [] };
  }
  const why = error.includes('call stack') ? 'it is nested too deeply' : error;
  return { ok: false, message: `this JSON Schema cannot be used: ${why}`, below: [] };
}

function whyNot(value: Json, schema: Json): string | null {
  const result = conformance(value, schema);
  if (result.kind === 'conforms') return null;
  if (result.kind === 'unusable') return result.error;
  const [{ at: place, message } = { at: '', message: 'does not conform' }] = result.violations;
  return `${place === '' ? 'it' : place} ${message}`;
}

/** `enforce` proves nothing unless one document conforms to the schema and the other does not. */
function* checkEnforce(draft: ProbeDraft, enforce: EnforceFile): Generator<Problem> {
  const compiled = checkedSchema(enforce.schema);
  if (!compiled.ok) {
    yield probeProblem(draft, ['enforce', 'schema', ...compiled.below], compiled.message, compiled.hint);
    return;
  }
  const violation = compiled.accepts(enforce.valid);
  if (violation !== null) {
    const message = `the valid document does not conform to the schema: ${violation}`;
    const hint = 'a model that is held to the schema could never repeat it';
    yield probeProblem(draft, ['enforce', 'valid'], message, hint);
  }
  // A description constrains nothing, so no document can break it.
  if (enforce.keyword !== 'description' && compiled.accepts(enforce.invalid) === null) {
    const message = 'the invalid document conforms to the schema';
    yield probeProblem(draft, ['enforce', 'invalid'], message, `let it break just the keyword ${enforce.keyword}`);
  }
  yield* checkKeyword(draft, enforce);
}

/**
 * The verdict allows for replies that conform by chance, and how many do depends on `keyword`: a wrong one can make a
 * wrong verdict. Only a warning, since a suite may use a name of its own, such as recursion.
 */
function* checkKeyword(draft: ProbeDraft, { keyword, schema }: EnforceFile): Generator<Problem> {
  if (keyword === 'composite' || keyword === 'description') return;
  const used = new Set([...JSON.stringify(schema).matchAll(/"([^"\\]+)":/g)].map(([, key = '']) => key));
  if (used.has(keyword) || used.has(`$${keyword}`)) return;
  const known = [...used].filter((name) => knownKeywords.has(name));
  const near = nearest(keyword, known);
  if (near === null && !knownKeywords.has(keyword)) return;
  const hint = near === null ? 'name the keyword that the invalid document breaks' : `did you mean "${near}"?`;
  const message = `the schema has no keyword "${keyword}"`;
  yield probeProblem(draft, ['enforce', 'keyword'], message, hint, { severity: 'warning' });
}
