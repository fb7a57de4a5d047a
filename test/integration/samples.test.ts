import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/json/json.js';

const folder = new URL('../../fixtures/samples/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
/** Rows of the reference's own answers are graded by nobody, and these answers come from a tool or are counted. */
const graded = files.filter((name) => !['plain-tasks.jsonl', 'two-codes.jsonl', 'counting.jsonl'].includes(name));
const rowsOf = (file: string) =>
  readFileSync(new URL(file, folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { text: string; answer?: JsonObject; item_word?: string });

interface Invoice {
  line_items: { quantity: number; unit_price: number; description: string }[];
  total_amount: number;
}

const cents = (amount: number) => Math.round(amount * 100);

/** A pattern for the number as digits, as an amount of money, or as a word. */
const numeral = (value: number) =>
  new RegExp(`(?<![\\d.])(?:${value}|${value.toFixed(2)}${value === 1 ? '|one|single' : ''})(?![\\d]|\\.\\d)`, 'i');

/** Whether nothing behind the first of these in the text may be part of it: an emoji, a number sign or a full stop. */
const endsClearly = (text: string, value: string): boolean => {
  const rest = text.slice(text.indexOf(value) + value.length);
  return !/^\s*\p{Extended_Pictographic}|^[\p{Script=Latin}\p{N}]/u.test(rest) && !/\.$/.test(value);
};

describe('the samples', () => {
  test('the main probes have at least ten texts', () => {
    for (const file of ['invoices', 'orders', 'order-results', 'json-object-tasks', 'greetings', 'conflicts'])
      expect(rowsOf(`${file}.jsonl`).length, file).toBeGreaterThanOrEqual(10);
  });

  test('no text contains another, so that every answer belongs to one text', () => {
    const texts = files.flatMap(rowsOf).map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(texts.filter((other) => other.includes(text))).toEqual([text]);
  });

  test.each(rowsOf('invoices.jsonl').map(({ text, answer }) => [text.slice(0, 40), answer as unknown as Invoice]))(
    'the lines of "%s" add up to its total',
    (_, { line_items: lines, total_amount: total }) => {
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.reduce((sum, line) => sum + cents(line.quantity * line.unit_price), 0)).toBe(cents(total));
    },
  );

  test('every value that a rule compares is in the text', () => {
    // Values from the client's own tool, values that no text states, and words that the text paraphrases.
    const unstated = new Set(['order_id', 'success', 'description', 'reason', 'sentiment', 'code', 'item']);
    const missing = (text: string, name: string, value: Json): string[] => {
      if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => missing(text, name, item));
      if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => missing(text, key, item));
      if (unstated.has(name) || value === '' || typeof value === 'boolean' || value === null) return [];
      const found = typeof value === 'number' ? numeral(value).test(text) : text.includes(value as string);
      return found ? [] : [`${name} ${JSON.stringify(value)} in: ${text}`];
    };
    expect(graded.flatMap(rowsOf).flatMap(({ text, answer }) => missing(text, '', answer ?? {}))).toEqual([]);
  });

  test('a name ends where its sign or sentence does, so that whoever copies it knows how far it goes', () => {
    // An emoji, a letter or a title behind a name might belong to it; in quotes it ends at the quotes.
    const names = new Set(['buyer', 'vendor_name', 'invoice_number', 'order_id', 'status', 'model_task', 'name']);
    const values = (value: Json, name = ''): readonly string[] => {
      if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => values(item, key));
      return typeof value === 'string' && names.has(name) ? [value] : [];
    };
    const unclear = graded
      .flatMap(rowsOf)
      .flatMap(({ text, answer }) =>
        values(answer ?? {}).filter((value) => text.includes(value) && !endsClearly(text, value)),
      );
    expect(unclear).toEqual([]);
    expect(endsClearly('for Zoë 王芳 🎉: 118.00', 'Zoë 王芳')).toBe(false);
    expect(endsClearly('by Brightwire Inc., 700', 'Brightwire Inc.')).toBe(false);
    expect(endsClearly('for Zoë 王芳: 118.00', 'Zoë 王芳')).toBe(true);
  });

  test('an order names its item, and its id when the answer has one', () => {
    for (const { text, item_word: word = '' } of [...rowsOf('orders.jsonl'), ...rowsOf('orders-with-id.jsonl')])
      expect(text.toLowerCase()).toContain(word);
    for (const { text, answer } of [...rowsOf('order-results.jsonl'), ...rowsOf('conflicts.jsonl')])
      expect(text).toContain(answer?.['order_id']);
  });

  test('a text of the json-word suite does not contain the word', () => {
    for (const { text } of rowsOf('json-word-tasks.jsonl')) expect(text).not.toMatch(/json/i);
  });
});
