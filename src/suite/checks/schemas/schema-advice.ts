import { nearest } from '../../../files/problems/nearest.js';
import type { Path } from '../../../files/source.js';
import { isObject, type Json, type JsonObject } from '../../../json/json.js';

interface SchemaAdvice {
  readonly below: Path;
  readonly message: string;
  readonly hint?: string;
  /** A misspelt keyword checks nothing, so what it was to check would pass. */
  readonly mistake?: true;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Keywords that most services support. */
const preferred = new Set(
  words(`type properties required additionalProperties enum items description minimum maximum minLength maxLength`),
);
/** Keywords that constrain nothing. */
const annotations = words(`title $schema $id $comment default examples deprecated readOnly writeOnly`);
/** Keywords of which most data has none, and a schema at least one, beside the preferred ones. */
const telling = words(`$ref $dynamicRef allOf anyOf oneOf not if patternProperties prefixItems contains pattern const
  exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties propertyNames
  dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems`);
/** The others, with those of older drafts, of OpenAPI and of vendors. */
const others = words(`$defs $dynamicAnchor then else minContains maxContains format contentEncoding contentMediaType
  contentSchema definitions nullable $anchor id dependencies additionalItems divisibleBy extends $recursiveRef
  $recursiveAnchor $vocabulary example discriminator externalDocs xml enumNames enumDescriptions propertyOrdering`);
export const knownKeywords: ReadonlySet<string> = new Set([...preferred, ...annotations, ...telling, ...others]);

/** Levels of objects and lists. */
const deepest = 5;
const longestEnum = 50;

/** Where a schema leaves the advised subset, beyond which services differ, or what else it probably is. */
export function* schemaAdvice(schema: Json, below: Path = [], depth = 0): Generator<SchemaAdvice> {
  if (!isObject(schema)) return;
  if (depth === 0 && isNoSchema(schema)) {
    const names = JSON.stringify(Object.keys(schema).slice(0, 3)).slice(1, -1).replaceAll(',', ', ');
    const hint = 'a JSON Schema begins like { "type": "object", "properties": { ... } }; leave out what is around it';
    const message = `this is probably not a JSON Schema: it has none of its keywords, and every answer would conform (it has ${names})`;
    yield { below, message, hint, mistake: true };
    return;
  }
  yield* keywordAdvice(schema, below);
  yield* objectAdvice(schema, below);
  if (depth === deepest + 1) {
    const message = `the schema is nested more than ${deepest} levels deep; use with caution`;
    yield { below, message, hint: 'flatten it' };
  }
  for (const [step, inner] of subschemas(schema))
    yield* schemaAdvice(inner, [...below, ...step], depth + (step[0] === '$defs' ? 0 : 1));
}

/** An object that only has members which are no keywords, such as data, or an envelope around a schema. */
function isNoSchema(schema: JsonObject): boolean {
  const names = Object.keys(schema);
  const isTelling = (name: string): boolean =>
    (name !== 'description' && preferred.has(name)) || telling.includes(name);
  return names.some((name) => !isKeyword(name)) && !names.some(isTelling);
}

const isKeyword = (name: string): boolean =>
  knownKeywords.has(name) || name.startsWith('x-') || meantKeyword(name) !== null;

/** The keyword that is misspelt. `note` and `when` are near `not` and `then`, but as likely words of their own. */
function meantKeyword(name: string): string | null {
  const near = name.startsWith('x-') ? null : nearest(name, knownKeywords);
  if (near === null) return null;
  const letters = (word: string): string => Array.from(word).sort().join('');
  return near.length > 4 || name === `${near}s` || letters(name) === letters(near) ? near : null;
}

function* keywordAdvice(schema: JsonObject, below: Path): Generator<SchemaAdvice> {
  for (const [keyword, value] of Object.entries(schema)) {
    const path = [...below, keyword];
    if (keyword === 'enum' && Array.isArray(value) && value.length > longestEnum) {
      yield { below: path, message: `an enum of ${value.length} values is very long; use with caution` };
    } else if (preferred.has(keyword) || annotations.includes(keyword)) continue;
    else if (knownKeywords.has(keyword)) {
      const hint = 'support differs between models and endpoints; verify it with enforce, or check it in rules';
      yield { below: path, message: `the keyword ${keyword} is outside the advised subset`, hint };
    } else {
      const meant = meantKeyword(keyword);
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
    if (['items', 'additionalProperties', 'not', 'contains'].includes(keyword)) yield [[keyword], value];
    else if (['properties', '$defs', 'patternProperties'].includes(keyword) && isObject(value))
      for (const [name, inner] of Object.entries(value)) yield [[keyword, name], inner];
    else if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(keyword) && Array.isArray(value))
      for (const [index, inner] of (value as readonly Json[]).entries()) yield [[keyword, index], inner];
  }
}
