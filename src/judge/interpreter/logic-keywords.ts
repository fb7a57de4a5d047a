import type { Json } from '../../json/json.js';
import type { Violation } from '../outcome.js';
import {
  addAll,
  addSeen,
  isAlwaysTrue,
  tried,
  type Found,
  type Keyword,
  type NodeCheck,
  type Seen,
} from './node-check.js';

/** A subschema for the same value, of which the outer schema has seen what it has if it conforms. */
function inPlace(check: NodeCheck, value: Json, at: string, found: Found): boolean {
  if (found.seen === null) {
    const before = found.violations.length;
    check(value, at, found);
    return found.violations.length === before;
  }
  const result = tried(check, value, at, found);
  addAll(found.violations, result.violations);
  if (result.conforms) addSeen(found.seen, result.seen);
  return result.conforms;
}

/** A reference is resolved at once, so that one to nowhere is noticed, and its schema is compiled when first needed. */
function reference(name: '$ref' | '$dynamicRef' | '$recursiveRef'): Keyword {
  return (schema, program) => {
    const target = schema[name];
    if (typeof target !== 'string' || (name !== '$ref' && program.dialect === '07')) return null;
    const check = program.check(program.resolve(target, schema));
    return (value, at, found) => void inPlace(check, value, at, found);
  };
}

const not: Keyword = ({ not: of }, program) => {
  if (of === undefined) return null;
  const check = program.check(of);
  return (value, at, found) => {
    if (tried(check, value, at, found).conforms) found.violations.push({ at, message: 'must NOT be valid' });
  };
};

const anyOf: Keyword = ({ anyOf: of }, program) => {
  if (!Array.isArray(of)) return null;
  const checks = (of as readonly Json[]).map((one) => program.check(one));
  return (value, at, found) => {
    const { violations, seen } = found;
    const broken: Violation[] = [];
    let holds = false;
    for (const check of checks) {
      const result = tried(check, value, at, found);
      addAll(broken, result.violations);
      if (result.conforms) addSeen(seen, result.seen);
      holds ||= result.conforms;
    }
    if (holds) return;
    addAll(violations, broken);
    violations.push({ at, message: 'must match a schema in anyOf' });
  };
};

const oneOf: Keyword = ({ oneOf: of }, program) => {
  if (!Array.isArray(of)) return null;
  const checks = (of as readonly Json[]).map((one) => program.check(one));
  return (value, at, found) => {
    const { violations, seen } = found;
    const broken: Violation[] = [];
    const conforming: (Seen | null)[] = [];
    for (const check of checks) {
      const result = tried(check, value, at, found);
      addAll(broken, result.violations);
      if (result.conforms) conforming.push(result.seen);
      if (conforming.length > 1) break;
    }
    if (conforming.length === 1) {
      addSeen(seen, conforming[0] ?? null);
      return;
    }
    addAll(violations, broken);
    violations.push({ at, message: 'must match exactly one schema in oneOf' });
  };
};

const allOf: Keyword = ({ allOf: of }, program) => {
  if (!Array.isArray(of)) return null;
  const checks = (of as readonly Json[]).map((one) => program.check(one));
  return (value, at, found) => {
    for (const check of checks) inPlace(check, value, at, found);
  };
};

const ifThenElse: Keyword = (schema, program) => {
  const { if: condition, then, else: otherwise } = schema;
  if (condition === undefined) return null;
  // By itself it only tells what it has looked at.
  if (then === undefined && otherwise === undefined && !program.tracks) return null;
  const check = program.check(condition);
  const branches = { then: program.check(then ?? true), else: program.check(otherwise ?? true) };
  return (value, at, found) => {
    const { conforms, seen } = tried(check, value, at, found);
    if (conforms) addSeen(found.seen, seen);
    const name = conforms ? 'then' : 'else';
    if (isAlwaysTrue(schema[name])) return;
    if (!inPlace(branches[name], value, at, found))
      found.violations.push({ at, message: `must match "${name}" schema` });
  };
};

export const references: readonly Keyword[] = [reference('$dynamicRef'), reference('$recursiveRef'), reference('$ref')];

export const logicKeywords: readonly Keyword[] = [not, anyOf, oneOf, allOf, ifThenElse];
