import { dereference, validate, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { isObject, type Json, type JsonObject, holdsLongInteger, at, pointerSteps } from '../../json/json.js';
import type { Violation } from '../outcome.js';
import { dataKeywords, isKeyword, metaSchema, namedMembers } from './keywords.js';
import { brokenReference } from './references.js';
import { brokenStep, holdsLargeNumber, standIns, type StandIns } from './stand-ins.js';
import messages from './violation-messages.json' with { type: 'json' };

/** A JSON Schema that is ready to judge values. */
type ReadSchema = { readonly kind: 'read'; readonly violations: (value: Json) => readonly Violation[] } | SchemaFault;

/** Why a schema cannot be used. */
interface SchemaFault {
  readonly kind: 'fault';
  /** One line. */
  readonly error: string;
  /** Where it is no JSON Schema; null for every other fault. */
  readonly invalid: {
    /** Steps from the root of the schema. */
    readonly at: readonly string[];
    readonly message: string;
    readonly found: Json | undefined;
  } | null;
  /** The reference that leads nowhere; null for every other fault. */
  readonly unresolved: string | null;
  /** A reference that leads back to itself, so that no value would ever be decided; null for every other fault. */
  readonly endless: { readonly at: readonly string[]; readonly ref: string } | null;
}

/** By the schema object, which mostly is a constant of the program or of a plan. */
const readSchemaCache = new WeakMap<object, ReadSchema>();

/**
 * Reads a JSON Schema without making code of it, so that it runs where a content security policy forbids `eval`.
 * Dialect: 2020-12, or an older one that `$schema` or a list in `items` shows. Nothing stops a pattern that backtracks
 * without end.
 */
export function readSchema(schema: Json): ReadSchema {
  if (typeof schema !== 'object' || schema === null) return readGivenSchema(schema);
  const before = readSchemaCache.get(schema) ?? readGivenSchema(schema);
  readSchemaCache.set(schema, before);
  return before;
}

/** Why a schema cannot be used, in one line; null when it can. */
export function schemaProblem(schema: Json): string | null {
  const read = readSchema(schema);
  return read.kind === 'fault' ? read.error : null;
}

const draftOfMeta = '2019-09';
const lookupOfMeta = dereference(metaSchema);

function readGivenSchema(given: Json): ReadSchema {
  if (typeof given !== 'boolean' && !isObject(given)) return fault('a schema must be an object or a boolean');
  try {
    if (holdsLongInteger(given)) return readLargeSchema(given);
    const wrong = violationsIn(validate(given, metaSchema, draftOfMeta, lookupOfMeta, false).errors);
    if (wrong.length > 0) return invalidAt(given, wrong);
    const { schema, isOlder } = prepared(given);
    const lookup = dereference(schema as Schema);
    const broken = brokenReference(schema, lookup);
    if (broken?.kind === 'nowhere') {
      return { ...fault(`can't resolve reference ${broken.ref}`), unresolved: broken.ref };
    }
    if (broken?.kind === 'endless') {
      return { ...fault(`the reference ${broken.ref} leads back to itself`), endless: broken };
    }
    const errorsOf = (value: Json, isBrief: boolean): OutputUnit[] =>
      validate(value, schema as Schema, isOlder ? '2019-09' : '2020-12', lookup, isBrief).errors;
    return {
      kind: 'read',
      violations: (value) => (errorsOf(value, true).length === 0 ? [] : violationsIn(errorsOf(value, false))),
    };
  } catch (error) {
    return fault(schemaFailure(error));
  }
}

/** The engine's stack ends where a schema or a value goes too deep; its own words say nothing of that. */
function schemaFailure(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply';
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
}

/** A schema with integers beyond 2^53, which is ready for values that hold no such numbers. */
function readLargeSchema(given: Json): ReadSchema {
  const standing = standIns(null, given);
  if (standing === null) return fault(inexact);
  const read = readGivenSchema(standing.schema);
  if (read.kind === 'fault') {
    const { invalid } = read;
    const restored = invalid && {
      ...invalid,
      message: standing.restored(invalid.message),
      found: at(given, invalid.at),
    };
    return { ...read, error: standing.restored(read.error), invalid: restored };
  }
  return { kind: 'read', violations: (value) => restoredViolations(read.violations(value), standing) };
}

/** The violations of a value with numbers beyond 2^53; null where nobody can say. */
function largeViolations(value: Json, schema: Json): readonly Violation[] | null {
  const standing = standIns(value, schema);
  const read = standing === null ? null : readGivenSchema(standing.schema);
  if (standing === null || read?.kind !== 'read') return null;
  return restoredViolations(read.violations(standing.value), standing);
}

function restoredViolations(violations: readonly Violation[], { restored }: StandIns): readonly Violation[] {
  return violations.map((violation) => {
    const message = restored(violation.message);
    const step = violation.keyword === 'enum' ? brokenStep(message) : null;
    return step === null ? { ...violation, message } : { ...violation, message: step, keyword: 'multipleOf' };
  });
}

const inexact = 'an integer beyond 2^53 is compared with a number whose last digits are not known';

function fault(error: string): SchemaFault {
  return { kind: 'fault', error, invalid: null, unresolved: null, endless: null };
}

/** The deepest place is the most specific one; those around it only follow from it. */
function invalidAt(schema: Json, wrong: readonly Violation[]): SchemaFault {
  const depth = (violation: Violation): number => violation.at.split('/').length;
  const [deepest] = [...wrong].sort((one, other) => depth(other) - depth(one));
  const { at: place, message } = deepest ?? { at: '', message: 'is not valid' };
  const steps = pointerSteps(place);
  return {
    ...fault(`schema is invalid: data${place} ${message}`),
    invalid: { at: steps, message, found: at(schema, steps) },
  };
}

/**
 * A copy, since the library writes into it, in which patterns are valid with the Unicode flag and references static.
 */
function prepared(given: Json): { readonly schema: Json; readonly isOlder: boolean } {
  const named = isObject(given) && typeof given['$schema'] === 'string' ? given['$schema'] : '2020-12';
  const isNamedOlder = !named.includes('2020-12');
  let isOlder = isNamedOlder;
  const referredTo = referencesIn(given);
  /** An unknown keyword constrains nothing, and references in its value are ignored, unless another leads there. */
  const isIgnored = (name: string): boolean =>
    !isKeyword(name) && !referredTo.some((reference) => reference.includes(name));
  const mapOf = (node: JsonObject): Json =>
    Object.fromEntries(Object.entries(node).map(([name, value]) => [name, copyOf(value)]));
  const copyOf = (node: Json): Json => {
    if (Array.isArray(node)) return (node as readonly Json[]).map(copyOf);
    if (!isObject(node)) return node;
    if (Array.isArray(node['items'])) isOlder = true;
    const members = Object.entries(node).filter(([name]) => !isIgnored(name));
    return Object.fromEntries(members.map(([name, value]) => member(name, value)));
  };
  const member = (name: string, value: Json): readonly [string, Json] => {
    if (dataKeywords.has(name)) return [name, value];
    if (namedMembers.has(name) && name !== 'patternProperties' && isObject(value)) {
      return [name, mapOf(value)];
    }
    // Older dialects do not know it.
    if (name === 'prefixItems' && isNamedOlder) return ['x-prefixItems', value];
    if (name === 'pattern' && typeof value === 'string') return [name, unicodePattern(value)];
    if (name === 'patternProperties' && isObject(value)) {
      return [name, Object.fromEntries(Object.entries(value).map(([key, of]) => [unicodePattern(key), copyOf(of)]))];
    }
    if (name === '$dynamicRef' && typeof value === 'string') return ['$ref', copyOf(value)];
    return [name === '$dynamicAnchor' ? '$anchor' : name, copyOf(value)];
  };
  return { schema: copyOf(given), isOlder };
}

/** With the Unicode flag only characters of the syntax may be escaped, and many schemas escape others: `\-`. */
function unicodePattern(pattern: string): string {
  const escaped = pattern.replaceAll(/\\([^A-Za-z0-9\s^$\\.*+?()[\]{}|/])/g, (_whole, letter: string) => {
    return String.raw`\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`;
  });
  // Throws what is no pattern.
  return new RegExp(escaped, 'u').source;
}

/** The texts of all references of a schema, each as it stands and with its escapes decoded. */
function referencesIn(node: Json): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node as JsonObject).flatMap(([name, value]) =>
    /^\$(?:ref|dynamicRef)$/.test(name) && typeof value === 'string'
      ? [value, decodedText(value)]
      : referencesIn(value),
  );
}

