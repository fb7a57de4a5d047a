import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spellings } from '../../test/support/keys/echoes.js';
import { someKeys } from '../../test/support/keys/some-keys.js';
import { createMasker } from './masker.js';

const secret = 'sk-caNary/42+äß';
const masker = createMasker([secret]);

describe('a masker', () => {
  test.each([
    ['as it is', `key ${secret}!`],
    ['in JSON', JSON.stringify({ key: secret })],
    ['in JSON with escaped slashes', JSON.stringify({ key: secret }).replaceAll('/', '\\/')],
    ['in an address', `?key=${encodeURIComponent(secret)}&x`],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64, one byte later', Buffer.from(`:${secret}:`).toString('base64')],
    ['in base64, two bytes later', Buffer.from(`::${secret}::`).toString('base64')],
    ['in base64 for addresses', Buffer.from(`user:${secret}`).toString('base64url')],
  ])('finds a secret %s', (_, text) => {
    expect(masker.holds(text)).toBe(true);
    const shown = masker.mask(text);
    expect(shown).toContain('***');
    expect(masker.holds(shown)).toBe(false);
    expect(shown.length).toBeLessThan(text.length);
  });

  const key = 'sk-AbC+12/d=Ef&9';
  test.each([
    ['in an address, lower-case escapes', 'sk-AbC%2b12%2fd%3dEf%269'],
    ['in an address, with the slash unescaped', 'sk-AbC%2B12/d%3DEf%269'],
    ['in an address, with all punctuation escaped', 'sk%2DAbC%2B12%2Fd%3DEf%269'],
    ['in HTML', 'sk-AbC+12/d=Ef&amp;9'],
    ['in HTML, by number', 'sk-AbC&#43;12/d&#61;Ef&amp;9'],
    ['in HTML, by hexadecimal number', 'sk-AbC+12&#x2F;d&#x3D;Ef&amp;9'],
    ['in JSON escaped for HTML', 'sk-AbC\\u002B12/d=Ef\\u00269'],
    ['in JSON escaped for HTML, lower-case escapes', 'sk-AbC+12/d=Ef\\u00269'],
    ['in lower case', 'sk-abc+12/d=ef&9'],
  ])('finds a key with punctuation %s', (_, text) => {
    expect(createMasker([key]).mask(`key ${text}.`)).toBe('key ***.');
  });

  test.each(someKeys.flatMap((one) => Object.keys(spellings).map((how) => [one, how] as const)))(
    'leaves nothing of %j %s',
    (one, how) => {
      const spelled = spellings[how]?.(one) ?? '';
      const shown = createMasker([one]).mask(`It is ${spelled}, yes.`);
      expect(shown).toMatch(/^It is [^]*\*\*\*[^]*, yes\.$/);
      // Base64 has characters at both ends that belong to what stands beside the key.
      expect(shown.length).toBeLessThan('It is , yes.'.length + 40);
    },
  );

  test('leaves all other text as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.toLowerCase().includes(secret.toLowerCase()));
        expect(masker.mask(text)).toBe(text);
      }),
    );
  });

  test('does not mask values that are not secrets', () => {
    for (const placeholder of ['', 'none', 'EMPTY', 'ollama']) {
      expect(createMasker([placeholder]).mask(`no ${placeholder} here`)).toBe(`no ${placeholder} here`);
    }
  });

  test('finds a secret at any place of a long text', () => {
    fc.assert(
      fc.property(fc.nat(300_000), fc.constantFrom(secret, encodeURIComponent(secret)), (before, spelled) => {
        const shown = masker.mask(`${'x'.repeat(before)}${spelled}${'y'.repeat(200_000)}`);
        expect(shown.length).toBe(before + 3 + 200_000);
      }),
      { numRuns: 5 },
    );
  });

  test('prefers the longer of two secrets with the same beginning', () => {
    const both = createMasker(['sk-short-key', 'sk-short-key-and-more']);
    expect(both.mask('a sk-short-key-and-more b')).toBe('a *** b');
    expect(both.mask('a sk-short-key b')).toBe('a *** b');
  });

  test('masks the beginning of a secret at the end of a cut text', () => {
    const text = `"${secret.slice(0, 7)}`;
    expect(masker.ranges(text, true)).toEqual([{ from: 1, to: 8 }]);
    expect(masker.ranges(text)).toEqual([]);
  });

  const random = 'sk-7Hq2mZx9Lw4Tb6RkVn83';
  test.each([
    ['half of a key', `id ${random.slice(0, 12)} x`, 'id *** x'],
    ['ten mixed characters', `id ${random.slice(6, 16)} x`, 'id *** x'],
    ['less than that', `id ${random.slice(6, 13)} x`, `id ${random.slice(6, 13)} x`],
  ])('masks a part of a key that could be nothing else: %s', (_, text, shown) => {
    expect(createMasker([random]).mask(text)).toBe(shown);
  });

  test('leaves a part of a key that is also something else', () => {
    const named = createMasker(['chat.completion-service', 'gpt-large-v2.1-preview-key']);
    expect(named.mask('"chat.completion"')).toBe('"chat.completion"');
    expect(named.knowing('{"model":"gpt-large-v2.1-preview"}').mask('gpt-large-v2.1-preview')).toBe(
      'gpt-large-v2.1-preview',
    );
    expect(named.mask('gpt-large-v2.1-preview')).toBe('***');
  });
});
