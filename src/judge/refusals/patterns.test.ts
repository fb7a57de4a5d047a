import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { patternOf } from './refusal.js';

const table = parse(readFileSync(join(import.meta.dirname, 'patterns.yaml'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, { readonly words?: Readonly<Record<string, string>> }>>>
>;
const meanings = Object.values(table).flatMap((group) => Object.entries(group));

test.each(meanings)('each row of %s recognises its sentence', (_meaning, { words = {} }) => {
  expect(Object.entries(words).filter(([row, sentence]) => !patternOf(row).test(sentence))).toEqual([]);
});
