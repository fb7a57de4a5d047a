import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { aCompletion, anExchangeRecord, aRequest } from '../../../test/support/build.js';
import { readAnswer, replyIn } from '../../chat/read-answer.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { JsonObject } from '../../json/json.js';
import { openRepeatedAnswers } from './repeated-answers.js';

interface Given {
  readonly id?: string | null;
  readonly says?: string;
  readonly created?: number | null;
  readonly asks?: string;
  readonly model?: string;
  readonly stream?: boolean;
  readonly finish?: string;
}

const uuid = (at: number): string => `chatcmpl-7f1e9c${String(at).padStart(6, '0')}b2`;
const exchangeId = (at: number): string => `e${String(at).padStart(6, '0')}`;

function recordOf(at: number, given: Given): ExchangeRecord {
  const { id = uuid(at), says = 'Hello.', created = 1_764_000_000, asks = 'Greet.', model = 'demo/m' } = given;
  const record = anExchangeRecord(exchangeId(at), `s/p@${model}`, { body: bodyOf({ ...given, id, says, created }) });
  const { request } = record.exchange;
  const messages = [{ role: 'user', content: asks }];
  const body = aRequest({ model, messages, ...(given.stream === true && { stream: true }) });
  return { ...record, model, exchange: { ...record.exchange, request: { ...request, body } } };
}

function bodyOf({ id, says, created, stream, finish = 'stop' }: Given): string {
  const head = { id: id ?? null, ...(created !== null && { created: created ?? 1 }), model: 'm' };
  if (stream !== true) {
    const whole = JSON.parse(aCompletion({ message: { content: says ?? '' }, finish })) as JsonObject;
    return JSON.stringify({ ...whole, created: undefined, ...head });
  }
  const chunk = (delta: JsonObject, reason: string | null): string =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  return `${chunk({ role: 'assistant', content: says ?? '' }, null)}${chunk({}, finish)}data: [DONE]\n\n`;
}

function repeatedIn(records: readonly ExchangeRecord[]) {
  const repeated = openRepeatedAnswers();
  for (const record of records) repeated.add(record, replyIn(readAnswer(record.exchange.answer)));
  return repeated.all();
}

const found = (...given: readonly Given[]) =>
  Object.fromEntries(repeatedIn(given.map((one, at) => recordOf(at + 1, one))));
const pair = (exchange: number, repeats: number) => ({ exchange: exchangeId(exchange), repeats: exchangeId(repeats) });

describe('answers from a cache', () => {
  test('the same answer to the same request', () => {
    const hit = { id: uuid(1) };
    expect(found(hit, hit, {}, hit)).toEqual({
      'demo/m': { repeated: 2, of: 4, of_others: 0, example: pair(2, 1) },
    });
  });

  test('the same in whatever order the exchanges come', () => {
    const records = [{}, { id: uuid(1) }, { id: uuid(1), asks: 'Greet Li.' }, {}].map((one, at) =>
      recordOf(at + 1, one),
    );
    const expected = repeatedIn(records);
    expect(expected.get('demo/m')).toEqual({ repeated: 2, of: 4, of_others: 1, example: pair(3, 1) });
    expect(repeatedIn(records.toReversed())).toEqual(expected);
  });

  test('an answer to another request, and one to another model', () => {
    const hit = { id: uuid(1) };
    expect(found(hit, { ...hit, asks: 'Order.' })).toEqual({
      'demo/m': { repeated: 1, of: 2, of_others: 1, example: pair(2, 1) },
    });
    expect(found(hit, { ...hit, model: 'demo/n' })).toEqual({
      'demo/n': { repeated: 1, of: 1, of_others: 1, example: pair(2, 1) },
    });
  });

  test('a cache that streams what it stored answers the same request', () => {
    const hit = { id: uuid(1) };
    expect(found(hit, { ...hit, stream: true })).toEqual({
      'demo/m': { repeated: 1, of: 2, of_others: 0, example: pair(2, 1) },
    });
  });

  test('one answer to any number of requests', () => {
    const all = Array.from({ length: 80 }, (_, at) => ({ id: uuid(1), asks: `Greet ${at}.` }));
    expect(found(...all)['demo/m']).toMatchObject({ repeated: 79, of: 80, of_others: 79 });
  });
});

describe('innocent', () => {
  test.each<readonly [string, readonly Given[]]>([
    ['the same words under ids of their own', [{}, {}, {}]],
    ['one long id for all', [{ id: uuid(1) }, { id: uuid(1), says: 'Good day.' }, { id: uuid(1) }]],
    [
      'one long id for all, the same words, and clocks that run',
      [{ id: uuid(1) }, { id: uuid(1), created: 1_764_000_001 }],
    ],
    ['one short id for all', [{ id: 'chatcmpl-1' }, { id: 'chatcmpl-1' }]],
    ['an id that is the time', [{ id: 'chatcmpl-1764000000' }, { id: 'chatcmpl-1764000000' }]],
    ['an id that is the time in milliseconds', [{ id: 'chatcmpl-1764000000123' }, { id: 'chatcmpl-1764000000123' }]],
    ['no id', [{ id: '' }, { id: '' }]],
    ['ids too long to keep', [{ id: 'x'.repeat(1000) }, { id: 'x'.repeat(1000) }]],
    ['an answer without an end, sent again whole', [{ id: uuid(1), finish: '', says: '' }, { id: uuid(1) }]],
  ])('%s', (_what, given) => {
    expect(found(...given)).toEqual({});
  });

  test('a model whose ids are not unique is left out, and another is not', () => {
    const constant = { id: uuid(1), model: 'demo/constant' };
    const cached = { id: uuid(2), model: 'demo/cached' };
    expect(Object.keys(found(constant, { ...constant, says: 'Hi.' }, cached, cached))).toEqual(['demo/cached']);
  });

  test('answers recorded from a real server', () => {
    const lines = readFileSync('fixtures/recordings/exchanges.jsonl', 'utf8').trim().split('\n');
    const records = lines.map((line, at) => {
      const { request, status, body } = JSON.parse(line) as {
        request: JsonObject;
        status: number;
        body: string | null;
      };
      const record = anExchangeRecord(exchangeId(at), 's/p@demo/m', { status, body: body ?? '' });
      return { ...record, exchange: { ...record.exchange, request: { ...record.exchange.request, body: request } } };
    });
    expect(records.length).toBeGreaterThan(50);
    expect(repeatedIn(records).size).toBe(0);
  });
});
