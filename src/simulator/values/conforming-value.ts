import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type * as AjvFormats from 'ajv-formats';
import type * as Ajv from 'ajv/dist/2020.js';
import {
  isObject,
  mapLeaves,
  type Json,
  type JsonObject,
  parsedJson,
  writtenJson,
  pointerSteps,
  withValueAt,
} from '../../json/json.js';
import { once, remembered } from '../../json/remembered.js';
import type { Traits } from '../profiles/profile.js';
import { plainNumbers } from './long-integers.js';

const mostValueTries = 32;
const simpleValues: readonly Json[] = ['sample', 1, {}, [], true, null];

/**
 * A conforming value for any schema, the same for the same seed; undefined when none was found (the schema may allow no
 * value at all). `optionals`: whether it may have members that are not required.
 */
export async function conformingValue(schema: Json, seed: number, optionals: boolean): Promise<Json | undefined> {
  const check = checkOf(schema);
  const { generateSync } = await import('json-schema-faker');
  const numbers = plainNumbers(schema);
  const tame = tamed(numbers.plain(schema));
  for (let turn = 0; turn < mostValueTries; turn += 1) {
    // Deep only where nothing else conforms, since schemas that hold themselves branch at each level.
    const maxDepth = turn < 24 ? 4 : 32;
    const isBare = !optionals && turn < 8;
    const options = {
      seed: seed + turn,
      maxDepth,
      formats: formatSamplers,
      ...(isBare && { optionalsProbability: 0 }),
    };
    const value = attempt(() => numbers.whole(mapLeaves(generateSync(tame as JsonObject, options) as Json, rounded)));
    if (value !== undefined && check(value).length === 0) return value;
  }
  return plainValue(check);
}

/** The simplest value, with simple members where one is missing or wrong. */
function plainValue(check: SchemaCheck): Json | undefined {
  let value: Json = {};
  for (let turn = 0; turn < mostValueTries; turn += 1) {
    const [error] = check(value);
    if (error === undefined) return value;
    const { missingProperty: missing = null } = error.params as { readonly missingProperty?: string };
    const steps = [...pointerSteps(error.instancePath), ...(missing === null ? [] : [missing])];
    value = withValueAt(value, steps, simpleValues[turn % simpleValues.length]);
  }
  return undefined;
}

/** The generator's own durations are not read by everybody. */
const formatSamplers = { duration: () => 'P1D' };

/** The generator throws on schemas that it does not understand, and its values need not conform. */
function attempt(make: () => Json): Json | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** A number as people write it, without the trace of a multiplication. */
function rounded(value: Json): Json {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(12)) : value;
}

/** How far above its least bound a value may grow; a model does not write up to a limit either. */
const bounds = [
  { least: 'minLength', most: 'maxLength', span: 200 },
  { least: 'minItems', most: 'maxItems', span: 20 },
  { least: 'minProperties', most: 'maxProperties', span: 20 },
];

/** The schema in words that the generator understands, with upper bounds that a sensible answer comes near to. */
function tamed(schema: Json): Json {
  const anchors = new Map<string, JsonObject>();
  mapSchemas(schema, (part) => {
    if (typeof part['$anchor'] === 'string') anchors.set(`#${part['$anchor']}`, part);
    return part;
  });
  return mapSchemas(schema, (part) => {
    const { $ref, ...rest } = part;
    const target = typeof $ref === 'string' ? anchors.get($ref) : undefined;
    const whole: Record<string, Json> = target === undefined ? { ...part } : { ...rest, ...target };
    for (const { least, most, span } of bounds) {
      const bound = numberAt(whole, least, 0) + span;
      if (numberAt(whole, most, 0) > bound) whole[most] = bound;
    }
    const from = Math.max(numberAt(whole, 'minimum', -Infinity), numberAt(whole, 'exclusiveMinimum', -Infinity));
    if (from > -Infinity && !('maximum' in whole || 'exclusiveMaximum' in whole)) whole['maximum'] = from + 1000;
    return whole;
  });
}

