import type { ErrorObject } from 'ajv';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { at, pointerSteps, withValueAt } from '../../json/pointer.js';
import { numberAt, schemasAt, typesOf } from './resolve-ref.js';
import { exampleValue, type ExampleContext } from './example-value.js';
import { exampleNumber, withinLength } from './example-scalar.js';
import type { SchemaCheck } from './schema-check.js';

const mostRounds = 24;

/**
 * Changes a value where it violates the schema, and as little as possible, until it conforms.
 * null when no conforming value was found.
 */
export function fixValue(value: Json, check: SchemaCheck, context: ExampleContext): { readonly value: Json } | null {
  let current = value;
  for (let round = 0; round < mostRounds; round += 1) {
    const errors = check(current);
    if (errors.length === 0) return { value: current };
    current = fixErrors(current, errors, { ...context, variant: context.variant + round });
  }
  return null;
}

/** Skips errors within the branches of a choice (`anyOf`, `oneOf`), because the choice has an error of its own. */
function fixErrors(value: Json, errors: readonly ErrorObject[], context: ExampleContext): Json {
  const own = errors.filter((error) => !/\/(anyOf|oneOf)\/\d+\//.test(error.schemaPath));
  const touched: string[] = [];
  let current = value;
  for (const error of own.length > 0 ? own : errors) {
    const path = error.instancePath;
    if (touched.some((other) => path === other || path.startsWith(`${other}/`))) continue;
    const steps = pointerSteps(path);
    const broken = at(current, steps);
    if (broken === undefined) continue;
    current = withValueAt(current, steps, fixError(broken, error, context));
    // Other errors at this path still apply after a member was added or removed, but not after other changes.
    if (!isObject(broken) || error.keyword === 'anyOf' || error.keyword === 'oneOf') touched.push(path);
  }
  return current;
}

/** Returns a value without one error; undefined removes the value. */
type Fix = (value: Json, error: ErrorObject, context: ExampleContext) => Json | undefined;

/** Fixes one error; keywords that are not listed below get a fresh example value. */
function fixError(value: Json, error: ErrorObject, context: ExampleContext): Json | undefined {
  return (fixes[error.keyword] ?? freshValue)(value, error, context);
}

const fixes: Readonly<Record<string, Fix>> = {
  required: addMember,
  dependentRequired: addMember,
  dependencies: addMember,
  additionalProperties: (value, error) => withoutMember(value, paramOf(error, 'additionalProperty')),
  unevaluatedProperties: (value, error) => withoutMember(value, paramOf(error, 'unevaluatedProperty')),
  propertyNames: (value, error) => withoutMember(value, paramOf(error, 'propertyName')),
  maxProperties: (value) => withoutMember(value, isObject(value) ? Object.keys(value).at(-1) : undefined),
  minProperties: (value, error, context) => addSpareMember(value, schemaOf(error), context),
  'false schema': () => undefined,
  not: (value, _error, context) => otherValue(value, context.variant),
  minLength: (value, error) => boundedText(value, schemaOf(error)),
  maxLength: (value, error) => boundedText(value, schemaOf(error)),
  minimum: boundedNumber,
  maximum: boundedNumber,
  exclusiveMinimum: boundedNumber,
  exclusiveMaximum: boundedNumber,
  multipleOf: boundedNumber,
  minItems: addItem,
  contains: addItem,
  maxItems: (value, error) => listOf(value).slice(0, numberAt(schemaOf(error), 'maxItems')),
  items: (value, error) => listOf(value).slice(0, Number(paramOf(error, 'limit') ?? 0)),
  unevaluatedItems: (value, error) => listOf(value).slice(0, Number(paramOf(error, 'len') ?? 0)),
  uniqueItems: (value, error) => listOf(value).filter((_, index) => String(index) !== paramOf(error, 'i')),
  anyOf: valueOfBranch,
  oneOf: valueOfBranch,
};

function schemaOf(error: ErrorObject): JsonObject {
  const schema: unknown = error.parentSchema;
  return isObject(schema) ? schema : {};
}

function paramOf(error: ErrorObject, name: string): string | undefined {
  const value: unknown = (error.params as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function withMember(value: Json, name: string, member: Json): Json {
  return Object.fromEntries([...Object.entries(isObject(value) ? value : {}), [name, member]]);
}

function withoutMember(value: Json, name: string | undefined): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

function memberSchema(schema: JsonObject, name: string): Json | undefined {
  const properties = schema['properties'];
  if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  const patterns = isObject(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : [];
  return patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1] ?? schema['additionalProperties'];
}

function addMember(value: Json, error: ErrorObject, context: ExampleContext): Json {
  const name = paramOf(error, 'missingProperty') ?? '';
  return withMember(value, name, exampleValue(memberSchema(schemaOf(error), name), context));
}

function addSpareMember(value: Json, schema: JsonObject, context: ExampleContext): Json {
  const taken = new Set(isObject(value) ? Object.keys(value) : []);
  const declared = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const name = [...declared, ...Array.from({ length: 64 }, (_, index) => `extra${index + 1}`)].find(
    (candidate) => !taken.has(candidate),
  );
  return name === undefined ? value : withMember(value, name, exampleValue(memberSchema(schema, name), context));
}

function addItem(value: Json, error: ErrorObject, context: ExampleContext): Json {
  const schema = schemaOf(error);
  const items = listOf(value);
  const wanted =
    error.keyword === 'contains'
      ? schema['contains']
      : (schemasAt(schema, 'prefixItems')[items.length] ?? schema['items']);
  const item = exampleValue(wanted, { ...context, variant: context.variant + items.length });
  return [...items, schema['uniqueItems'] === true ? distinctItem(item, items) : item];
}

/** The item, or a similar one when the list already contains it. */
function distinctItem(item: Json, items: readonly Json[]): Json {
  if (!items.some((other) => JSON.stringify(other) === JSON.stringify(item))) return item;
  if (typeof item === 'string') return `${item}${items.length + 1}`;
  return typeof item === 'number' ? item + items.length : item;
}

function boundedText(value: Json, schema: JsonObject): Json {
  if (typeof value !== 'string') return value;
  return withinLength(value, numberAt(schema, 'minLength') ?? 0, numberAt(schema, 'maxLength') ?? Infinity);
}

function boundedNumber(value: Json, error: ErrorObject): Json {
  const schema = schemaOf(error);
  const wish = typeof value === 'number' ? value : 1;
  return exampleNumber(schema, typesOf(schema).includes('integer') || Number.isInteger(wish), wish);
}

/** An example of one branch of the choice, merged with the value when both are objects. */
function valueOfBranch(value: Json, error: ErrorObject, context: ExampleContext): Json {
  const schema = schemaOf(error);
  const branches = schemasAt(schema, error.keyword);
  const branch = branches[context.variant % Math.max(branches.length, 1)];
  const made = exampleValue(branch, context);
  return isObject(value) && isObject(made) && context.variant < branches.length ? { ...value, ...made } : made;
}

function otherValue(value: Json, turn: number): Json {
  const others: readonly Json[] = ['other', 7, true, null, {}, [], 0.5, false, 'x', ''];
  const different = others.filter((other) => JSON.stringify(other) !== JSON.stringify(value));
  // Values of the same type come first, because the schema may also state the type.
  const sameType = different.filter((other) => typeof other === typeof value);
  const inOrder = [...sameType, ...different.filter((other) => !sameType.includes(other))];
  return inOrder[turn % inOrder.length] ?? null;
}

/** A fresh example value of the violated schema. */
function freshValue(_value: Json, error: ErrorObject, context: ExampleContext): Json {
  return exampleValue(schemaOf(error), context);
}
