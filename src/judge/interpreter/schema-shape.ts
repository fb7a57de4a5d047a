import { isObject, type Json } from '../../json/json.js';
import { isSameJson } from '../../json/same-json.js';
import type { Dialect } from '../schema/dialects.js';
import { below } from './node-check.js';

/** What is wrong with the value of a keyword, and where; null: nothing. */
type Shape = (value: Json, at: string) => string | null;

const be =
  (what: string, holds: (value: Json) => boolean): Shape =>
  (value, at) =>
    holds(value) ? null : `${at} must be ${what}`;

const text = be('string', (value) => typeof value === 'string');
const flag = be('boolean', (value) => typeof value === 'boolean');
const number = be('number', (value) => typeof value === 'number' && Number.isFinite(value));
const positive = be('> 0', (value) => typeof value === 'number' && Number.isFinite(value) && value > 0);
const count = be('a whole number of at least 0', (value) => Number.isInteger(value) && Number(value) >= 0);
const list = be('array', (value) => Array.isArray(value));
const names = be('a list of different texts', (value) => isTexts(value) && new Set(value).size === value.length);
/** A text of this form. Ajv checks patterns of the meta-schema, and none of its formats. */
const matching = (pattern: RegExp): Shape =>
  be(`a text like ${String(pattern)}`, (value) => typeof value === 'string' && pattern.test(value));
const address = matching(/^[^#]*#?$/);
const anchor = matching(/^[A-Za-z_][-A-Za-z0-9._]*$/);
const olderAnchor = matching(/^[A-Za-z][-A-Za-z0-9.:_]*$/);
const distinct = be(
  'a list of different values',
  (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    (value as readonly Json[]).every(
      (one, index) => !(value as readonly Json[]).slice(0, index).some((other) => isSameJson(one, other)),
    ),
);

const typeNames = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const types = be(
  `one of ${typeNames.join(', ')}, or a list of them`,
  (value) =>
    typeNames.includes(value as string) ||
    (isTexts(value) &&
      value.length > 0 &&
      value.every((name) => typeNames.includes(name)) &&
      new Set(value).size === value.length),
);

function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && (value as readonly Json[]).every((item) => typeof item === 'string');
}

/** Whether the schemas in a schema are looked at, too. */
type Reach = 'whole' | 'own';

/** The shapes of the keywords of a dialect. */
function shapesOf(dialect: Dialect, reach: Reach): Readonly<Record<string, Shape>> {
  const schema: Shape = (value, at) => (reach === 'whole' ? problemAt(value, at, shapes) : null);
  const schemas: Shape = (value, at) =>
    Array.isArray(value) && value.length > 0
      ? first((value as readonly Json[]).map((item, index) => () => schema(item, below(at, index))))
      : `${at} must be a list of schemas`;
  const map =
    (shape: Shape): Shape =>
    (value, at) =>
      isObject(value)
        ? first(
            Object.entries(value).map(
              ([key, member]) =>
                () =>
                  shape(member, below(at, key)),
            ),
          )
        : `${at} must be object`;
  const either =
    (one: Shape, other: Shape): Shape =>
    (value, at) =>
      Array.isArray(value) ? other(value, at) : one(value, at);
  const shapes: Readonly<Record<string, Shape>> = {
    ...{
      $id: dialect === '07' ? text : address,
      $schema: text,
      $ref: text,
      $comment: text,
      title: text,
      description: text,
    },
    ...{ readOnly: flag, examples: list, multipleOf: positive, maximum: number, minimum: number },
    ...{ exclusiveMaximum: number, exclusiveMinimum: number, maxLength: count, minLength: count },
    ...{ pattern: text, maxItems: count, minItems: count, uniqueItems: flag, maxProperties: count },
    ...{ minProperties: count, required: names, type: types, format: text, contentMediaType: text },
    ...{ contentEncoding: text, contains: schema, propertyNames: schema, additionalProperties: schema },
    ...{ if: schema, then: schema, else: schema, not: schema, allOf: schemas, anyOf: schemas, oneOf: schemas },
    ...{ properties: map(schema), patternProperties: map(schema), definitions: map(schema) },
    ...{ dependencies: map(either(schema, names)), enum: list },
    ...(dialect === '2020'
      ? { items: schema, prefixItems: schemas, $dynamicRef: text, $dynamicAnchor: anchor }
      : { items: either(schema, schemas), additionalItems: schema }),
    ...(dialect === '07'
      ? { enum: distinct }
      : {
          ...{
            $vocabulary: map(flag),
            $defs: map(schema),
            $anchor: dialect === '2019' ? olderAnchor : anchor,
            dependentSchemas: map(schema),
            dependentRequired: map(names),
          },
          ...{ unevaluatedItems: schema, unevaluatedProperties: schema, contentSchema: schema },
          ...{ minContains: count, maxContains: count, deprecated: flag, writeOnly: flag },
          ...{ $recursiveRef: text, $recursiveAnchor: dialect === '2019' ? flag : anchor },
        }),
  };
  return shapes;
}

function first(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const problem = check();
    if (problem !== null) return problem;
  }
  return null;
}

function problemAt(schema: Json, at: string, shapes: Readonly<Record<string, Shape>>): string | null {
  if (typeof schema === 'boolean') return null;
  if (!isObject(schema)) return `${at} must be object,boolean`;
  return first(
    Object.entries(schema).map(([name, value]) => () => {
      const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
      return shape?.(value, below(at, name)) ?? null;
    }),
  );
}

const known = new Map<string, Readonly<Record<string, Shape>>>();

/** Why a schema is none in this dialect; null where it is one. */
export function shapeProblem(schema: Json, dialect: Dialect, reach: Reach): string | null {
  const key = `${dialect} ${reach}`;
  const shapes = known.get(key) ?? shapesOf(dialect, reach);
  known.set(key, shapes);
  const problem = problemAt(schema, 'data', shapes);
  return problem === null ? null : `schema is invalid: ${problem}`;
}
