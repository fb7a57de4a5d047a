import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { classify, judge, reasons, type Outcome, type Reason } from '../../src/judge/index.js';
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

type SourcedRow = readonly [reason: Reason, request: string, status: number | null, body: Json, source: string];

interface Sourced {
  readonly sources: Record<string, string>;
  readonly refusals: readonly SourcedRow[];
  readonly innocent: readonly SourcedRow[];
}

const sourced = read('sourced.yaml') as Sourced;

/** Wordings that were looked up, each with its source; the innocent ones hold words that tempt to another reason. */
describe.each(['refusals', 'innocent'] as const)('%s with a source', (group) => {
  test.each(sourced[group].map((row) => [row[0], textOf(row[3]).slice(0, 110), row] as const))(
    '%s: %s',
    (_reason, _text, row) => {
      const [reason, request, status, body, source] = row;
      expect(sourced.sources[source]).toMatch(/^https:/);
      expect(requests).toHaveProperty(request);
      const sent = status === null ? body : textOf(body);
      expect(classify({ status, headers: {}, body: sent, request: requests[request]! }).reason).toBe(reason);
    },
  );
});

interface Answers {
  readonly sources: Record<string, string>;
  readonly text: readonly (readonly [outcomeClass: string | null, content: string, source: string])[];
  readonly envelope: readonly (readonly [reason: Reason, body: Json, source: string])[];
}

const answers = read('answers.yaml') as Answers;
const optional = { ...(requests['tools'] as object), tool_choice: 'auto' };

describe('answers that hide their meaning', () => {
  test.each(answers.text)('%s: %s', (outcomeClass, content, source) => {
    expect(answers.sources[source]).toMatch(/^https:/);
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    expect(judged(optional, { id: 'c-1', choices }).class).toBe(outcomeClass);
  });

  test.each(answers.envelope)('%s: %s', (reason, body, source) => {
    expect(answers.sources[source]).toMatch(/^https:/);
    expect(judged(optional, body)).toMatchObject({ class: 'malformed_response', reason });
  });
});

function judged(request: object, body: Json): Outcome {
  return judge({ status: 200, body }, { request });
}

function textOf(body: Json): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function read(file: string): unknown {
  return parse(readFileSync(join(folder, file), 'utf8'), { merge: true });
}