function numberAt(schema: JsonObject, keyword: string, otherwise: number): number {
  const value = schema[keyword];
  return typeof value === 'number' ? value : otherwise;
}

/** Returns the violations; none when the value conforms. */
type SchemaCheck = (value: Json) => readonly ErrorObject[];

type Compile = (schema: Json) => ValidateFunction;
type Compiled = { readonly check: SchemaCheck } | { readonly problem: string };

/** Compiling takes milliseconds, and the same few schemas recur. */
const compiledSchemaCheck = remembered(2000, (text: string) => compileWith(compiler(), parsedJson(text) as Json));

/** Loaded with the first schema, because loading Ajv takes time. */
const compiler = once(loadCompiler);

/** The check of a schema. Throws a TypeError when the schema does not compile (see {@link compileProblem}). */
export function checkOf(schema: Json): SchemaCheck {
  const found = compiledSchemaCheck(writtenJson(schema));
  if ('problem' in found) throw new TypeError(found.problem);
  return found.check;
}

/** Why a schema does not compile, or null when it does. */
export function compileProblem(schema: Json): string | null {
  const found = compiledSchemaCheck(writtenJson(schema));
  return 'problem' in found ? found.problem : null;
}

function compileWith(compile: Compile, schema: Json): Compiled {
  try {
    const { plain } = plainNumbers(schema);
    const validate = compile(plain(schema));
    return { check: (value) => (validate(plain(value)) ? [] : (validate.errors ?? [])) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function loadCompiler(): Compile {
  const require = createRequire(import.meta.url);
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof Ajv;
  const { default: addFormats } = require('ajv-formats') as typeof AjvFormats.default;
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, logger: false, ownProperties: true });
  addFormats(ajv);
  return (schema) => ajv.compile(withoutDialect(schema) as object);
}

/** Schemas of every dialect are read as 2020-12, as services do. */
function withoutDialect(schema: Json): Json {
  if (!isObject(schema) || !('$schema' in schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}

/** Keywords whose value maps names, which are not keywords, to schemas. */
const schemaMaps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose value contains no schema. */
const plainValues: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'default',
  'examples',
  'required',
  'dependentRequired',
]);

/** The schema with a change to each schema in it, the innermost first. */
function mapSchemas(schema: Json, change: (schema: JsonObject) => JsonObject): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map((item) => mapSchemas(item, change));
  if (!isObject(schema)) return schema;
  const inside = (keyword: string, value: Json): Json => {
    if (plainValues.has(keyword)) return value;
    return schemaMaps.has(keyword) && isObject(value) ? mapMembers(value, change) : mapSchemas(value, change);
  };
  return change(
    Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, inside(keyword, value)])),
  );
}

function mapMembers(members: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, mapSchemas(member, change)]));
}

/** Every keyword that a schema uses, at any depth. */
export function keywordsOf(schema: Json): ReadonlySet<string> {
  const found = new Set<string>();
  mapSchemas(schema, (part) => {
    for (const keyword of Object.keys(part)) found.add(keyword);
    return part;
  });
  return found;
}

/** The names of all members that a schema describes, at any depth. */
export function memberNames(schema: Json): ReadonlySet<string> {
  const found = new Set<string>();
  mapSchemas(schema, (part) => {
    for (const name of Object.keys(isObject(part['properties']) ? part['properties'] : {})) found.add(name);
    return part;
  });
  return found;
}

/** A schema without the keywords that a model ignores in this part of the request. */
export function enforcedSchema(
  schema: Json,
  place: keyof Traits['ignore_keywords_in'],
  traits: Pick<Traits, 'ignore_keywords' | 'ignore_keywords_in' | 'ignore_schema'>,
): Json {
  if (traits.ignore_schema) return true;
  const ignored = new Set([...traits.ignore_keywords, ...(traits.ignore_keywords_in[place] ?? [])]);
  if (ignored.size === 0) return schema;
  return mapSchemas(schema, (part) =>
    Object.fromEntries(Object.entries(part).filter(([keyword]) => !ignored.has(keyword))),
  );
}
