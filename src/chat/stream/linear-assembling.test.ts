import { expect, test } from 'vitest';
import { aCallFragment, aChunk, aStreamEnd, anAnswerOf, chunkHead } from '../../../test/support/build.js';
import { growth, mostGrowth } from '../../../test/support/cpu-time.js';
import type { Json, JsonObject } from '../../json/json.js';
import { readAnswer } from '../read-answer.js';
import { assembleChunks } from './assemble-chunks.js';
import { streamEvents } from './stream-events.js';
import { assembleToolCalls } from './tool-call-deltas.js';

const list = <Item>(n: number, item: (at: number) => Item): Item[] => Array.from({ length: n }, (_, at) => item(at));
const nothing = (): void => undefined;

/**
 * Sizes at which the assembling alone takes longer than the noise if it is quadratic. What reads a text from its start with
 * every delta gets a smaller one, so that it ends.
 */
const fragments: Readonly<Record<string, readonly [n: number, fragment: (at: number, n: number) => object]>> = {
  'many calls by index': [8_000, (at) => aCallFragment(at, `c${at}`, 'f', '{}')],
  'many calls by index, the last continued': [
    8_000,
    (at, n) =>
      at < n / 2 ? aCallFragment(at, `c${at}`, 'f', '{') : aCallFragment(n / 2 - 1, undefined, undefined, 'x'),
  ],
  'many calls by index, the first continued': [
    8_000,
    (at, n) => (at < n / 2 ? aCallFragment(at, `c${at}`, 'f', '{') : aCallFragment(0, undefined, undefined, 'x')),
  ],
  'many calls with ids': [8_000, (at) => aCallFragment(undefined, `c${at}`, 'f', '{}')],
  'many calls with ids, the last continued': [
    8_000,
    (at, n) => aCallFragment(undefined, `c${Math.min(at, n / 2 - 1)}`, at < n / 2 ? 'f' : undefined, '1'),
  ],
  'many calls with ids, the first continued': [
    8_000,
    (at, n) => aCallFragment(undefined, `c${at < n / 2 ? at : 0}`, at < n / 2 ? 'f' : undefined, '1'),
  ],
  'many calls with ids and one index': [8_000, (at) => aCallFragment(0, `c${at}`, 'f', '{}')],
  'many arguments of one call by index': [
    1_500,
    (at) => aCallFragment(0, `c${at}`, 'f', at === 0 ? '{"a":"' : 'text '),
  ],
  'many arguments of one call without an index': [
    1_500,
    (at) => aCallFragment(undefined, at === 0 ? undefined : `c${at}`, 'f', at === 0 ? '{"a":"' : 'text '),
  ],
};

test.each(Object.entries(fragments))('calls are assembled in linear time: %s', (_, [size, fragment]) => {
  const all = (n: number): object[] => list(n, (at) => fragment(at, n));
  const assembled = (made: readonly object[]): number => {
    const calls = assembleToolCalls(nothing);
    for (const one of made) calls.add(one as Json);
    return calls.calls().length;
  };
  expect(assembled(all(8))).toBeGreaterThan(0);
  expect(growth(all, size, assembled)).toBeLessThan(mostGrowth);
});

const chunk = (choices: readonly object[]): JsonObject => ({ ...chunkHead, choices }) as JsonObject;
const inChunk = (delta: object): JsonObject => chunk([{ index: 0, delta }]);

const chunks: Readonly<Record<string, (at: number, n: number) => JsonObject>> = {
  'many choices': (index) => chunk([{ index, delta: { content: 'x' } }]),
  'many choices, the last continued': (at, n) => chunk([{ index: Math.min(at, n / 2), delta: { content: 'x' } }]),
  'many choices, the lowest last': (at, n) => chunk([{ index: n - at, delta: { content: 'x' } }]),
  'content deltas': () => inChunk({ content: 'some words ' }),
  'content deltas in parts': () => inChunk({ content: [{ type: 'text', text: 'some words ' }] }),
  'reasoning deltas': () => inChunk({ reasoning_content: 'some words ' }),
  'reasoning deltas in parts': () => inChunk({ reasoning_details: [{ type: 'x', text: 'some words ' }] }),
  'refusal deltas': () => inChunk({ refusal: 'some words ' }),
  'ids that change': (at) => ({ ...inChunk({ content: 'x' }), id: `c-${at}` }),
};

test.each(Object.entries(chunks))('chunks are assembled in linear time: %s', (_, one) => {
  const all = (n: number): JsonObject[] => list(n, (at) => one(at, n));
  const assembled = (made: readonly JsonObject[]): void => {
    const assembly = assembleChunks();
    for (const each of made) assembly.add(each);
    assembly.reply(true);
  };
  expect(growth(all, 8_000, assembled)).toBeLessThan(mostGrowth);
});

test('many choices in one chunk are assembled in linear time', () => {
  const all = (n: number): JsonObject => chunk(list(n, (index) => ({ index, delta: { content: 'x' } })));
  expect(growth(all, 8_000, (made) => assembleChunks().add(made))).toBeLessThan(mostGrowth);
});

const texts: Readonly<Record<string, (n: number) => string>> = {
  'many events': (n) => aChunk({ content: 'x' }).repeat(n) + aStreamEnd(),
  'many lines of data in one event': (n) => `data: {"choices":[\n${'data: \n'.repeat(n)}data: ]}\n\n`,
  'many comments': (n) => ': wait\n\n'.repeat(n),
  'many unknown lines': (n) => 'what is this\n'.repeat(n),
};

test.each(Object.entries(texts))('the text of a stream is split in linear time: %s', (_, text) => {
  expect(growth(text, 10_000, (made) => streamEvents(made, nothing))).toBeLessThan(mostGrowth);
});

test('an answer in many pieces is read in linear time, wherever it is cut', () => {
  const answer = (n: number): string[] => {
    const text = aChunk({ content: 'x' }).repeat(n) + aStreamEnd();
    return list(Math.ceil(text.length / 16), (at) => text.slice(at * 16, at * 16 + 16));
  };
  const read = (body: readonly string[]): unknown => readAnswer({ ...anAnswerOf(''), body });
  expect(growth(answer, 4_000, read)).toBeLessThan(mostGrowth);
});
