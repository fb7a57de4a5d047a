import type { OutputUnit } from '@cfworker/json-schema';
import type { Violation } from '../outcome.js';

/** They only say that something within them is wrong, which is listed behind them. */
const wrappers: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'items', 'prefixItems', 'additionalItems', 'allOf', '$ref', '$recursiveRef'],
  ...['dependentSchemas', 'propertyNames', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties', 'if'],
]);

/** The errors of a validation, each at its place. */
export function violationsIn(errors: readonly OutputUnit[]): readonly Violation[] {
  return errors.flatMap((unit, index) => {
    const isForbidden = errors[index + 1]?.keyword === 'false';
    if (unit.keyword === 'false' ? index > 0 : wrappers.has(unit.keyword) && !isForbidden) return [];
    return [{ at: unit.instanceLocation.slice(1), message: messageOf(unit) }];
  });
}

/** By keyword: what the library says, and what a reader is told. */
const words: Readonly<Record<string, readonly [says: RegExp, told: string]>> = {
  type: [/Expected "(.*)"\.$/s, 'must be $1'],
  required: [/property "(.*)"\.$/s, "must have required property '$1'"],
  additionalProperties: [/Property "(.*)" does not/s, 'must NOT have additional properties: $1'],
  unevaluatedProperties: [/Property "(.*)" does not/s, 'must NOT have unevaluated properties: $1'],
  enum: [/any of (.*)\.$/s, 'must be equal to one of the allowed values: $1'],
  const: [/./s, 'must be equal to constant'],
  minimum: [/less than (?:or equal to )?(\S+)\.$/, 'must be >= $1'],
  maximum: [/greater than (?:or equal to )?(\S+)\.$/, 'must be <= $1'],
  exclusiveMinimum: [/less than (?:or equal to )?(\S+)\.$/, 'must be > $1'],
  exclusiveMaximum: [/greater than (?:or equal to )?(\S+)\.$/, 'must be < $1'],
  multipleOf: [/multiple of (\S+)\.$/, 'must be multiple of $1'],
  minLength: [/(\d+)\)?\.$/, 'must NOT have fewer than $1 characters'],
  maxLength: [/(\d+)\)?\.$/, 'must NOT have more than $1 characters'],
  pattern: [/./s, 'must match its pattern'],
  format: [/format "(.*)"/s, 'must match format "$1"'],
  anyOf: [/./s, 'must match a schema in anyOf'],
  oneOf: [/./s, 'must match exactly one schema in oneOf'],
  not: [/./s, 'must NOT be valid'],
  false: [/./s, 'boolean schema is false'],
};

function messageOf({ keyword, error }: OutputUnit): string {
  const [says, told] = words[keyword] ?? [/$^/, ''];
  const found = says.exec(error);
  if (found === null) return error;
  const message = told.replace('$1', () => (found[1] ?? '').replaceAll('", "', ','));
  return message.length > 200 ? `${message.slice(0, 199)}…` : message;
}
