import type { Json } from '../../json/json.js';
import { checkAlone, type Conformance } from './check-alone.js';
import { TimeLimitExceeded, withinTime } from './time-limit.js';

/** The time limit of a validation, in milliseconds. Only endless backtracking comes near it. */
const longestWork = 2000;

/**
 * Validates a value against a JSON Schema: 2020-12, unless its `$schema` names another dialect. Gives the first 50
 * violations. A validation that takes longer than two seconds is stopped, and the schema then counts as unusable.
 */
export function checkSchema(value: Json, schema: Json): Conformance {
  if (!mayTakeLong(schema)) return checkAlone(value, schema);
  try {
    return withinTime(longestWork, () => checkAlone(value, schema));
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
    return { kind: 'unusable', error: 'a pattern of the schema takes too long on this value' };
  }
}

/** Patterns backtrack, formats are patterns, `uniqueItems` compares every two items, and references multiply. */
function mayTakeLong(schema: Json): boolean {
  return /"(?:pattern|patternProperties|format|uniqueItems|\$\w*[rR]ef)":/.test(JSON.stringify(schema));
}
