import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsedJson, type Json } from '../../json/json.js';
import { checkSchema } from './conformance.js';

const json = (text: string): Json => parsedJson(text) as Json;
const keywordsOf = (value: string, schema: string): readonly string[] | string => {
  const result = checkSchema(json(value), json(schema));
  if (result.kind === 'unusable') return result.kind;
  return result.kind === 'conforms' ? [] : result.violations.map(({ at, keyword }) => `${at} ${keyword}`.trim());
};

describe('integers beyond 2^53', () => {
  test.each([
    ['9007199254740993', '{"const":9007199254740993}', []],
    ['9007199254740993', '{"const":9007199254740992}', ['const']],
    ['9007199254740992', '{"const":9007199254740993}', ['const']],
    ['9007199254740993', '{"enum":[1,9007199254740993]}', []],
    ['9007199254740993', '{"enum":[1,9007199254740995]}', ['enum']],
    ['{"a":9007199254740993}', '{"enum":[{"a":9007199254740992}]}', ['enum']],
    ['[9007199254740993,9007199254740992]', '{"uniqueItems":true}', []],
    ['[9007199254740993,9007199254740993]', '{"uniqueItems":true}', ['uniqueItems']],
    ['9007199254740993', '{"type":"integer"}', []],
    ['9007199254740993', '{"type":"string"}', ['type']],
    ['9007199254740993', '{"minimum":9007199254740993}', []],
    ['9007199254740993', '{"minimum":9007199254740994}', ['minimum']],
    ['9007199254740993', '{"exclusiveMaximum":9007199254740993}', ['exclusiveMaximum']],
    ['-9007199254740993', '{"maximum":-9007199254740992}', []],
    ['-9007199254740993', '{"minimum":-9007199254740992}', ['minimum']],
    ['18446744073709551616', '{"maximum":18446744073709551615}', ['maximum']],
    ['18446744073709551615', '{"maximum":18446744073709551615}', []],
    ['5', '{"maximum":18446744073709551615,"minimum":-9223372036854775808}', []],
    ['1e30', '{"maximum":18446744073709551615}', ['maximum']],
    ['9007199254740993', '{"multipleOf":3}', []],
    ['9007199254740995', '{"multipleOf":3}', ['multipleOf']],
    ['9007199254740993', '{"multipleOf":0.01}', []],
    ['18014398509481986', '{"multipleOf":9007199254740993}', []],
    ['9', '{"multipleOf":9007199254740993}', ['multipleOf']],
    ['0', '{"multipleOf":9007199254740993}', []],
    ['[9,9007199254740995]', '{"items":{"multipleOf":3}}', ['/1 multipleOf']],
    ['[8,9007199254740993]', '{"items":{"multipleOf":3}}', ['/0 multipleOf']],
    ['9007199254740993', '{"not":{"const":9007199254740992}}', []],
    ['9007199254740993', '{"not":{"const":9007199254740993}}', ['not']],
    [
      '9007199254740992',
      '{"anyOf":[{"const":9007199254740993},{"const":9007199254740994}]}',
      ['const', 'const', 'anyOf'],
    ],
    ['9007199254740993', '{"if":{"minimum":9007199254740993},"then":false}', ['if']],
    ['"9007199254740993"', '{"const":9007199254740993}', ['const']],
    // Its last digits are not known.
    ['9007199254740993.0', '{"const":9007199254740993}', 'unusable'],
    ['9007199254740993', '{"maximum":9.007199254740993e15}', 'unusable'],
    ['9007199254740993', '{"maximum":9.1e15}', []],
  ])('%s by %s', (value, schema, found) => {
    const got = keywordsOf(value, schema);
    expect(typeof got === 'string' ? got : [...got].sort()).toEqual(
      typeof found === 'string' ? found : [...found].sort(),
    );
  });

  test('a message shows the integers themselves', () => {
    const result = checkSchema(
      json('{"id":-9007199254740995}'),
      json('{"properties":{"id":{"minimum":-9007199254740993}}}'),
    );
    expect(result).toMatchObject({ violations: [{ at: '/id', message: 'must be >= -9007199254740993' }] });
  });

  test('a schema that is none is told as such, with integers of any length in it', () => {
    expect(checkSchema(1, json('{"maximum":18446744073709551615,"type":"nr"}')).kind).toBe('unusable');
  });

  test('compare as integers do', () => {
    const integer = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
    fc.assert(
      fc.property(integer, integer, fc.bigInt({ min: 1n, max: 2n ** 60n }), (one, other, step) => {
        const conforms = (schema: string): boolean => keywordsOf(String(one), schema).length === 0;
        expect(conforms(`{"const":${other}}`)).toBe(one === other);
        expect(conforms(`{"minimum":${other}}`)).toBe(one >= other);
        expect(conforms(`{"exclusiveMaximum":${other}}`)).toBe(one < other);
        expect(conforms(`{"multipleOf":${step}}`)).toBe(one % step === 0n);
      }),
      { numRuns: 200 },
    );
  });
});