function decodedText(reference: string): string {
  try {
    return decodeURIComponent(reference).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return reference;
  }
}

/** Keywords whose message only says that something within them is wrong, which is listed behind it. */
const wrappers: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'allOf',
  '$ref',
  '$recursiveRef',
  'dependentSchemas',
  'propertyNames',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'if',
]);

/** The errors of a validation, each at its place. */
function violationsIn(errors: readonly OutputUnit[]): readonly Violation[] {
  return errors.flatMap((unit, index) => {
    const isForbidden = errors[index + 1]?.keyword === 'false';
    if (unit.keyword === 'false' ? index > 0 : wrappers.has(unit.keyword) && !isForbidden) return [];
    return [{ at: unit.instanceLocation.slice(1), message: violationMessage(unit), keyword: unit.keyword }];
  });
}

/** By keyword: the words of the library, and those for a reader. */
const shownAs = new Map(
  Object.entries(messages).map(([keyword, { says, shown }]) => [keyword, { says: new RegExp(says, 's'), shown }]),
);

function violationMessage({ keyword, error }: OutputUnit): string {
  const { says, shown } = shownAs.get(keyword) ?? { says: /$^/, shown: '' };
  const found = says.exec(error);
  if (found === null) return error;
  const message = shown.replace('$1', () => (found[1] ?? '').replaceAll('", "', ','));
  return message.length > 200 ? `${message.slice(0, 199)}…` : message;
}

export type Conformance =
  | { readonly kind: 'conforms' }
  | { readonly kind: 'violates'; readonly violations: readonly Violation[] }
  /** The schema itself cannot be used, so nothing is known about the value. */
  | { readonly kind: 'unusable'; readonly error: string };

/** Of one value; more would tell nothing more. */
const mostViolationsPerValue = 50;

/** Validates a value against a JSON Schema, without a time limit. */
export function checkAlone(value: Json, schema: Json): Conformance {
  const read = readSchema(schema);
  if (read.kind === 'fault') return { kind: 'unusable', error: read.error };
  try {
    const isLarge = holdsLongInteger(value) || (holdsLongInteger(schema) && holdsLargeNumber(value));
    const all = isLarge ? largeViolations(value, schema) : read.violations(value);
    if (all === null) return { kind: 'unusable', error: inexact };
    const violations = all.slice(0, mostViolationsPerValue);
    return violations.length === 0 ? { kind: 'conforms' } : { kind: 'violates', violations };
  } catch (error) {
    return { kind: 'unusable', error: schemaFailure(error) };
  }
}
