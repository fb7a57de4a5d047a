import { nearest } from '../../../files/problems/nearest.js';
import type { Path } from '../../../files/source.js';
import { isObject, type Json, type JsonObject } from '../../../json/json.js';
import { noSchema } from './no-schema.js';

export interface SchemaAdvice {
  readonly below: Path;
  readonly message: string;
  readonly hint?: string;
  /** A misspelt keyword checks nothing, so what it was to check would pass. */
  readonly mistake?: true;
}

/** Keywords that most services support. */
const preferred = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'enum',
  'items',
  'description',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
]);
/** Keywords that constrain nothing. */
const annotations = new Set([
  'title',
  '$schema',
  '$id',
  '$comment',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);
const others = [
  '$ref',
  '$defs',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependentRequired',
  'prefixItems',
  'contains',
  'minContains',
  'maxContains',
  'patternProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'const',
  'multipleOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'definitions',
  'nullable',
];
/** Every keyword of JSON Schema. */
export const knownKeywords: ReadonlySet<string> = new Set([...preferred, ...annotations, ...others]);
/** Keywords of older drafts, of OpenAPI and of vendors, which are no misspelling of one above. */
const otherDialects = new Set([
  'id',
  'dependencies',
  'additionalItems',
  'divisibleBy',
  'extends',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  'example',
  'discriminator',
  'externalDocs',
  'xml',
  'enumNames',
  'enumDescriptions',
  'propertyOrdering',
]);
const choices = new Set(['anyOf', 'oneOf', 'allOf']);

/** Levels of objects and lists. */
const deepest = 5;
const longestEnum = 50;

/** Where a schema leaves the advised subset, beyond which services differ, or what else it probably is. */
export function* schemaAdvice(schema: Json, below: Path = [], depth = 0): Generator<SchemaAdvice> {
  if (!isObject(schema)) return;
  const other = depth === 0 ? noSchema(schema, isNearKeyword) : null;
  if (other !== null) {
    yield { below, ...other, mistake: true };
    return;
  }
  yield* keywordAdvice(schema, below);
  yield* objectAdvice(schema, below);
  if (depth === deepest + 1) {
    yield {
      below,
      message: `the schema is nested more than ${deepest} levels deep; use with caution`,
      hint: 'flatten it',
    };
  }
  for (const [step, inner] of subschemas(schema))
    yield* schemaAdvice(inner, [...below, ...step], depth + (step[0] === '$defs' ? 0 : 1));
}

function* keywordAdvice(schema: JsonObject, below: Path): Generator<SchemaAdvice> {
  for (const [keyword, value] of Object.entries(schema)) {
    const path = [...below, keyword];
    if (keyword === 'enum' && Array.isArray(value) && value.length > longestEnum) {
      yield { below: path, message: `an enum of ${value.length} values is very long; use with caution` };
    } else if (preferred.has(keyword) || annotations.has(keyword)) continue;
    else if (knownKeywords.has(keyword)) {
      yield { below: path, message: `the keyword ${keyword} is outside the advised subset`, hint: hintFor(keyword) };
    } else {
      const near = otherDialects.has(keyword) || keyword.startsWith('x-') ? null : nearest(keyword, knownKeywords);
      const hint = near === null ? 'JSON Schema ignores it' : `did you mean "${near}"?`;
      const mistake = near !== null && isMisspelt(keyword, near);
      yield { below: path, message: `JSON Schema has no keyword "${keyword}"`, hint, ...(mistake && { mistake }) };
    }
  }
}

/** Whether JSON Schema, another dialect or a vendor has this keyword, or one that is probably meant by it. */
export function isNearKeyword(name: string): boolean {
  if (otherDialects.has(name) || knownKeywords.has(name)) return true;
  const near = nearest(name, knownKeywords);
  return near !== null && isMisspelt(name, near);
}

/** `note` and `when` are near `not` and `then`, but as likely words of their own. */
function isMisspelt(keyword: string, near: string): boolean {
  const letters = (word: string): string => Array.from(word).sort().join('');
  return near.length > 4 || keyword === `${near}s` || letters(keyword) === letters(near);
}

function hintFor(keyword: string): string {
  if (choices.has(keyword))
    return 'support differs between models and endpoints, most of all when it is nested; verify it with enforce';
  return 'support differs between models and endpoints; verify it with enforce, or check it in rules';
}

function* objectAdvice(
  { type, properties, required, additionalProperties }: JsonObject,
  below: Path,
): Generator<SchemaAdvice> {
  if (type !== 'object' && properties === undefined) return;
  if (additionalProperties !== false) {
    yield { below, message: 'an object should set additionalProperties: false' };
  }
  const named = Array.isArray(required) ? new Set(required as readonly Json[]) : new Set<Json>();
  const optional = isObject(properties) ? Object.keys(properties).filter((name) => !named.has(name)) : [];
  if (optional.length > 0) {
    yield { below, message: `an object should list all its fields in required; not listed: ${optional.join(', ')}` };
  }
}

function* subschemas(schema: JsonObject): Generator<readonly [Path, Json]> {
  for (const keyword of ['properties', '$defs', 'patternProperties']) {
    const members = schema[keyword];
    if (isObject(members)) for (const [name, inner] of Object.entries(members)) yield [[keyword, name], inner];
  }
  for (const keyword of ['items', 'additionalProperties', 'not', 'contains']) {
    const inner = schema[keyword];
    if (isObject(inner)) yield [[keyword], inner];
  }
  for (const keyword of [...choices, 'prefixItems']) {
    const list = schema[keyword];
    if (Array.isArray(list))
      for (const [index, inner] of (list as readonly Json[]).entries()) yield [[keyword, index], inner];
  }
}
