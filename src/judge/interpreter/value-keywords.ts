import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Json, JsonObject } from '../../json/json.js';
import { isSameJson } from '../../json/same-json.js';
import { enumMessage } from '../schema/violation-text.js';
import type { Keyword, NodeCheck } from './node-check.js';
import { numeric, sizeLimits } from './numeric-keyword.js';

/** Of numbers, which a text such as 1e999 can make infinite. */
const number = (refuses: (value: number, limit: number) => boolean) => (value: Json, limit: number) =>
  typeof value === 'number' && Number.isFinite(value) && refuses(value, limit);

function codePoints(value: string): number {
  let count = 0;
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff && at + 1 < value.length && (value.charCodeAt(at + 1) & 0xfc00) === 0xdc00)
      at += 1;
    count += 1;
  }
  return count;
}

const pattern: Keyword = ({ pattern: source }, { flags }) => {
  if (typeof source !== 'string') return null;
  const expression = new RegExp(source, flags);
  return (value, at, { violations }) => {
    if (typeof value === 'string' && !expression.test(value))
      violations.push({ at, message: `must match pattern "${source}"` });
  };
};

type FormatCheck = (value: string | number) => boolean;

/** The formats of Ajv, so that a value conforms here exactly if it does there. */
const format: Keyword = ({ format: name }) => {
  if (typeof name !== 'string' || !Object.hasOwn(fullFormats, name)) return null;
  const known: unknown = (fullFormats as Readonly<Record<string, unknown>>)[name];
  if (known === true) return null;
  const { of, check } = formatCheck(known);
  return (value, at, { violations }) => {
    if (typeof value !== of || (typeof value === 'number' && !Number.isFinite(value))) return;
    if (!check(value as string | number)) violations.push({ at, message: `must match format "${name}"` });
  };
};

function formatCheck(known: unknown): { readonly of: 'string' | 'number'; readonly check: FormatCheck } {
  if (known instanceof RegExp) return { of: 'string', check: (value) => known.test(String(value)) };
  if (typeof known === 'function') return { of: 'string', check: known as FormatCheck };
  const { type, validate } = known as { readonly type?: string; readonly validate: RegExp | FormatCheck };
  const { check } = formatCheck(validate);
  return { of: type === 'number' ? 'number' : 'string', check };
}

const constant: Keyword = (schema) => {
  if (!Object.hasOwn(schema, 'const')) return null;
  const wanted = schema['const'] ?? null;
  return (value, at, { violations }) => {
    if (!isSameJson(value, wanted)) violations.push({ at, message: 'must be equal to constant' });
  };
};

const oneOfValues: Keyword = ({ enum: values }) => {
  if (!Array.isArray(values)) return null;
  const allowed = values as readonly Json[];
  const scalars = new Set<Json>(allowed.filter((value) => typeof value !== 'object' || value === null));
  const others = allowed.filter((value) => typeof value === 'object' && value !== null);
  return (value, at, { violations }) => {
    if (!scalars.has(value) && !others.some((other) => isSameJson(value, other)))
      violations.push({ at, message: enumMessage(allowed) });
  };
};

const kinds: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => typeof value === 'number' && Number.isFinite(value) && value % 1 === 0,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** OpenAPI's `nullable` counts as the type null, as it does for Ajv. */
const type: Keyword = ({ type: named, nullable }): NodeCheck | null => {
  if (named === undefined) return null;
  const names = (Array.isArray(named) ? [...(named as readonly string[])] : [named]) as string[];
  if (nullable === true && !names.includes('null')) names.push('null');
  const checks = names.map((name) => kinds[name] ?? (() => false));
  const message = `must be ${typeof named === 'string' ? named : names.join(',')}`;
  const [is] = checks;
  if (is !== undefined && checks.length === 1) {
    return (value, at, { violations }) => {
      if (!is(value)) violations.push({ at, message });
    };
  }
  return (value, at, { violations }) => {
    if (!checks.some((check) => check(value))) violations.push({ at, message });
  };
};

/** A quotient beyond 1e21 counts as broken, as it does for Ajv. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return quotient === parseInt(String(quotient), 10);
}

/** Keywords on a value by itself, in the order in which Ajv reports them. */
export const valueKeywords: readonly Keyword[] = [
  type,
  numeric(
    'maximum',
    number((value, limit) => value > limit),
    (limit) => `must be <= ${limit}`,
  ),
  numeric(
    'minimum',
    number((value, limit) => value < limit),
    (limit) => `must be >= ${limit}`,
  ),
  numeric(
    'exclusiveMaximum',
    number((value, limit) => value >= limit),
    (limit) => `must be < ${limit}`,
  ),
  numeric(
    'exclusiveMinimum',
    number((value, limit) => value <= limit),
    (limit) => `must be > ${limit}`,
  ),
  numeric(
    'multipleOf',
    number((value, of) => !isMultiple(value, of)),
    (of) => `must be multiple of ${of}`,
  ),
  ...sizeLimits('Length', 'characters', (value) => (typeof value === 'string' ? codePoints(value) : null)),
  pattern,
  format,
  constant,
  oneOfValues,
];

/** Why the keywords of a schema object contradict each other; null where they do not. */
export function typeProblem({ type: named, nullable }: JsonObject): string | null {
  const names = Array.isArray(named) ? (named as readonly Json[]) : named === undefined ? [] : [named];
  if (names.includes('null')) return nullable === false ? 'type: null contradicts nullable: false' : null;
  return names.length === 0 && nullable !== undefined ? '"nullable" cannot be used without "type"' : null;
}
