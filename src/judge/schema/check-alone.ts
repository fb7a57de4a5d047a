import type { Json } from '../../json/json.js';
import type { Violation } from '../outcome.js';
import { readSchema } from './read-schema.js';

export type Conformance =
  | { readonly kind: 'conforms' }
  | { readonly kind: 'violates'; readonly violations: readonly Violation[] }
  /** The schema itself cannot be used, so nothing is known about the value. */
  | { readonly kind: 'unusable'; readonly error: string };

/** Of one value; more would tell nothing more. */
const mostViolations = 50;

/** Validates a value against a JSON Schema, without a time limit. */
export function checkAlone(value: Json, schema: Json): Conformance {
  const read = readSchema(schema);
  if (read.kind === 'fault') return { kind: 'unusable', error: read.error };
  try {
    const violations = read.violations(value).slice(0, mostViolations);
    return violations.length === 0 ? { kind: 'conforms' } : { kind: 'violates', violations };
  } catch (error) {
    return {
      kind: 'unusable',
      error: error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error),
    };
  }
}
