import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Exchange } from '../../src/index.js';
import type { Expectation } from '../../src/parts.js';
import { judgeExchange as judge } from '../../src/parts.js';
import { judge as judgePortably, retryAfterOf } from '../../src/judge/index.js';
import { exchangeOf, expectationOf, type Json, type JsonObject } from '../support/exchanges.js';

interface Case {
  readonly source: string;
  readonly label: string;
  readonly request: string | { readonly preset: string; readonly with: JsonObject };
  readonly expect?: Partial<Expectation>;
  readonly answer: AnswerData;
  readonly expected: {
    readonly class: string | null;
    readonly reason?: string;
    readonly fault?: boolean;
    readonly quirks?: readonly string[];
    readonly detail?: string;
    readonly wait?: number;
  };
}

interface AnswerData {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: Json;
  readonly message?: JsonObject;
  readonly choice?: JsonObject;
  readonly finish?: string;
  readonly usage?: JsonObject;
  readonly chunks?: readonly JsonObject[];
  readonly before?: string;
  readonly between?: string;
  readonly end?: string | null;
  readonly done?: boolean;
  readonly then?: JsonObject;
  readonly stream?: string;
}

const file = join(import.meta.dirname, '../../fixtures/field-guide/cases.yaml');
const { labels, presets, cases } = parse(readFileSync(file, 'utf8')) as {
  labels: Record<string, readonly (string | null)[]>;
  presets: Record<string, { body: JsonObject; expect: Partial<Expectation> }>;
  cases: Record<string, Case>;
};

describe('every reported answer', () => {
  test.each(Object.entries(cases))('%s', (_id, { request, expect: changes, answer: data, expected, label }) => {
    const preset = presets[typeof request === 'string' ? request : request.preset]!;
    const body = typeof request === 'string' ? preset.body : { ...preset.body, ...request.with };
    const answer = answerOf(data);
    const expectation = expectationOf({ ...preset.expect, ...changes });
    const exchange = exchangeOf(body, answer);
    const values = { vars: {}, request: body, steps: {} };
    const outcome = judge(exchange, expectation, values);
    // Rules are the only thing that the two judges take in different forms.
    const rules = expectation.rules.map(({ id, assert }) => ({
      id,
      check: () => outcome.class !== 'rule_violation',
      message: `${assert} is not true`,
    }));
    expect(judgePortably(exchange, { ...expectation, rules }, values)).toEqual(outcome);
    expect({ class: outcome.class, reason: outcome.reason, fault: outcome.fault, passed: outcome.passed }).toEqual({
      class: expected.class,
      reason: expected.reason ?? null,
      fault: expected.fault ?? false,
      passed: expected.class === null,
    });
    expect(labels[label]).toContain(outcome.class);
    expect(outcome.quirks).toEqual(expect.arrayContaining([...(expected.quirks ?? [])]));
    expect(outcome.detail ?? '').toMatch(new RegExp(expected.detail ?? ''));
    if (expected.wait !== undefined) {
      expect(retryAfterOf(answer, Date.parse('2026-07-25T12:00:00Z'))).toBeCloseTo(expected.wait, 6);
    }
  });
});

const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };

function answerOf(data: AnswerData): Exchange['answer'] {
  const streamed = data.chunks !== undefined || data.stream !== undefined;
  const text = streamed ? (data.stream ?? streamText(data)) : bodyText(data);
  const type = streamed ? 'text/event-stream' : 'application/json';
  return {
    status: data.status ?? 200,
    headers: { 'content-type': type, ...data.headers },
    body: [text],
    failure: null,
  };
}

function bodyText(data: AnswerData): string {
  if (data.message === undefined && data.choice === undefined) {
    return typeof data.body === 'string' ? data.body : JSON.stringify(data.body);
  }
  const choice = data.choice ?? {
    index: 0,
    message: { role: 'assistant', ...data.message },
    finish_reason: data.finish ?? 'stop',
  };
  return JSON.stringify({
    ...{ id: 'c-1', object: 'chat.completion', created: 1, model: 'm-1' },
    choices: [choice],
    usage: data.usage ?? usage,
  });
}

function streamText({ before = '', between, chunks = [], end = 'stop', done = true, then }: AnswerData): string {
  const frame = { id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm-1' };
  const event = (chunk: JsonObject): string => `data: ${JSON.stringify({ ...frame, ...chunk })}\n\n`;
  const parts = chunks.map((delta) => event({ choices: [{ index: 0, delta, finish_reason: between ?? null }] }));
  if (then !== undefined) return [before, ...parts, event(then), 'data: [DONE]\n\n'].join('');
  if (end !== null) parts.push(event({ choices: [{ index: 0, delta: {}, finish_reason: end }] }));
  return [before, ...parts, done ? 'data: [DONE]\n\n' : ''].join('');
}
