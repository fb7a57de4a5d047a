import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsedJson, writtenJson } from '../json/json.js';
import { checkSchema } from '../judge/schema/conformance.js';
import { parseJson } from './parse-json.js';

describe('parseJson', () => {
  test.each([
    ['{"price":-489E963}', { price: -Number.MAX_VALUE }],
    [`[1${'0'.repeat(400)}]`, [10n ** 400n]],
    [`[1${'0'.repeat(250)}e99]`, [Number.MAX_VALUE]],
    ['[1.5e999,-2.5E999]', [Number.MAX_VALUE, -Number.MAX_VALUE]],
    ['{"a":1e+999}', { a: Number.MAX_VALUE }],
    ['{"a":1e-999}', { a: 0 }],
    ['{"__proto__":1e999}', JSON.parse(`{"__proto__":${Number.MAX_VALUE}}`) as unknown],
  ])('reads a number out of range as the nearest finite one: %s', (text, value) => {
    const parsed = parseJson(text);
    expect(parsed).toEqual({ ok: true, value });
    if (parsed.ok) expect(parsedJson(writtenJson(parsed.value))).toEqual(value);
  });

  test('lets a huge number conform to type number, as JSON does', () => {
    const parsed = parseJson('{"price":-489E963}');
    const schema = { type: 'object', properties: { price: { type: 'number' } } };
    expect(parsed.ok && checkSchema(parsed.value, schema).kind).toBe('conforms');
  });

  test('reads whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const parsed = parseJson(text);
        expect(parsed.ok && writtenJson(parsed.value)).toBe(text);
      }),
    );
  });

  test('counts only brackets outside of strings', () => {
    const deep = '['.repeat(500) + ']'.repeat(500);
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\\', '"', '[', 'x'), { maxLength: 12 }), (characters) => {
        const text = characters.join('');
        expect(parseJson(JSON.stringify([text, deep]))).toEqual({ ok: true, value: [text, deep] });
        expect(parseJson(`[${JSON.stringify(text)},${deep}]`)).toMatchObject({ ok: false });
      }),
    );
  });
});
