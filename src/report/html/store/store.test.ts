import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { storeOf } from '../../../../test/support/page-store.js';
import type { Json } from '../../../json/json.js';
import { redactor } from '../../safe/redact.js';
import { lineOf } from './decoded-answer.js';
import { openPack } from './pack.js';
import { openRequests } from './request-shelf.js';
import { openShelf, type Rope } from './text-shelf.js';

const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Json>;
const long = (text: string) => text.repeat(40);

describe('the store of a page', () => {
  test('gives back every item, in blocks', () => {
    const pack = openPack(1000);
    const texts = Array.from({ length: 300 }, (_, index) => `${index} ${long('abcdefghijklmnopqrstuvwxyz0123456789')}`);
    const numbers = texts.map((text) => pack.add(text));
    const blocks = pack.blocks();
    expect(blocks.length).toBeGreaterThan(1);
    const store = storeOf(blocks);
    expect(numbers.map((number) => store.item(number))).toEqual(texts);
  });

  test('compresses while it grows, so that texts do not pile up', () => {
    const pack = openPack();
    const sizes = Array.from({ length: 6 }, (_, index) => {
      pack.add('x'.repeat(190_000) + String(index));
      return pack.size();
    });
    expect(sizes[0]).toBe(0);
    for (const [index, size] of sizes.slice(1).entries()) expect(size).toBeGreaterThan(sizes[index] ?? 0);
    expect(sizes.at(-1)).toBeLessThan(10_000);
    const store = storeOf(pack.blocks());
    expect(store.item(5)).toBe(`${'x'.repeat(190_000)}5`);
  });

  test('says the names of objects once for each block', () => {
    const pack = openPack();
    const items = Array.from({ length: 600 }, (_, number) =>
      number % 2 === 0 ? { number, text: long('abcdefghijklmnop'), deep: { number } } : { other: number },
    );
    const numbers = items.map((item) => pack.add(item));
    const blocks = pack.blocks();
    const [first, ...more] = blocks.map(({ data }) => inflateRawSync(Buffer.from(data, 'base64')).toString());
    expect(more).not.toEqual([]);
    expect([first?.split('"text"').length, first?.split('"other"').length]).toEqual([2, 2]);
    const store = storeOf(blocks);
    expect(numbers.map((number) => store.item(number))).toEqual(items);
  });

  test('holds items of any length and any characters', () => {
    const pack = openPack();
    const items = ['\u2192'.repeat(300_000), 'é'.repeat(150_000), '', { deep: ['\u{1f600}'.repeat(60_000)] }];
    const numbers = items.map((item) => pack.add(item));
    const store = storeOf(pack.blocks());
    expect(numbers.map((number) => store.item(number))).toEqual(items);
  });

  test('prints JSON as JSON.stringify does, however it is taken apart', () => {
    fc.assert(
      fc.property(json, json, (value, schema) => {
        const pack = openPack();
        const body = { model: 'm', response_format: { json_schema: { schema, name: long('n') } }, value };
        const rope = openShelf(pack, [new Map()]).json(body);
        const { text } = storeOf(pack.blocks());
        // Hidden characters become escapes, which stand for the same characters.
        expect(JSON.parse(text(rope))).toEqual(JSON.parse(JSON.stringify(body)));
        if (!/[^\x20-\x7e]/.test(JSON.stringify(body))) expect(text(rope)).toBe(JSON.stringify(body, null, 2));
      }),
      { numRuns: 60 },
    );
  });

  test('keeps a long text once, also for requests that differ in their model only', () => {
    const pack = openPack();
    const requests = openRequests(pack, openShelf(pack, [new Map()]), redactor(), 5_000);
    const shelved = (sent: Json) => requests({ url: 'http://a/v1', headers: {}, body: sent });
    const properties = Object.fromEntries(Array.from('abcdefghij', (name) => [name, { type: 'string' }]));
    const schema = { type: 'object', properties };
    const format = { type: 'json_schema', json_schema: { name: 'n', schema } };
    const body = (model: string) => ({
      ...{ model, messages: [{ role: 'user', content: long('word ') }], stream: true, response_format: format },
    });
    const [one, other] = [shelved(body('one')), shelved(body('x"\u202e</script>'))];
    const tooLong = (model: string) => ({
      ...body(model),
      messages: [{ content: long(long('long')) + long(long('er')) }],
    });
    const cut = [shelved(tooLong('one')), shelved(tooLong('other'))];
    const { item, text, all } = storeOf(pack.blocks());
    const requestOf = ({ number }: { readonly number: number }) =>
      item(number) as { body: Rope; curl: Rope | null; schemas: { text: Rope }[] };
    expect(other.number).toBe(one.number);
    expect(text(requestOf(one).body, one.model)).toBe(JSON.stringify(body('one'), null, 2));
    const shown = text(requestOf(other).body, other.model);
    expect(JSON.parse(shown)).toEqual(body('x"\u202e</script>'));
    expect(shown).not.toContain('\u202e');
    expect(all.split(long('word ')).length - 1).toBe(1);
    const [kept] = requestOf(other).schemas;
    expect(text(kept!.text)).toBe(JSON.stringify(schema, null, 2));
    expect(kept!.text).toEqual([expect.any(Number)]);
    expect(one.uses).toEqual(expect.arrayContaining([one.number, ...kept!.text]));
    expect(all.split('"type": "string"').length - 1).toBe(10);
    expect(cut.map((long) => [requestOf(long).curl, text(requestOf(long).body, long.model).slice(0, 20)])).toEqual([
      [null, '{\n  "model": "one",\n'],
      [null, '{\n  "model": "other"'],
    ]);
  });
});

test.each<[string, readonly string[], number]>([
  ['the whole value', [], 0],
  ['a member', ['b'], 5],
  ['an item', ['a', '1'], 3],
  ['a missing member stands where its parent does', ['b', 'nothing'], 5],
])('the line of %s', (_, steps, line) => {
  expect(lineOf({ a: [1, 2], b: { c: null } }, steps)).toBe(line);
});
