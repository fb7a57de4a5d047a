import { describe, expect, test } from 'vitest';
import type { Json } from '../../json/json.js';
import { checkSchema } from './conformance.js';
import { schemaProblem } from './read-schema.js';

const kind = (value: Json, schema: Json): string => checkSchema(value, schema).kind;

describe('checkSchema', () => {
  test.each<readonly [string, Json, Json, boolean]>([
    ['2020-12 without a name', { prefixItems: [{ type: 'string' }] }, [1], false],
    ['2020-12 by name', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' }, 'a', true],
    ['2019-09 by name', { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'string' }, 1, false],
    [
      'draft 7 by name',
      { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] },
      [1],
      false,
    ],
    ['tuples of older drafts without a name', { items: [{ type: 'string' }] }, [1], false],
    ['definitions of older drafts', { definitions: { a: { type: 'string' } }, $ref: '#/definitions/a' }, 1, false],
    [
      'a root that refers to itself',
      { properties: { a: { $ref: '#' } }, additionalProperties: false },
      { a: { b: 1 } },
      false,
    ],
    ['$defs', { $defs: { a: { type: 'string' } }, $ref: '#/$defs/a' }, 'x', true],
    ['formats', { format: 'date' }, '2026-13-01', false],
    ['unknown formats', { format: 'colour' }, 'red', true],
    ['unknown keywords', { 'x-note': 1, type: 'string' }, 'red', true],
    ['required without a property', { properties: { a: {} }, required: ['a', 'zz'] }, { a: 1 }, false],
    ['patterns that are invalid with the Unicode flag', { pattern: '^[\\w\\-]+\\_$' }, 'a-b_', true],
    ['code points, not units', { maxLength: 1 }, '\u{1F642}', true],
    ['a property that every object inherits, absent', { properties: { constructor: { type: 'number' } } }, {}, true],
    [
      'a property that every object inherits, wrong',
      { properties: { toString: { type: 'object' } } },
      { toString: 1 },
      false,
    ],
    ['a required member that every object inherits', { required: ['toString'] }, {}, false],
    ['true', true, 1, true],
    ['false', false, 1, false],
    ['$id twice', { $id: 'https://a.invalid/x', type: 'string' }, 'a', true],
    ['$id twice, another schema', { $id: 'https://a.invalid/x', type: 'number' }, 'a', false],
  ])('%s', (_what, schema, value, conforms) => {
    expect(kind(value, schema)).toBe(conforms ? 'conforms' : 'violates');
  });

  test.each<readonly [string, Json]>([
    ['an unknown type', { type: 'wat' }],
    ['properties as a list', { properties: ['a'] }],
    ['a reference to nowhere', { $ref: '#/$defs/none' }],
    ['a reference to another document', { $ref: 'https://example.invalid/s.json' }],
    ['an invalid pattern', { pattern: '^(ab$' }],
    ['a number', 5],
    ['null', null],
  ])('reports %s as unusable', (_what, schema) => {
    expect(checkSchema('a', schema)).toEqual({ kind: 'unusable', error: expect.stringMatching(/./) as string });
    expect(schemaProblem(schema)).toMatch(/./);
  });

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
