import { isObject, type Json, type JsonObject } from '../../json/json.js';
import {
  addAll,
  addSeen,
  checkBelow,
  tried,
  type Found,
  type Keyword,
  type NodeCheck,
  type Program,
} from './node-check.js';
import { sizeLimits } from './numeric-keyword.js';

/** Runs on objects only. */
function onObjects(check: (value: JsonObject, at: string, found: Found) => void): NodeCheck {
  return (value, at, found) => {
    if (isObject(value)) check(value, at, found);
  };
}

const limits = sizeLimits('Properties', 'properties', (value) => (isObject(value) ? Object.keys(value).length : null));

const required: Keyword = ({ required: names }) => {
  if (!Array.isArray(names)) return null;
  return onObjects((value, at, { violations }) => {
    for (const name of names as readonly string[]) {
      if (!Object.hasOwn(value, name)) violations.push({ at, message: `must have required property '${name}'` });
    }
  });
};

const propertyNames: Keyword = ({ propertyNames: of }, program) => {
  if (of === undefined) return null;
  const check = program.check(of);
  return onObjects((value, at, found) => {
    for (const name of Object.keys(value)) {
      const result = tried(check, name, at, found);
      addAll(found.violations, result.violations);
      if (!result.conforms) found.violations.push({ at, message: 'property name must be valid' });
    }
  });
};

function checkMember(check: NodeCheck, value: JsonObject, name: string, at: string, found: Found): void {
  found.seen?.members.add(name);
  checkBelow(check, value[name] ?? null, at, name, found);
}

function entriesOf(holder: Json | undefined): readonly (readonly [string, Json])[] {
  return isObject(holder) ? Object.entries(holder) : [];
}

function patternsOf(schema: JsonObject, { flags }: Program): readonly (readonly [RegExp, Json])[] {
  return entriesOf(schema['patternProperties']).map(([source, of]) => [new RegExp(source, flags), of] as const);
}

const properties: Keyword = (schema, program) => {
  const checks = entriesOf(schema['properties']).map(([name, of]) => [name, program.check(of)] as const);
  if (checks.length === 0) return null;
  return onObjects((value, at, found) => {
    for (const [name, check] of checks) if (Object.hasOwn(value, name)) checkMember(check, value, name, at, found);
  });
};

const patternProperties: Keyword = (schema, program) => {
  const checks = patternsOf(schema, program).map(([pattern, of]) => [pattern, program.check(of)] as const);
  if (checks.length === 0) return null;
  return onObjects((value, at, found) => {
    for (const [pattern, check] of checks) {
      for (const name of Object.keys(value)) if (pattern.test(name)) checkMember(check, value, name, at, found);
    }
  });
};

const additionalProperties: Keyword = (schema, program) => {
  const { additionalProperties: of } = schema;
  if (of === undefined) return null;
  const named = new Set(entriesOf(schema['properties']).map(([name]) => name));
  const patterns = patternsOf(schema, program).map(([pattern]) => pattern);
  const check = program.check(of);
  return onObjects((value, at, found) => {
    for (const name of Object.keys(value)) {
      if (named.has(name) || (patterns.length > 0 && patterns.some((pattern) => pattern.test(name)))) continue;
      if (of !== false) checkMember(check, value, name, at, found);
      else {
        found.seen?.members.add(name);
        found.violations.push({ at, message: `must NOT have additional properties: ${name}` });
      }
    }
  });
};

/** Which members another member demands. */
function demands(name: 'dependencies' | 'dependentRequired'): Keyword {
  return (schema, { dialect }) => {
    if (name === 'dependentRequired' && dialect === '07') return null;
    const lists = entriesOf(schema[name]).flatMap(([holder, of]) =>
      Array.isArray(of) ? [[holder, of as readonly string[]] as const] : [],
    );
    if (lists.length === 0) return null;
    return onObjects((value, at, { violations }) => {
      for (const [holder, names] of lists) {
        if (!Object.hasOwn(value, holder)) continue;
        const word = names.length === 1 ? 'property' : 'properties';
        const message = `must have ${word} ${names.join(', ')} when property ${holder} is present`;
        for (const wanted of names) if (!Object.hasOwn(value, wanted)) violations.push({ at, message });
      }
    });
  };
}

/** Which schema a member puts on its whole object. */
function conditions(name: 'dependencies' | 'dependentSchemas'): Keyword {
  return (schema, program) => {
    if (name === 'dependentSchemas' && program.dialect === '07') return null;
    const checks = entriesOf(schema[name]).flatMap(([holder, of]) =>
      Array.isArray(of) ? [] : [[holder, program.check(of)] as const],
    );
    if (checks.length === 0) return null;
    return onObjects((value, at, found) => {
      for (const [holder, check] of checks) {
        if (!Object.hasOwn(value, holder)) continue;
        const result = tried(check, value, at, found);
        addAll(found.violations, result.violations);
        if (result.conforms) addSeen(found.seen, result.seen);
      }
    });
  };
}

export const objectKeywords: readonly Keyword[] = [
  ...limits,
  required,
  propertyNames,
  additionalProperties,
  demands('dependencies'),
  conditions('dependencies'),
  properties,
  patternProperties,
  demands('dependentRequired'),
  conditions('dependentSchemas'),
];

/** Comes after every other keyword. */
export const unevaluatedProperties: Keyword = (schema, program) => {
  const { unevaluatedProperties: of } = schema;
  if (of === undefined || program.dialect === '07') return null;
  const check = program.check(of);
  return onObjects((value, at, found) => {
    for (const name of Object.keys(value)) {
      if (found.seen?.members.has(name) === true) continue;
      if (of !== false) checkMember(check, value, name, at, found);
      else {
        found.seen?.members.add(name);
        found.violations.push({ at, message: `must NOT have unevaluated properties: ${name}` });
      }
    }
  });
};
