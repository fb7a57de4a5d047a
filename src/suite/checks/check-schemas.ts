import { distance } from 'fastest-levenshtein';
import { didYouMean, nearest } from '../../files/problems/nearest.js';
import { problemAt, type Problem, type Path } from '../../files/problems/problem.js';
import { isObject, type Json, type JsonObject, writtenJson, at, withValueAt } from '../../json/json.js';
import { checkSchema as conformance } from '../../judge/schema/conformance.js';
import { typeNames } from '../../judge/schema/keywords.js';
import { readSchema } from '../../judge/schema/read-schema.js';
import type { EnforceFile } from '../suite-file.js';
import { probeProblem, type ProbeDraft } from './probe-draft.js';
import { templatesIn } from './templates/check-templates.js';

/** The schemas of a probe's requests, expectations and axes must be JSON Schemas, unless it sends others on purpose. */
export function* checkSchemas(draft: ProbeDraft): Generator<Problem> {
  if (draft.written.enforce !== undefined) {
    yield* checkEnforce(draft, draft.written.enforce);
    return;
  }
  for (const { request, pathOf } of draft.requests) {
    for (const { schema, steps } of schemasIn(request)) {
      yield* probeSchemaProblems(draft, schema, (below) => pathOf([...steps, ...below]), steps);
    }
  }
  for (const { expect, path } of draft.expectations) {
    if (expect.schema !== undefined) {
      yield* probeSchemaProblems(draft, expect.schema, (below) => [...path, 'schema', ...below]);
    }
  }
  // Each point of an axis may change the schemas of a request.
  const requests = draft.requests.map(({ request }) => request);
  for (const axis of draft.axes) {
    if (axis.kind !== 'values' || !['response_format', 'tools'].includes(axis.at[0] ?? '')) continue;
    const request = requests.find((one) => at(one, axis.at.slice(0, -1)) !== undefined) ?? requests[0] ?? {};
    for (const [label, point] of axis.points) {
      if (point.kind === 'unset') continue;
      for (const { schema, steps } of schemasIn(withValueAt(request, axis.at, point.value))) {
        if (!axis.at.every((step, index) => String(steps[index] ?? step) === step)) continue;
        const path = [...draft.pointPath(axis.name, label), ...steps.slice(axis.at.length)];
        yield* probeSchemaProblems(draft, schema, (below) => [...path, ...below], steps);
      }
    }
  }
}

/**
 * @param sent where it stands in a request, which a probe may send malformed on purpose; absent: only the client checks
 * it, so that no service needs to support it, and there is nothing to advise but a misspelt keyword
 */
function* probeSchemaProblems(
  { source, deliberate }: ProbeDraft,
  schema: Json,
  pathOf: (below: Path) => Path,
  sent?: Path,
): Generator<Problem> {
  // A schema with templates can be compiled only after they are filled; the check of the request tells what is no
  // object.
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
  | {
      readonly ok: false;
      readonly message: string;
      readonly hint?: string | undefined;
      readonly below: Path;
      /** A reference that leads nowhere, or to itself. */
      readonly isReference?: true;
    };

/** The judge's reading of a schema, in words for the author of a suite. */
export function checkedSchema(schema: Json): CheckedSchema {
  const read = readSchema(schema);
  if (read.kind === 'read') return { ok: true, accepts: (value) => nonConformanceText(value, schema) };
  const { error, invalid, unresolved, endless } = read;
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
    return {
      ok: false,
      message: `the $ref "${unresolved}" leads nowhere in this schema`,
      hint,
      below: [],
      isReference: true,
    };
  }
  if (endless !== null) {
    const hint = 'no value is ever decided: let it refer to a part of the value, under properties or items';
    return {
      ok: false,
      message: `the $ref "${endless.ref}" leads back to itself without end`,
      hint,
      below: endless.at,
      isReference: true,
    };
  }
  return { ok: false, message: `this JSON Schema cannot be used: ${error}`, below: [] };
}

