import { createContext, Script, type Context } from 'node:vm';
import { jsonText, type Json } from '../../json/json.js';
import { isTimeout, withinWork } from '../time-limit.js';
import { checkAlone, type Conformance } from './read-schema.js';

/**
 * The time limits of a validation, in milliseconds, since nothing else is done meanwhile. Only endless backtracking
 * comes near the first; the second holds for a schema that was stopped before.
 */
const longestWork = { first: 500, again: 20 } as const;

/** Schemas that were stopped, as text; a run has few. */
const stopped = new Set<string>();
const mostStopped = 1000;

/**
 * Validates a value against a JSON Schema: 2020-12, unless its `$schema` names another dialect. Gives the first 50
 * violations. A validation that takes longer than half a second is stopped, and the schema then counts as unusable.
 */
export function checkSchema(value: Json, schema: Json): Conformance {
  const text = jsonText(schema);
  if (!mayTakeLong(text)) return checkAlone(value, schema);
  try {
    return withinTime(stopped.has(text) ? longestWork.again : longestWork.first, () => checkAlone(value, schema));
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
    if (stopped.size < mostStopped) stopped.add(text);
    return { kind: 'unusable', error: 'a pattern of the schema takes too long on this value' };
  }
}

/** Patterns backtrack, formats are patterns, `uniqueItems` compares every two items, and references multiply. */
function mayTakeLong(schema: string): boolean {
  return /"(?:pattern|patternProperties|format|uniqueItems|\$\w*[rR]ef)":/.test(schema);
}

/** Thrown where a check was stopped. */
class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';
}

let sandbox: { readonly context: Context; readonly script: Script } | null = null;

/**
 * Runs `work` for at most so many milliseconds of this process, then throws {@link TimeLimitExceeded}. The JavaScript
 * engine itself stops it, so even a regular expression that backtracks without end is stopped. `work` must be
 * synchronous.
 */
function withinTime<Result>(milliseconds: number, work: () => Result): Result {
  sandbox ??= { context: createContext({}), script: new Script('result = work()') };
  const { context, script } = sandbox;
  context['work'] = work;
  try {
    withinWork(milliseconds, (timeout) => void script.runInContext(context, { timeout }));
    return context['result'] as Result;
  } catch (error) {
    if (isTimeout(error)) throw new TimeLimitExceeded(`stopped after ${milliseconds} ms`);
    throw error;
  } finally {
    context['work'] = null;
    context['result'] = null;
  }
}
