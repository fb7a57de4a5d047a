import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spellings } from '../../test/support/keys/echoes.js';
import { someKeys } from '../../test/support/keys/some-keys.js';
import { createMasker } from './masker.js';

const secret = 'sk-caNary/42+x';
const masker = createMasker([secret]);

describe('a masker', () => {
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

  test('prefers the longer of two secrets with the same beginning', () => {
    const both = createMasker(['sk-short-key', 'sk-short-key-and-more']);
    expect(both.mask('a sk-short-key-and-more b')).toBe('a *** b');
    expect(both.mask('a sk-short-key b')).toBe('a *** b');
  });

  test('masks the beginning of a secret at the end of a cut text', () => {
    const text = `"${secret.slice(0, 7)}`;
    expect(masker.mask(text, true)).toBe('"***');
    expect(masker.mask(text)).toBe(text);
  });
});
