import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { Violation } from '../outcome.js';
import { dialectsFor, type Dialect } from '../schema/dialects.js';
import { arrayKeywords, unevaluatedItems } from './array-keywords.js';
import { logicKeywords, references } from './logic-keywords.js';
import { nothingSeen, type NodeCheck, type Program } from './node-check.js';
import { objectKeywords, unevaluatedProperties } from './object-keywords.js';
import { indexSchema } from './schema-index.js';
import { shapeProblem } from './schema-shape.js';
import { typeProblem, valueKeywords } from './value-keywords.js';

export type Interpreted =
  | { readonly kind: 'compiled'; readonly violations: (value: Json) => readonly Violation[] }
  /** Why the schema cannot be used, in one line. */
  | { readonly kind: 'fault'; readonly error: string };

/** In an order in which the unevaluated ones know what the others have seen. */
const keywords = [
  ...[...references, ...valueKeywords, ...logicKeywords, ...arrayKeywords, ...objectKeywords],
  ...[unevaluatedItems, unevaluatedProperties],
];

/**
 * Reads a JSON Schema as `compileSchema` does, without making code of it: it runs where a content security policy forbids
 * `eval`. Nothing can stop a pattern that backtracks without end.
 */
export function interpretSchema(schema: Json): Interpreted {
  if (typeof schema !== 'boolean' && !isObject(schema)) return fault('a schema must be an object or a boolean');
  const results = dialectsFor(schema).map((dialect) => () => interpretedAs(dialect, schema));
  let first: Interpreted | null = null;
  for (const result of results) {
    const interpreted = result();
    if (interpreted.kind === 'compiled') return interpreted;
    first ??= interpreted;
  }
  return first ?? fault('the schema cannot be compiled');
}

function interpretedAs(dialect: Dialect, schema: Json): Interpreted {
  const problem = shapeProblem(schema, dialect, 'whole');
  if (problem !== null) return fault(problem);
  // A pattern that is invalid with the Unicode flag may be valid without it.
  const withUnicode = programOf(schema, dialect, 'u');
  if (withUnicode.kind === 'compiled' || !/regular expression/i.test(withUnicode.error)) return withUnicode;
  return programOf(schema, dialect, '');
}

function programOf(schema: Json, dialect: Dialect, flags: Program['flags']): Interpreted {
  try {
    const { resolve } = indexSchema(schema);
    const made = new Map<JsonObject, NodeCheck>();
    const tracks = JSON.stringify(schema).includes('"unevaluated');
    const program: Program = { dialect, flags, tracks, resolve, check: (node) => checkOf(node, program, made) };
    const check = program.check(schema);
    const violationsOf = (value: Json, places: boolean): readonly Violation[] => {
      const violations: Violation[] = [];
      check(value, '', { violations, seen: nothingSeen(program), places });
      return violations;
    };
    return {
      kind: 'compiled',
      violations: (value) => (violationsOf(value, false).length === 0 ? [] : violationsOf(value, true)),
    };
  } catch (error) {
    return fault(error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error));
  }
}

function checkOf(node: Json, program: Program, made: Map<JsonObject, NodeCheck>): NodeCheck {
  if (!isObject(node)) return node === false ? refuse : accept;
  const before = made.get(node);
  if (before !== undefined) return before;
  // A reference may lead to a place where the dialect expects no schema.
  const problem = shapeProblem(node, program.dialect, 'own') ?? typeProblem(node) ?? unsupported(node);
  if (problem !== null) throw new Error(problem);
  let checks: readonly NodeCheck[] = [];
  const check: NodeCheck = (value, at, found) => {
    for (const one of checks) one(value, at, found);
  };
  // A schema that refers to itself finds it here.
  made.set(node, check);
  checks = keywords.flatMap((keyword) => keyword(node, program) ?? []);
  const [only] = checks;
  if (only === undefined || checks.length > 1) return check;
  made.set(node, only);
  return only;
}

/** What Ajv refuses as well. */
function unsupported(node: JsonObject): string | null {
  if (Object.hasOwn(node, 'id')) return 'NOT SUPPORTED: keyword "id", use "$id" for schema ID';
  const { enum: values } = node;
  return Array.isArray(values) && values.length === 0 ? 'enum must have non-empty array' : null;
}

const accept: NodeCheck = () => undefined;
const refuse: NodeCheck = (_value, at, { violations }) => {
  violations.push({ at, message: 'boolean schema is false' });
};

function fault(error: string): Interpreted {
  return { kind: 'fault', error };
}
