import type { ErrorObject } from 'ajv';
import type { Json, JsonObject } from '../../json/json.js';
import type { Violation } from '../outcome.js';
import { type Interpreted, interpretSchema } from '../interpreter/interpreted-schema.js';
import { compileSchema, firstLineOf, longestWork } from './compile-schema.js';
import { needsGuard } from './needs-guard.js';
import { allPatience, OutOfPatience, TimeLimitExceeded, type Patience } from './patience.js';
import { withinTime } from './time-limit.js';
import { enumMessage } from './violation-text.js';

export type Conformance =
  | { readonly kind: 'conforms' }
  | { readonly kind: 'violates'; readonly violations: readonly Violation[] }
  /** The schema itself cannot be used, so nothing is known about the value. */
  | { readonly kind: 'unusable'; readonly error: string };

const mostViolations = 50;

/**
 * Validates a value against a JSON Schema: 2020-12, unless its `$schema` names another dialect. Gives the first 50
 * violations. A validation that takes longer than two seconds is stopped, and the schema then counts as unusable.
 */
export function checkSchema(value: Json, schema: Json): Conformance {
  return checkSchemaWith(allPatience, value, schema);
}

/**
 * Whether a value conforms, for a schema that is asked about a few values only: to compile it, and to load what compiles,
 * would take longer than to read it. The same limits hold as for {@link checkSchema}.
 */
export function conformsTo(value: Json, schema: JsonObject): boolean {
  const program = programs.get(schema) ?? programOf(schema);
  programs.set(schema, program);
  if (program === 'guarded') return checkSchema(value, schema).kind === 'conforms';
  return program.kind !== 'fault' && program.violations(value).length === 0;
}

/**
 * How many violations {@link checkSchema} finds, for a schema that is asked about one value; null where the schema cannot
 * be used. Where the interpreter may see other violations than Ajv, Ajv counts.
 */
export function violationCount(value: Json, schema: Json): number | null {
  const program = JSON.stringify(schema).includes('"unevaluated') ? 'guarded' : programOf(schema);
  if (program !== 'guarded' && program.kind !== 'fault')
    return Math.min(program.violations(value).length, mostViolations);
  const result = checkSchema(value, schema);
  return result.kind === 'violates' ? result.violations.length : result.kind === 'conforms' ? 0 : null;
}

function programOf(schema: Json): Interpreted | 'guarded' {
  return needsGuard(schema) ? 'guarded' : interpretSchema(schema);
}

const programs = new WeakMap<JsonObject, Interpreted | 'guarded'>();

/** Like {@link checkSchema}. Throws {@link OutOfPatience} where it would take longer than it may for now. */
export function checkSchemaWith(patience: Patience, value: Json, schema: Json): Conformance {
  const compiled = compileSchema(schema);
  if (compiled.kind === 'fault') return { kind: 'unusable', error: compiled.error };
  const { validate, guarded } = compiled;
  // Setting up the time limit costs more than most validations.
  const run = <Result>(work: () => Result): Result =>
    guarded ? patience(longestWork, (milliseconds) => withinTime(milliseconds, work)) : work();
  try {
    if (run(() => validate(value))) return { kind: 'conforms' };
  } catch (error) {
    // Ajv fails on some values, as one with a member `toString` that is to be compared.
    return isStopped(error) ? unusable(error) : interpreted(value, schema, run);
  }
  const violations = (validate.errors ?? []).slice(0, mostViolations).map(toViolation);
  validate.errors = null;
  return { kind: 'violates', violations };
}

/** The judgement of the interpreter, in the same time. */
function interpreted(value: Json, schema: Json, run: <Result>(work: () => Result) => Result): Conformance {
  const program = interpretSchema(schema);
  if (program.kind === 'fault') return { kind: 'unusable', error: program.error };
  try {
    const violations = run(() => program.violations(value)).slice(0, mostViolations);
    return violations.length === 0 ? { kind: 'conforms' } : { kind: 'violates', violations };
  } catch (error) {
    return unusable(error);
  }
}

function isStopped(error: unknown): boolean {
  return error instanceof OutOfPatience || error instanceof TimeLimitExceeded;
}

/** Throws what is no judgement. */
function unusable(error: unknown): Conformance {
  if (error instanceof OutOfPatience) throw error;
  const why =
    error instanceof TimeLimitExceeded ? 'a pattern of the schema takes too long on this value' : firstLineOf(error);
  return { kind: 'unusable', error: why };
}

/** Why a schema cannot be compiled, in one line; null when it can. */
export function schemaProblem(schema: Json): string | null {
  const compiled = compileSchema(schema);
  return compiled.kind === 'fault' ? compiled.error : null;
}

function toViolation({ instancePath, message, params, keyword }: ErrorObject): Violation {
  return { at: instancePath, message: messageOf(message ?? keyword, keyword, params as Record<string, unknown>) };
}

/** Ajv's message with what it leaves out. */
function messageOf(message: string, keyword: string, params: Record<string, unknown>): string {
  switch (keyword) {
    case 'additionalProperties':
      return `${message}: ${String(params['additionalProperty'])}`;
    case 'unevaluatedProperties':
      return `${message}: ${String(params['unevaluatedProperty'])}`;
    case 'enum':
      return enumMessage(params['allowedValues'] as readonly Json[]);
    default:
      return message;
  }
}
