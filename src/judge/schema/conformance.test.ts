import { describe, expect, test } from 'vitest';
import { tableIn } from '../../../test/support/cases.js';
import type { Json } from '../../json/json.js';
import { checkSchema } from './conformance.js';
import { schemaProblem } from './read-schema.js';

const kind = (value: Json, schema: Json): string => checkSchema(value, schema).kind;

describe('checkSchema', () => {
  test.each(tableIn('judge', 'schemas') as (readonly [string, Json, Json, boolean])[])(
    '%s',
    (_what, schema, value, conforms) => {
      expect(kind(value, schema)).toBe(conforms ? 'conforms' : 'violates');
    },
  );

  test.each(tableIn('judge', 'unusable schemas') as (readonly [string, Json])[])(
    'reports %s as unusable',
    (_what, schema) => {
      expect(checkSchema('a', schema)).toEqual({ kind: 'unusable', error: expect.stringMatching(/./) as string });
      expect(schemaProblem(schema)).toMatch(/./);
    },
  );

  test('finds no problem in a good schema', () => {
    expect(schemaProblem({ type: 'object' })).toBeNull();
  });

  test.each<readonly [string, Json, Json]>([
    ['pattern', { pattern: '^(a+)+$' }, `${'a'.repeat(40)}b`],
    ['patternProperties', { patternProperties: { '^(a+)+$': {} } }, { [`${'a'.repeat(40)}b`]: 1 }],
  ])('stops a %s that backtracks without end', (_what, schema, value) => {
    expect(checkSchema(value, schema)).toMatchObject({
      kind: 'unusable',
      error: expect.stringContaining('takes too long') as string,
    });
    expect(kind('x', { type: 'string' })).toBe('conforms');
  });

  test('answers for values on which the validator itself fails', () => {
    const schema = { type: 'array', uniqueItems: true };
    const hostile = { toString: 0, valueOf: [] };
    expect(kind([{}, hostile], schema)).toBe('conforms');
    expect(kind([hostile, hostile], schema)).toBe('violates');
    expect(kind({ a: hostile }, { properties: { a: { const: { b: 1 } } } })).toBe('violates');
    expect(kind({ a: hostile }, { properties: { a: { enum: [{ b: 1 }, hostile] } } })).toBe('conforms');
  });

  test('names the place and the member', () => {
    const schema = {
      properties: { lines: { items: { properties: { n: { type: 'integer' } }, additionalProperties: false } } },
    };
    expect(checkSchema({ lines: [{ n: 1 }, { n: 'x', z: 1 }] }, schema)).toEqual({
      kind: 'violates',
      violations: [
        { at: '/lines/1/n', message: 'must be integer', keyword: 'type' },
        {
          ...{ at: '/lines/1', message: 'must NOT have additional properties: z' },
          keyword: 'additionalProperties',
        },
      ],
    });
  });

  test('does not confuse schemas, however many there are', () => {
    for (let least = 0; least < 510; least++) expect(kind(least, { minimum: least })).toBe('conforms');
    for (let least = 0; least < 20; least++) expect(kind(least - 1, { minimum: least })).toBe('violates');
  });

  test('validates recursion of 150 levels', () => {
    const schema = { $ref: '#/$defs/n', $defs: { n: { type: 'array', items: { $ref: '#/$defs/n' } } } };
    expect(kind(JSON.parse('['.repeat(150) + ']'.repeat(150)) as Json, schema)).toBe('conforms');
  });
});

test('a schema that was stopped once holds nothing up again, and still judges what is quick', () => {
  const schema = { type: 'string', pattern: '^(?:a|aa)+(?:b)$' };
  const slow = 'a'.repeat(60);
  expect(checkSchema(slow, schema).kind).toBe('unusable');
  const before = process.cpuUsage();
  for (let times = 0; times < 10; times += 1) expect(checkSchema(slow, schema).kind).toBe('unusable');
  expect(process.cpuUsage(before).user).toBeLessThan(1_500_000);
  expect(checkSchema('ab', schema).kind).toBe('conforms');
});
