import type { ErrorObject } from 'ajv';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { numberAt, schemasAt, typesOf } from './resolve-ref.js';
import { sketch, type SketchScene } from './example-value.js';
import { sketchNumber, withinLength } from './example-scalar.js';

/** A value that no longer breaks one rule; undefined removes it. */
type Mend = (value: Json, error: ErrorObject, scene: SketchScene) => Json | undefined;

/** Mends one broken rule; a rule without an entry below gets a fresh sketch. */
export function mend(value: Json, error: ErrorObject, scene: SketchScene): Json | undefined {
  return (mends[error.keyword] ?? afresh)(value, error, scene);
}

const mends: Readonly<Record<string, Mend>> = {
  required: addMember,
  dependentRequired: addMember,
  dependencies: addMember,
  additionalProperties: (value, error) => without(value, paramOf(error, 'additionalProperty')),
  unevaluatedProperties: (value, error) => without(value, paramOf(error, 'unevaluatedProperty')),
  propertyNames: (value, error) => without(value, paramOf(error, 'propertyName')),
  maxProperties: (value) => without(value, isObject(value) ? Object.keys(value).at(-1) : undefined),
  minProperties: (value, error, scene) => addSpareMember(value, schemaOf(error), scene),
  'false schema': () => undefined,
  not: (value, _error, scene) => anythingElse(value, scene.turn),
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
  anyOf: tryBranch,
  oneOf: tryBranch,
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

function without(value: Json, name: string | undefined): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

function memberSchema(schema: JsonObject, name: string): Json | undefined {
  const properties = schema['properties'];
  if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  const patterns = isObject(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : [];
  return patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1] ?? schema['additionalProperties'];
}

function addMember(value: Json, error: ErrorObject, scene: SketchScene): Json {
  const name = paramOf(error, 'missingProperty') ?? '';
  return withMember(value, name, sketch(memberSchema(schemaOf(error), name), scene));
}

function addSpareMember(value: Json, schema: JsonObject, scene: SketchScene): Json {
  const taken = new Set(isObject(value) ? Object.keys(value) : []);
  const declared = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const name = [...declared, ...Array.from({ length: 64 }, (_, index) => `extra${index + 1}`)].find(
    (candidate) => !taken.has(candidate),
  );
  return name === undefined ? value : withMember(value, name, sketch(memberSchema(schema, name), scene));
}

function addItem(value: Json, error: ErrorObject, scene: SketchScene): Json {
  const schema = schemaOf(error);
  const items = listOf(value);
  const wanted =
    error.keyword === 'contains'
      ? schema['contains']
      : (schemasAt(schema, 'prefixItems')[items.length] ?? schema['items']);
  const item = sketch(wanted, { ...scene, turn: scene.turn + items.length });
  return [...items, schema['uniqueItems'] === true ? unlike(item, items) : item];
}

/** Another item of the same kind, where the list may not hold the same twice. */
function unlike(item: Json, items: readonly Json[]): Json {
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
  return sketchNumber(schema, typesOf(schema).includes('integer') || Number.isInteger(wish), wish);
}

/** One branch of the choice, joined with what is there when both are objects. */
function tryBranch(value: Json, error: ErrorObject, scene: SketchScene): Json {
  const schema = schemaOf(error);
  const branches = schemasAt(schema, error.keyword);
  const branch = branches[scene.turn % Math.max(branches.length, 1)];
  const made = sketch(branch, scene);
  return isObject(value) && isObject(made) && scene.turn < branches.length ? { ...value, ...made } : made;
}

function anythingElse(value: Json, turn: number): Json {
  const others: readonly Json[] = ['other', 7, true, null, {}, [], 0.5, false, 'x', ''];
  const fitting = others.filter((other) => JSON.stringify(other) !== JSON.stringify(value));
  // Its type may be asked for beside what it must not be.
  const alike = fitting.filter((other) => typeof other === typeof value);
  const inOrder = [...alike, ...fitting.filter((other) => !alike.includes(other))];
  return inOrder[turn % inOrder.length] ?? null;
}

/** A fresh value for the schema that was broken; a conforming member of a plain choice comes first. */
function afresh(_value: Json, error: ErrorObject, scene: SketchScene): Json {
  return sketch(schemaOf(error), scene);
}
