import { describe, expect, test } from 'vitest';
import type { Json } from '../../json/json.js';
import { checkSchema } from './conformance.js';
import { linearFormats, needsGuard } from './needs-guard.js';

const order = {
  type: 'object',
  properties: {
    buyer: { type: 'string', minLength: 1 },
    currency: { enum: ['CNY', 'EUR'] },
    date: { type: 'string', format: 'date' },
    code: { type: 'string', pattern: '^[A-Z]{3}-\\d+$' },
    lines: { type: 'array', minItems: 1, items: { $ref: '#/$defs/line' } },
    pattern: { type: 'string' },
  },
  required: ['buyer'],
  additionalProperties: false,
  $defs: { line: { type: 'object', properties: { quantity: { type: 'integer' } } } },
} satisfies Json;

/** Definitions of which each refers to the next one twice. */
const doubling = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [
    `d${index}`,
    { allOf: [1, 2].map(() => ({ $ref: `#/$defs/d${index + 1}` })) },
  ]),
);

describe('needsGuard', () => {
  test.each<readonly [string, Json]>([
    ['an ordinary schema', order],
    ['a boolean', true],
    ['patterns of names that are linear', { patternProperties: { '^x-': {} } }],
    ['combinations', { anyOf: [{ type: 'null' }, { oneOf: [{ const: 1 }, { not: { const: 2 } }] }] }],
  ])('is false for %s', (_what, schema) => {
    expect(needsGuard(schema)).toBe(false);
  });

  test.each<readonly [string, Json]>([
    ['a pattern', { properties: { a: { pattern: '^(a+)+$' } } }],
    ['a pattern of names', { patternProperties: { '(a|a)*b': {} } }],
    ['a pattern in propertyNames', { propertyNames: { pattern: 'a+b' } }],
    ['a format that backtracks', { items: { format: 'url' } }],
    ['an unknown format', { format: 'colour' }],
    ['items that must differ', { uniqueItems: true }],
    ['a reference to itself', { properties: { a: { $ref: '#' } } }],
    ['definitions in a circle', { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' } } } }],
    ['definitions that multiply', { $ref: '#/$defs/d0', $defs: { ...doubling, d20: {} } }],
    ['a reference to an anchor', { $ref: '#here', $defs: { a: { $anchor: 'here' } } }],
    ['a dynamic reference', { $dynamicRef: '#a' }],
    ['a part with an id', { properties: { a: { $id: 'https://a.invalid/b' } } }],
  ])('is true for %s', (_what, schema) => {
    expect(needsGuard(schema)).toBe(true);
  });
});

const pieces = [
  'a',
  '1',
  '-',
  '.',
  ':',
  '/',
  '%41',
  '0',
  'a.',
  'a-',
  '1:',
  '::',
  '1.',
  '/a',
  'P1',
  '@',
  '~0',
  '12:',
  ' ',
];
const starts = ['', 'a@', 'http://', 'http://a@', '/', 'urn:', 'P', '2026-01-01T', '0/', '::'];

test.each([...linearFormats])('the format %s is linear', (format) => {
  for (const start of starts) {
    for (const piece of pieces) {
      const text = `${start}${piece.repeat(100_000)}\n`;
      // One that is not linear would not end.
      checkSchema(text, { type: 'string', format });
    }
  }
});
