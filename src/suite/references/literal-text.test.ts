import { expect, test } from 'vitest';
import { dataText, plainText, plainTexts } from './literal-text.js';

test.each(['{{name}}', '{{{x}}}', '{ {', '{{{{raw}}}}'])('%s as data begins no template, and is given back', (text) => {
  expect(dataText(text)).not.toContain('{{');
  expect(plainText(dataText(text))).toBe(text);
  expect(dataText(dataText(text))).toBe(dataText(text));
});

test('gives back the texts at any depth, and copies nothing that has no mark', () => {
  const value = { a: ['{{name}}'], '{{key}}': 1, big: 10n ** 20n };
  expect(plainTexts({ ...value, a: value.a.map(dataText) })).toEqual(value);
  expect(plainTexts(value)).toBe(value);
});
