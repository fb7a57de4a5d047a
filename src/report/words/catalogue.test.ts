import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';
import { texts } from './catalogue.js';
import { type Message, say } from './message.js';

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Message>).icu === 'string';

/** Every sentence, by its table and name. */
const sentences = Object.entries(texts).flatMap(([table, entries]) =>
  Object.entries(entries as Readonly<Record<string, unknown>>).flatMap(([name, message]) =>
    isMessage(message) ? [[`${table}.${name}`, message] as const] : [],
  ),
);

/** The arguments of a sentence: numbers where it counts, else words. */
function argumentsOf(elements: readonly MessageFormatElement[]): Record<string, 'number' | 'text'> {
  const found: Record<string, 'number' | 'text'> = {};
  for (const element of elements) {
    if (element.type === TYPE.argument) found[element.value] ??= 'text';
    if (element.type === TYPE.number || element.type === TYPE.plural) found[element.value] = 'number';
    if (element.type === TYPE.plural || element.type === TYPE.select) {
      found[element.value] ??= 'text';
      for (const { value } of Object.values(element.options)) Object.assign(found, argumentsOf(value), { ...found });
    }
  }
  return found;
}

const withCount = (of: Record<string, 'number' | 'text'>, count: number) =>
  Object.fromEntries(Object.entries(of).map(([name, kind]) => [name, kind === 'number' ? count : `<${name}>`]));

describe('the catalogue', () => {
  test('reads in singular and plural', async () => {
    const lines = sentences.map(([name, message]) => {
      const of = argumentsOf(parse(message.icu, { ignoreTag: true }));
      const [one, two] = [1, 2].map((count) => say(message, withCount(of, count)));
      return `${name}\n  ${one ?? ''}${one === two ? '' : `\n  ${two ?? ''}`}`;
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('catalogue.txt');
  });

  test.each(sentences)('%s has at most 25 words a sentence', (_, message) => {
    const of = argumentsOf(parse(message.icu, { ignoreTag: true }));
    for (const sentence of say(message, withCount(of, 2)).split(/[.!?] /)) {
      expect(sentence.split(/\s+/).length).toBeLessThanOrEqual(25);
    }
  });

  test('holds no sentence that nobody says', () => {
    const src = fileURLToPath(new URL('../..', import.meta.url));
    const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:hbs|js|ts)$/.test(file) && !/\.test\.ts$|catalogue/.test(file))
      .map((file) => readFileSync(join(src, file), 'utf8'))
      .join('\n');
    const unused = sentences.filter(([name]) => {
      const [table = '', entry = ''] = name.split('.');
      const isNamed = new RegExp(`\\.${entry}\\b|['"]${entry}['"]|\\b${entry}: `).test(code);
      return !isNamed || !new RegExp(`\\b${table}\\b`).test(code);
    });
    expect(unused.map(([name]) => name)).toEqual([]);
  });
});
