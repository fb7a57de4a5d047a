import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isFaultReason, isFinalError, isFinalReason, reasons } from './outcome.js';

const root = new URL('../../', import.meta.url);

test('schemas match the tables (npm run generate updates them)', async () => {
  const script = new URL('scripts/generate-tables.mjs', root).href;
  const { filesWithTables } = (await import(script)) as { filesWithTables: () => Promise<Record<string, string>> };
  const files = await filesWithTables();
  expect(Object.keys(files)).toHaveLength(4);
  for (const [path, text] of Object.entries(files)) {
    expect(await readFile(new URL(path, root), 'utf8'), path).toBe(text);
  }
});

test('only a fault can be final', () => {
  expect(reasons.filter(isFaultReason)).toEqual(['auth', 'quota', 'rate_limited', 'overloaded', 'gateway']);
  expect(reasons.filter(isFinalReason)).toEqual(['auth', 'quota']);
  expect(isFaultReason(null) || isFinalReason(null)).toBe(false);
});

test('a refusal by a machine in front would recur, its 5xx might not', () => {
  expect(isFinalError({ reason: 'gateway', status: 403 })).toBe(true);
  expect(isFinalError({ reason: 'gateway', status: 502 })).toBe(false);
  expect(isFinalError({ reason: 'rate_limited', status: 429 })).toBe(false);
  expect(isFinalError({ reason: 'quota', status: 429 })).toBe(true);
});
