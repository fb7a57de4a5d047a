import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { classify, reasons, type Reason } from '../../src/judge/index.js';
import type { Json } from '../support/exchanges.js';

type Row = readonly [
  reason: Reason,
  request: string,
  status: number | null,
  body: Json,
  headers?: Record<string, string>,
];

const folder = join(import.meta.dirname, '../../fixtures/refusals');
const requests = read('requests.yaml') as Record<string, Json>;
const wordings = read('wordings.yaml') as Record<Reason, readonly Row[]>;

/** Wordings of refusals in many shapes and languages, with the reason that each was written to mean. */
describe.each(Object.entries(wordings))('%s', (group, rows) => {
  test.each(rows.map((row) => [textOf(row[3]).slice(0, 110), row] as const))('%s', (_text, row) => {
    const [reason, request, status, body, headers = {}] = row;
    expect(reason).toBe(group);
    const sent = status === null ? body : textOf(body);
    expect(classify({ status, headers, body: sent, request: requests[request]! }).reason).toBe(reason);
  });
});

test('every reason has at least eight wordings', () => {
  expect(reasons.filter((reason) => ((wordings[reason] as readonly Row[] | undefined) ?? []).length < 8)).toEqual([]);
});

function textOf(body: Json): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function read(file: string): unknown {
  return parse(readFileSync(join(folder, file), 'utf8'), { merge: true });
}
