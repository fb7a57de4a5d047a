import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { digest } from '../../json/digest.js';
import { isObject, type Json } from '../../json/json.js';
import { at, pointerSteps } from '../../json/pointer.js';
import { shapeProblem } from '../interpreter/schema-shape.js';
import { dialectsFor, type Dialect } from './dialects.js';
import { needsGuard } from './needs-guard.js';
import { withinTime } from './time-limit.js';

interface CompiledSchema {
  readonly kind: 'compiled';
  readonly validate: ValidateFunction;
  /** Whether validating needs a time limit; see {@link needsGuard}. */
  readonly guarded: boolean;
}

/** Why a schema cannot be compiled. */
export interface SchemaFault {
  readonly kind: 'fault';
  /** One line. */
  readonly error: string;
  /** Where the schema breaks its own dialect; null for every other fault. */
  readonly invalid: {
    /** Steps from the root of the schema. */
    readonly at: readonly string[];
    readonly message: string;
    readonly found: Json | undefined;
    /** The values that the place allows, where it allows only certain ones. */
    readonly allowed: readonly string[];
  } | null;
  /** The reference that cannot be resolved; null for every other fault. */
  readonly unresolved: string | null;
}

/** The time limit of a compilation or a validation, in milliseconds. Only endless backtracking comes near it. */
export const longestWork = 2000;
const mostCompiled = 500;

/** By digest of the schema. The oldest entry is evicted first. */
const known = new Map<string, CompiledSchema | SchemaFault>();
const digests = new WeakMap<object, string>();

/**
 * Compiles a JSON Schema in the dialect that its `$schema` names (2020-12, 2019-09, or draft-07 for it and older ones).
 * Without `$schema` it is read as 2020-12, or as draft-07 where only that accepts it. Formats are checked, unknown
 * keywords and formats are not.
 */
export function compileSchema(schema: Json): CompiledSchema | SchemaFault {
  const key = digestOf(schema);
  const before = known.get(key);
  if (before !== undefined) return before;
  const compiled = compile(schema);
  const oldest = known.size >= mostCompiled ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
  known.set(key, compiled);
  return compiled;
}

function digestOf(schema: Json): string {
  if (typeof schema !== 'object' || schema === null) return digest(schema);
  const before = digests.get(schema);
  if (before !== undefined) return before;
  const made = digest(schema);
  digests.set(schema, made);
  return made;
}

function compile(schema: Json): CompiledSchema | SchemaFault {
  if (typeof schema !== 'boolean' && !isObject(schema)) return fault('a schema must be an object or a boolean');
  let first: SchemaFault | null = null;
  for (const dialect of dialectsFor(schema)) {
    const result = compileAs(dialect, schema);
    if (result.kind === 'compiled') return result;
    first ??= result;
  }
  return first ?? fault('the schema cannot be compiled');
}

function compileAs(dialect: Dialect, schema: Json): CompiledSchema | SchemaFault {
  const plain = withoutDialect(schema) as object;
  let first: SchemaFault | null = null;
  // A pattern that is invalid with the Unicode flag may be valid without it.
  for (const unicodeRegExp of [true, false]) {
    const ajv = instanceFor(dialect, unicodeRegExp, plain);
    try {
      const validate = withinTime(longestWork, () => {
        if (shapeProblem(plain as Json, dialect, 'whole') !== null) requireSchema(ajv, plain);
        return ajv.compile(plain);
      });
      return { kind: 'compiled', validate, guarded: needsGuard(schema) };
    } catch (error) {
      first ??= faultOf(error, ajv, schema);
      if (!/regular expression/i.test(first.error)) break;
    } finally {
      // Otherwise the instance would keep every schema that it ever compiled.
      if (typeof plain === 'object') ajv.removeSchema(plain);
    }
  }
  return first ?? fault('the schema cannot be compiled');
}

/** Throws, with errors that say where. To ask this of every schema, Ajv would compile its meta-schemas first. */
function requireSchema(ajv: Ajv, schema: object): void {
  void ajv.validateSchema(schema, true);
}

/** `$schema` has already chosen the validator, and Ajv would look its address up as a schema. */
function withoutDialect(schema: Json): Json {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}

type AjvClass = new (options: Record<string, unknown>) => Ajv;

const require = createRequire(import.meta.url);
const modules = { '2020': 'ajv/dist/2020.js', '2019': 'ajv/dist/2019.js', '07': 'ajv' } as const;
const instances = new Map<string, Ajv>();

/** Shared, except for a schema with ids, which could be mistaken for another schema with the same ids. */
function instanceFor(dialect: Dialect, unicodeRegExp: boolean, schema: Json | object): Ajv {
  if (JSON.stringify(schema).includes('"$id"')) return createInstance(dialect, unicodeRegExp);
  const key = `${dialect} ${unicodeRegExp}`;
  const shared = instances.get(key) ?? createInstance(dialect, unicodeRegExp);
  instances.set(key, shared);
  return shared;
}

/** Ajv is loaded on first use, since most commands validate nothing. */
function createInstance(dialect: Dialect, unicodeRegExp: boolean): Ajv {
  const { default: Class } = require(modules[dialect]) as { default: AjvClass };
  const { default: addFormats } = require('ajv-formats') as { default: (ajv: Ajv) => unknown };
  // Without `ownProperties` every object has a `constructor` and a `toString`.
  const ajv = new Class({
    ...{ strict: false, allErrors: true, logger: false, unicodeRegExp, ownProperties: true },
    // Only what `shapeProblem` finds fault with is validated.
    validateSchema: false,
  });
  addFormats(ajv);
  return ajv;
}

function faultOf(error: unknown, ajv: Ajv, schema: Json): SchemaFault {
  const message = firstLineOf(error);
  const invalid = message.startsWith('schema is invalid') ? invalidPlace(ajv.errors ?? [], schema) : null;
  const unresolved = /can't resolve reference (\S+)/.exec(message)?.[1] ?? null;
  return { kind: 'fault', error: message, invalid, unresolved };
}

/** The deepest error is the most specific one; those around it only follow from it. */
function invalidPlace(errors: readonly ErrorObject[], schema: Json): SchemaFault['invalid'] {
  const depth = ({ instancePath }: ErrorObject): number => instancePath.split('/').length;
  const [deepest] = [...errors].sort((one, other) => depth(other) - depth(one));
  const steps = pointerSteps(deepest?.instancePath ?? '');
  const allowed = errors
    .filter(({ instancePath, keyword }) => keyword === 'enum' && instancePath === deepest?.instancePath)
    .flatMap(({ params }) => (params as { allowedValues: readonly unknown[] }).allowedValues.map(String));
  return { at: steps, message: deepest?.message ?? 'is not valid', found: at(schema, steps), allowed };
}

function fault(error: string): SchemaFault {
  return { kind: 'fault', error, invalid: null, unresolved: null };
}

/** What went wrong, in one line. */
export function firstLineOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
}
