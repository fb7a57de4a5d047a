import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../json/json.js';
import { accountPatterns } from './account-patterns.js';
import type { ErrorPattern } from './error-pattern.js';
import { refusalFacts } from './refusal.js';
import { requestPatterns } from './request-patterns.js';

type Row = readonly [reason: string, request: string, status: number | null, body: Json];

const read = (file: string): unknown =>
  parse(readFileSync(join(import.meta.dirname, '../../../fixtures/refusals', file), 'utf8'), { merge: true });
const requests = read('requests.yaml') as Record<string, Json>;
const { refusals, innocent } = read('sourced.yaml') as { refusals: readonly Row[]; innocent: readonly Row[] };
const wordings = [
  ...Object.values(read('wordings.yaml') as Record<string, readonly Row[]>).flat(),
  ...refusals,
  ...innocent,
];
const said = wordings.map(([, request, status, body]) =>
  refusalFacts({
    status,
    headers: {},
    body: status === null || typeof body === 'string' ? body : JSON.stringify(body),
    request: requests[request] ?? null,
  }),
);
/** For the rows that none of the wordings needs, a sentence each, by meaning. */
const sentences = read('sentences.yaml') as Record<string, readonly string[]>;

const table: Readonly<Record<string, ErrorPattern>> = { ...accountPatterns, ...requestPatterns };

test.each(Object.entries(table))('each pattern of %s recognises a sentence', (meaning, { words = [] }) => {
  const texts = [...said.flatMap(({ text, prose }) => [text, prose]), ...(sentences[meaning] ?? [])];
  const idle = words.filter((pattern) => !texts.some((text) => pattern.test(text)));
  expect(idle.map(String)).toEqual([]);
});

test('each sentence is recognised as what it is listed under', () => {
  const lost = Object.entries(sentences).flatMap(([meaning, texts]) =>
    texts.filter((text) => !(table[meaning]?.words ?? []).some((pattern) => pattern.test(text))),
  );
  expect(lost).toEqual([]);
});
