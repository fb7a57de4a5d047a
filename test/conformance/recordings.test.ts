import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import type { Expectation } from '../../src/parts.js';
import { judgeExchange as judge } from '../../src/parts.js';
import { judge as judgePortably } from '../../src/judge/index.js';
import { exchangeOf, expectationOf, type Json } from '../support/exchanges.js';

interface Recorded {
  readonly name: string;
  readonly what: string;
  readonly request: Json & { readonly response_format?: { readonly json_schema?: { readonly schema?: Json } } };
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface Expected {
  readonly expect?: Partial<Expectation> & { readonly schema?: Json };
  readonly status?: number;
  readonly class: string | null;
  readonly reason?: string;
  readonly fault?: boolean;
  readonly rung?: string;
  readonly quirks?: readonly string[];
  readonly detail?: string;
  readonly because: string;
}

const folder = join(import.meta.dirname, '../../fixtures/recordings');
const recordings = readFileSync(join(folder, 'exchanges.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);
const { schemas, outcomes } = parse(readFileSync(join(folder, 'outcomes.yaml'), 'utf8')) as {
  schemas: Record<string, Json>;
  outcomes: Record<string, Expected>;
};

describe('every recorded exchange', () => {
  test('has an outcome written beside it, and every outcome an exchange', () => {
    expect(Object.keys(outcomes).sort()).toEqual(recordings.map(({ name }) => name).sort());
  });

  test.each(recordings.map((recorded) => [recorded.name, recorded] as const))('%s', (name, recorded) => {
    const expected = outcomes[name]!;
    const expectation = expectationFor(recorded, expected);
    const exchange = exchangeOf(recorded.request, { ...recorded, body: [recorded.body] });
    const values = { vars: {}, request: recorded.request, steps: {} };
    const outcome = judge(exchange, expectation, values);
    expect(expectation.rules).toEqual([]);
    // No recorded expectation has a rule: they are the only thing that the two judges take in different forms.
    expect(judgePortably(exchange, { ...expectation, rules: [] }, values)).toEqual(outcome);
    expect({
      status: outcome.status,
      class: outcome.class,
      reason: outcome.reason,
      fault: outcome.fault,
      passed: outcome.passed,
      rung: outcome.rung,
      quirks: outcome.quirks,
    }).toEqual({
      status: expected.status ?? 200,
      class: expected.class,
      reason: expected.reason ?? null,
      fault: expected.fault ?? false,
      passed: expected.class === null,
      rung: expected.rung ?? (expected.class === null ? 'correct' : null),
      quirks: expected.quirks ?? [],
    });
    expect(outcome.detail ?? '').toMatch(new RegExp(expected.detail ?? ''));
  });
});

function expectationFor({ request }: Recorded, { expect: changes = {} }: Expected): Expectation {
  const { schema = null, ...rest } = changes;
  const inRequest = request.response_format?.json_schema?.schema ?? null;
  const named = typeof schema === 'string' ? (schema === 'request' ? inRequest : schemas[schema]!) : schema;
  return expectationOf({ ...rest, schema: named });
}
