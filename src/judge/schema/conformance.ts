import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { digest } from '../../json/digest.js';
import { isObject, type Json } from '../../json/json.js';
import type { Violation } from '../outcome.js';
import { TookTooLong, withinTime } from './time-limit.js';

export type Conformance =
  | { readonly kind: 'conforms' }
  | { readonly kind: 'violates'; readonly violations: readonly Violation[] }
  /** The schema itself cannot be used: nothing is known of the value. */
  | { readonly kind: 'unusable'; readonly error: string };

/** Milliseconds. Only a regular expression that explodes comes near it. */
const longestValidation = 2000;
const mostViolations = 50;
const mostValidators = 500;

type Compiled = { readonly validate: ValidateFunction } | { readonly error: string };

/** By digest of the schema; the oldest goes first. */
const compiled = new Map<string, Compiled>();
const digests = new WeakMap<object, string>();

/** Holds a value against a JSON Schema (2020-12 unless it names another draft); all violations, and never endless. */
export function checkSchema(value: Json, schema: Json): Conformance {
  const validator = validatorOf(schema);
  if ('error' in validator) return { kind: 'unusable', error: validator.error };
  const { validate } = validator;
  try {
    if (withinTime(longestValidation, () => validate(value))) return { kind: 'conforms' };
  } catch (error) {
    const why =
      error instanceof TookTooLong ? 'a pattern of the schema does not come to an end on this value' : messageOf(error);
    return { kind: 'unusable', error: why };
  }
  const violations = (validate.errors ?? []).slice(0, mostViolations).map(toViolation);
  validate.errors = null;
  return { kind: 'violates', violations };
}

/** Why a schema cannot be compiled, in one line; null when it can. */
export function schemaProblem(schema: Json): string | null {
  const validator = validatorOf(schema);
  return 'error' in validator ? validator.error : null;
}

function validatorOf(schema: Json): Compiled {
  const key = digestOf(schema);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const fresh = compile(schema);
  const oldest = compiled.size >= mostValidators ? compiled.keys().next().value : undefined;
  if (oldest !== undefined) compiled.delete(oldest);
  compiled.set(key, fresh);
  return fresh;
}

function digestOf(schema: Json): string {
  if (typeof schema !== 'object' || schema === null) return digest(schema);
  const known = digests.get(schema) ?? digest(schema);
  digests.set(schema, known);
  return known;
}

function compile(schema: Json): Compiled {
  if (typeof schema !== 'boolean' && !isObject(schema)) return { error: 'a schema is an object or a boolean' };
  const tries = draftsFor(schema);
  let first: string | null = null;
  for (const draft of tries) {
    try {
      return { validate: withinTime(longestValidation, () => compileAs(draft, schema)) };
    } catch (error) {
      first ??= messageOf(error);
    }
  }
  return { error: first ?? 'the schema cannot be compiled' };
}

type Draft = '2020' | '2019' | '07';

/** The named draft; without one 2020-12, and the older form of tuples where that fails. */
function draftsFor(schema: Json): readonly Draft[] {
  const named = isObject(schema) && Object.hasOwn(schema, '$schema') ? schema['$schema'] : undefined;
  if (typeof named !== 'string' || named.includes('2020-12')) return ['2020', '07'];
  if (named.includes('2019-09')) return ['2019'];
  return ['07', '2020'];
}

type AjvClass = new (options: Record<string, unknown>) => Ajv;

const require = createRequire(import.meta.url);
const modules = { '2020': 'ajv/dist/2020.js', '2019': 'ajv/dist/2019.js', '07': 'ajv' } as const;
const instances = new Map<string, Ajv>();

/** Loaded on first use: most starts of the program validate nothing. */
function instanceOf(draft: Draft, unicodeRegExp: boolean): Ajv {
  const key = `${draft} ${unicodeRegExp}`;
  const known = instances.get(key);
  if (known !== undefined) return known;
  const { default: Class } = require(modules[draft]) as { default: AjvClass };
  const { default: addFormats } = require('ajv-formats') as { default: (ajv: Ajv) => unknown };
  // Without `ownProperties` every object has a `constructor` and a `toString`.
  const ajv = new Class({ strict: false, allErrors: true, logger: false, unicodeRegExp, ownProperties: true });
  addFormats(ajv);
  instances.set(key, ajv);
  return ajv;
}

function compileAs(draft: Draft, schema: Json): ValidateFunction {
  let failure: unknown;
  const plain = withoutDialect(schema) as object;
  // A pattern that is no Unicode regular expression may still be a plain one.
  for (const unicodeRegExp of [true, false]) {
    const ajv = instanceOf(draft, unicodeRegExp);
    try {
      return ajv.compile(plain);
    } catch (error) {
      failure ??= error;
      if (!/regular expression/i.test(messageOf(error))) break;
    } finally {
      // Else the instance would keep every schema it ever saw.
      if (typeof plain === 'object') ajv.removeSchema(plain);
    }
  }
  throw failure;
}

/** The dialect chose the validator already; its address would be looked up as a schema. */
function withoutDialect(schema: Json): Json {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}

function toViolation({ instancePath, message, params, keyword }: ErrorObject): Violation {
  const extra =
    keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
      ? `: ${String((params as Record<string, unknown>)['additionalProperty'] ?? (params as Record<string, unknown>)['unevaluatedProperty'])}`
      : keyword === 'enum'
        ? `: ${shorten(JSON.stringify((params as Record<string, unknown>)['allowedValues']))}`
        : '';
  return { at: instancePath, message: `${message ?? keyword}${extra}` };
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
}
