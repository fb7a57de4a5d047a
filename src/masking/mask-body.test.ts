import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readExchangeAnswer, replyIn } from '../chat/read-answer.js';
import type { Json } from '../json/json.js';
import { echoes } from '../../test/support/keys/echoes.js';
import { findsKey } from '../../test/support/keys/find-key.js';
import { someKeys } from '../../test/support/keys/some-keys.js';
import { holdsKey, maskBody, withheld } from './joined-fields.js';
import { createMasker } from './masker.js';

const bodies = Object.keys(echoes);

describe('a body that gives the key back holds it no longer', () => {
  test.each(bodies)('%s', (name) => {
    for (const key of someKeys) {
      const { body, cut = false } = echoes[name]!(key);
      if (name === 'a number' && !/^[1-9]\d*$/.test(key)) continue;
      const findable = cut ? key.slice(0, -1) : key;
      expect(findsKey(body, findable), `${key} is not there`).not.toBeNull();
      const masker = createMasker([key, 'another-secret-0815']);
      const shown = maskBody(body, masker, cut);
      expect(shown, key).not.toBeNull();
      expect(findsKey(shown ?? body, findable), `${key}: ${shown}`).toBeNull();
      expect(shown === withheld).toBe(name === 'a number');
    }
  });
});

const key = 'wJalrXUtnFEMI/K7MDENG+bP';
const masker = createMasker([key]);
const pieces = (text: string, cuts: readonly number[]): readonly string[] => {
  const places = [...new Set([0, ...cuts.map((cut) => cut % text.length), text.length])].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => text.slice(places[index], end));
};
const event = (delta: object, index = 0): string => `data: ${JSON.stringify({ choices: [{ index, delta }] })}\n\n`;

describe('any cutting of an answer that holds a key', () => {
  const cuts = fc.array(fc.nat(1000), { maxLength: 60 });
  test('into deltas leaves nothing of it, and all of the rest', () => {
    fc.assert(
      fc.property(cuts, fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (places, before, after) => {
        const body = `${pieces(`${before} ${key} ${after}`, places)
          .map((content) => event({ content }))
          .join('')}data: [DONE]\n\n`;
        const shown = maskBody(body, masker, false) ?? body;
        expect(findsKey(shown, key)).toBeNull();
        const reply = replyIn(readExchangeAnswer({ status: 200, headers: {}, body: [shown], failure: null }));
        expect(reply?.content).toBe(`${before} *** ${after}`);
        expect(shown.endsWith('data: [DONE]\n\n')).toBe(true);
      }),
    );
  });

  test('into deltas of several kinds leaves nothing of it', () => {
    const kinds: readonly ((text: string) => string)[] = [
      (text) => event({ content: [{ type: 'text', text }] }),
      (text) =>
        event({
          content: [
            { type: 'text', text },
            { type: 'thinking', thinking: 'no' },
          ],
        }),
      (content) => event({ content }) + event({ content: 'other' }, 1),
      (content) => event({ content }).replace('"choices"', '\ndata: "choices"'),
    ];
    fc.assert(
      fc.property(cuts, fc.nat(3), (places, kind) => {
        const body = pieces(key, places)
          .map((piece) => kinds[kind]!(piece))
          .join('');
        const shown = maskBody(body, masker, false) ?? body;
        const reply = replyIn(readExchangeAnswer({ status: 200, headers: {}, body: [shown], failure: null }));
        expect(masker.holds(`${reply?.content} ${reply?.reasoning}`)).toBe(false);
        expect(shown).toContain('***');
      }),
    );
  });

  test('at its end leaves no telling part of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: key.length - 1 }), cuts, (length, places) => {
        const body = pieces(key.slice(0, length), places)
          .map((content) => event({ content }))
          .join('');
        expect(findsKey(maskBody(body, masker, true) ?? body, key.slice(0, length))).toBeNull();
      }),
    );
  });
});

const asEscapes = (text: string): string =>
  text.replace(/[^]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
const quoted = 'sk-"12345678';

/** A key in one piece, which the search of the body as it is sent does not find. */
test.each([
  ['hex in escapes', key, `{"a":"${asEscapes(Buffer.from(key).toString('hex'))}"}`],
  ['an address in escapes', key, `{"a":"${asEscapes(encodeURIComponent(key))}"}`],
  ['base64 in escapes', key, `{"a":"${asEscapes(Buffer.from(key).toString('base64'))}"}`],
  ['nine backslashes', quoted, `{"a":${JSON.stringify(quoted.replace('"', String.raw`\\\\"`))}}`],
])('%s hides no key', (_, secret, body) => {
  const its = createMasker([secret]);
  expect(its.holds(body)).toBe(false);
  expect(maskBody(body, its, false)).toBe('{"a":"***"}');
  expect(holdsKey(JSON.parse(body) as Json, its)).toBe(true);
});

test.each([
  [{ content: [{ text: key.slice(0, 9) }, { text: key.slice(9) }] }, '{"content":[{"text":"***"},{"text":""}]}'],
  [{ said: [[[key.slice(0, 9), key.slice(9)]]] }, '{"said":[[["***",""]]]}'],
])('a key in two items of a list is masked: %j', (answer, shown) => {
  expect(maskBody(JSON.stringify(answer), masker, false)).toBe(shown);
});

test('rewrites nothing when there is nothing to mask', () => {
  for (const body of [
    '{"a":  "b"}',
    event({ content: 'wJal' }) + event({ content: 'other' }),
    'not json',
    `{"text":"${'The quick brown fox jumps over 13 lazy dogs. '.repeat(100)}"}`,
    JSON.stringify({ text: 'wJalr XUt nFEM I K 7 M D E N G + b P /'.split('').sort() }),
  ]) {
    expect(maskBody(body, masker, false)).toBeNull();
  }
});

test('a body in which a key cannot be replaced is withheld', () => {
  expect(maskBody('{"n":8675309123456}', createMasker(['8675309123456']), false)).toBe(withheld);
});