function nonConformanceText(value: Json, schema: Json): string | null {
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
  const used = new Set([...writtenJson(schema).matchAll(/"([^"\\]+)":/g)].map(([, key = '']) => key));
  if (used.has(keyword) || used.has(`$${keyword}`)) return;
  const known = [...used].filter((name) => knownKeywords.has(name));
  const near = nearest(keyword, known);
  if (near === null && !knownKeywords.has(keyword)) return;
  const hint = near === null ? 'name the keyword that the invalid document breaks' : `did you mean "${near}"?`;
  const message = `the schema has no keyword "${keyword}"`;
  yield probeProblem(draft, ['enforce', 'keyword'], message, hint, { severity: 'warning' });
}

interface SchemaAdvice {
  readonly below: Path;
  readonly message: string;
  readonly hint?: string;
  /** A misspelt keyword checks nothing, so what it was to check would pass. */
  readonly mistake?: true;
}

const splitWords = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Keywords that most services support. */
const preferred = new Set(
  splitWords(
    `type properties required additionalProperties enum items description minimum maximum minLength maxLength`,
  ),
);
/** Keywords that constrain nothing. */
const annotations = splitWords(`title $schema $id $comment default examples deprecated readOnly writeOnly`);
/** Keywords of which most data has none, and a schema at least one, beside the preferred ones. */
const distinctiveKeywords =
  splitWords(`$ref $dynamicRef allOf anyOf oneOf not if patternProperties prefixItems contains pattern const
  exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties propertyNames
  dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems`);
/** The others, with those of older drafts, of OpenAPI and of vendors. */
const others =
  splitWords(`$defs $dynamicAnchor then else minContains maxContains format contentEncoding contentMediaType
  contentSchema definitions nullable $anchor id dependencies additionalItems divisibleBy extends $recursiveRef
  $recursiveAnchor $vocabulary example discriminator externalDocs xml enumNames enumDescriptions propertyOrdering`);
const knownKeywords: ReadonlySet<string> = new Set([...preferred, ...annotations, ...distinctiveKeywords, ...others]);

/** Levels of objects and lists. */
const maxAdvisedDepth = 5;
const longestEnum = 50;

/** Where a schema leaves the advised subset, beyond which services differ, or what else it probably is. */
export function* schemaAdvice(schema: Json, below: Path = [], depth = 0): Generator<SchemaAdvice> {
  if (!isObject(schema)) return;
  if (depth === 0 && isNoSchema(schema)) {
    const names = writtenJson(Object.keys(schema).slice(0, 3)).slice(1, -1).replaceAll(',', ', ');
    const hint = 'a JSON Schema begins like { "type": "object", "properties": { ... } }; leave out what is around it';
    const message =
      'this is probably not a JSON Schema: it has none of its keywords, ' +
      `and every answer would conform (it has ${names})`;
    yield { below, message, hint, mistake: true };
    return;
  }
  yield* keywordAdvice(schema, below);
  yield* objectAdvice(schema, below);
  if (depth === maxAdvisedDepth + 1) {
    const message = `the schema is nested more than ${maxAdvisedDepth} levels deep; use with caution`;
    yield { below, message, hint: 'flatten it' };
  }
  for (const [step, inner] of subschemas(schema)) {
    yield* schemaAdvice(inner, [...below, ...step], depth + (step[0] === '$defs' ? 0 : 1));
  }
}

/** An object that only has members which are no keywords, such as data, or an envelope around a schema. */
function isNoSchema(schema: JsonObject): boolean {
  const names = Object.keys(schema);
  const isTelling = (name: string): boolean =>
    (name !== 'description' && preferred.has(name)) || distinctiveKeywords.includes(name);
  return names.some((name) => !isKeyword(name, schema)) && !names.some(isTelling);
}

const isKeyword = (name: string, schema: JsonObject): boolean =>
  knownKeywords.has(name) || name.startsWith('x-') || meantKeyword(name, schema[name] ?? null, schema) !== null;

/** Keywords that a value may break. */
const constraining: readonly string[] = [
  ...[...preferred].filter((name) => name !== 'description'),
  ...distinctiveKeywords,
  ...splitWords('then else minContains maxContains format dependencies additionalItems divisibleBy extends nullable'),
];

/**
 * The keyword that constrains and is misspelt by one edit: a letter too many, too few, wrong or in another case, or two
 * in the wrong order. Short words are near many others, such as `note` and `when`, so what they hold must fit, too.
 */
function meantKeyword(name: string, value: Json, schema: JsonObject): string | null {
  if (name.startsWith('x-') || annotations.includes(name)) return null;
  const near = constraining.find((keyword) => isOneEdit(name, keyword));
  if (near === undefined || near.length > shortKeyword) return near ?? null;
  const needsIf = near === 'then' || near === 'else';
  return readSchema({ [near]: value }).kind === 'read' && (!needsIf || 'if' in schema) ? near : null;
}

const shortKeyword = 4;

function isOneEdit(name: string, keyword: string): boolean {
  if (name.toLowerCase() === keyword.toLowerCase()) return true;
  if (Math.abs(name.length - keyword.length) > 1) return false;
  return distance(name, keyword) === 1 || isSwapped(name, keyword);
}

/** Whether two letters beside each other changed places. */
function isSwapped(name: string, keyword: string): boolean {
  const at = Array.from(name).findIndex((letter, index) => letter !== keyword[index]);
  const [one = '', other = ''] = [name[at], name[at + 1]];
  return name.slice(0, at) + other + one + name.slice(at + 2) === keyword;
}

function* keywordAdvice(schema: JsonObject, below: Path): Generator<SchemaAdvice> {
  for (const [keyword, value] of Object.entries(schema)) {
    const path = [...below, keyword];
    if (keyword === 'enum' && Array.isArray(value) && value.length > longestEnum) {
      yield { below: path, message: `an enum of ${value.length} values is very long; use with caution` };
    } else if (preferred.has(keyword) || annotations.includes(keyword)) {
      continue;
    } else if (knownKeywords.has(keyword)) {
      const hint = 'support differs between models and endpoints; verify it with enforce, or check it in rules';
      yield { below: path, message: `the keyword ${keyword} is outside the advised subset`, hint };
    } else {
      const meant = meantKeyword(keyword, value, schema);
      const message = `JSON Schema has no keyword "${keyword}"`;
      yield meant === null
        ? { below: path, message, hint: 'JSON Schema ignores it' }
        : { below: path, message, hint: `did you mean "${meant}"?`, mistake: true };
    }
  }
}

function* objectAdvice(
  { type, properties, required, additionalProperties }: JsonObject,
  below: Path,
): Generator<SchemaAdvice> {
  if (type !== 'object' && properties === undefined) return;
  if (additionalProperties !== false) yield { below, message: 'an object should set additionalProperties: false' };
  const named = new Set(Array.isArray(required) ? (required as readonly Json[]) : []);
  const optional = isObject(properties) ? Object.keys(properties).filter((name) => !named.has(name)) : [];
  if (optional.length > 0) {
    yield { below, message: `an object should list all its fields in required; not listed: ${optional.join(', ')}` };
  }
}

function* subschemas(schema: JsonObject): Generator<readonly [Path, Json]> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (['items', 'additionalProperties', 'not', 'contains'].includes(keyword)) {
      yield [[keyword], value];
    } else if (['properties', '$defs', 'patternProperties'].includes(keyword) && isObject(value)) {
      for (const [name, inner] of Object.entries(value)) yield [[keyword, name], inner];
    } else if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(keyword) && Array.isArray(value)) {
      for (const [index, inner] of (value as readonly Json[]).entries()) yield [[keyword, index], inner];
    }
  }
}
