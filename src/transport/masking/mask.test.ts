import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMasker } from './mask.js';
import { maskValues } from './mask-values.js';

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

  test('leaves all other text as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes(secret));
        expect(masker.mask(text)).toBe(text);
      }),
    );
  });

  test('does not mask values that are not secrets', () => {
    for (const placeholder of ['', 'none', 'EMPTY', 'ollama']) {
      expect(createMasker([placeholder]).mask(`no ${placeholder} here`)).toBe(`no ${placeholder} here`);
    }
  });

  test('masks a stream like the whole text, wherever it is cut', () => {
    const part = fc.oneof(
      fc.constantFrom(secret, secret.slice(0, 5), secret.slice(4), 'sk-', 's', encodeURIComponent(secret)),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(80), { maxLength: 12 }), (parts, cuts) => {
        const text = `${parts.join('')}.`;
        const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length])].sort(
          (a, b) => a - b,
        );
        const stream = masker.stream();
        const shown = places.slice(1).map((end, index) => stream.push(text.slice(places[index], end)));
        expect(shown.join('') + stream.end()).toBe(masker.mask(text));
      }),
      { numRuns: 500 },
    );
  });

  test('prefers the longer of two secrets with the same beginning', () => {
    const both = createMasker(['sk-short-key', 'sk-short-key-and-more']);
    expect(both.mask('sk-short-key-and-more')).toBe('***');
    const stream = both.stream();
    expect(stream.push('a sk-short-key') + stream.push('-and-more b') + stream.end()).toBe('a *** b');
  });

  test('masks the beginning of a secret at the end of a cut answer', () => {
    const stream = masker.stream();
    expect(stream.push(`"${secret.slice(0, -1)}`) + stream.end()).toBe('"***');
  });
});

describe('masking inside JSON', () => {
  const event = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
  const contents = (body: string): string =>
    body
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map(
        (line) => (JSON.parse(line.slice(6)) as { choices: [{ delta: { content: string } }] }).choices[0].delta.content,
      )
      .join('');

  test('finds a secret split over the deltas of a stream', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 8 }), (cuts) => {
        const text = `it is ${secret}, yes`;
        const places = [...new Set([0, ...cuts, text.length])].sort((a, b) => a - b);
        const body =
          places
            .slice(1)
            .map((end, index) => event(text.slice(places[index], end)))
            .join('') + 'data: [DONE]\n\n';
        const shown = maskValues(body, true, masker) ?? body;
        expect(contents(shown)).toBe('it is ***, yes');
        expect(shown.endsWith('data: [DONE]\n\n')).toBe(true);
      }),
    );
  });

  test('finds a secret spelled with escapes', () => {
    const escaped = [...Buffer.from('sk-caNary/42+', 'latin1')].map(
      (byte) => `\\u${byte.toString(16).padStart(4, '0')}`,
    );
    const body = `{"echo":"${escaped.join('')}äß","other":1}`;
    expect(JSON.parse(body)).toMatchObject({ echo: secret });
    expect(JSON.parse(maskValues(body, false, masker) ?? body)).toEqual({ echo: '***', other: 1 });
  });

  test('finds a secret spelled with escapes anywhere in the document', () => {
    const escaped = Array.from(secret, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}"${escaped}"${'}'.repeat(levels)}`;
    for (const body of [
      `{"${escaped}":1}`,
      `{"a":[{"b":{"${escaped}":null}}]}`,
      `"${escaped}"`,
      `{"cut":"${escaped}","oth`,
      deep(100),
      deep(5_000),
    ]) {
      for (const eventStream of [false, true]) {
        const text = eventStream ? `data: ${body}\n\n` : body;
        const shown = maskValues(text, eventStream, masker) ?? text;
        expect(shown.includes('***') && !shown.includes('\\u')).toBe(true);
      }
    }
  });

  test('rewrites nothing when there is nothing to mask', () => {
    expect(maskValues('{"a":  "b"}', false, masker)).toBeNull();
    expect(maskValues(event('sk-') + event('other'), true, masker)).toBeNull();
    expect(maskValues('not json', false, masker)).toBeNull();
  });
});
