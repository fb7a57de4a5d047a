import { expect, test } from 'vitest';
import { aCompletion, anExchangeRecord } from '../../../test/support/build.js';
import { readExchangeAnswer, replyIn } from '../../chat/read-answer.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { Json } from '../../json/json.js';
import { openAnswerTimes } from './answer-times.js';

const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
const tools = [{ type: 'function', function: { name: 'f' } }];

function recordOf(ms: number, body: Json = {}, cell = 's/p@demo/one'): ExchangeRecord {
  const record = anExchangeRecord(`x${ms}`, cell);
  const { exchange } = record;
  const answer = { ...exchange.answer, status: 200, body: [aCompletion({ message: { content: 'x' }, usage })] };
  const timing = { ...exchange.timing, headers_ms: ms / 2, total_ms: ms };
  return { ...record, exchange: { ...exchange, request: { ...exchange.request, body }, answer, timing } };
}

const timesOf = (records: readonly ExchangeRecord[], hasPassed: (record: ExchangeRecord) => boolean = () => true) => {
  const times = openAnswerTimes();
  for (const record of records) {
    times.add(record, replyIn(readExchangeAnswer(record.exchange.answer)));
    times.settle(record.id, hasPassed(record));
  }
  return [...times.all().values()].flat();
};

test('times are kept by form, by stream and by thinking, and do not depend on the order', () => {
  const records = [
    ...Array.from({ length: 100 }, (_, index) => recordOf(index + 1)),
    recordOf(1000, { stream: true }),
    recordOf(200, { response_format: { type: 'json_schema' } }),
    recordOf(300, { tools, response_format: { type: 'json_schema' } }),
    recordOf(400, { tools, tool_choice: 'none' }, 's/p[thinking=disabled]@demo/one'),
  ];
  const times = timesOf(records);
  expect(times.map(({ kind, stream, answers }) => [kind, stream, answers])).toEqual([
    ['json_schema', false, 1],
    ['text', false, 101],
    ['text', true, 1],
    ['thinking.disabled', null, 1],
    ['tools', false, 1],
  ]);
  const [schema, text] = times;
  expect(schema).toMatchObject({ tokens: { prompt: 10, completion: 20, reasoning: 0 } });
  expect(Math.abs((schema?.total_ms?.p50 ?? 0) - 200)).toBeLessThan(3);
  expect(text?.total_ms?.p50).toBeGreaterThan(49);
  expect(text?.total_ms?.p50).toBeLessThan(52);
  expect(text?.headers_ms?.p95).toBeCloseTo(48, -1);
  expect(Math.abs((schema?.tokens_per_second?.p50 ?? 0) - 100)).toBeLessThan(2);
  expect(timesOf(records.toReversed())).toEqual(times);
});

test('what is no whole answer says nothing of the model', () => {
  const whole = recordOf(10);
  const { exchange } = whole;
  const failed = (answer: Partial<typeof exchange.answer>): ExchangeRecord => ({
    ...whole,
    exchange: { ...exchange, answer: { ...exchange.answer, ...answer } },
  });
  const faults = [
    failed({ status: 429 }),
    failed({ status: null }),
    failed({ failure: { kind: 'connection_reset', message: 'cut' } }),
    failed({ body: ['{"error": {"message": "no"}}'] }),
    failed({ body: ['not even JSON'] }),
  ];
  expect(timesOf([...faults, whole])).toEqual(timesOf([whole]));
  expect(timesOf(faults)).toEqual([]);
});

test('an answer without usage has times but no tokens', () => {
  const record = recordOf(10);
  const answer = { ...record.exchange.answer, body: [aCompletion({ message: { content: 'x' }, usage: null })] };
  const [times] = timesOf([{ ...record, exchange: { ...record.exchange, answer } }]);
  expect(times).toMatchObject({ answers: 1, tokens: null, tokens_per_second: null });
});

test('answers to controls, to the retries of a client and in trials that fail are not those of a kind of request', () => {
  const own = recordOf(400, {}, 's/p[thinking=enabled]@demo/one');
  const control = { ...recordOf(1, {}, 's/p[thinking=enabled]@demo/one'), purpose: 'control' } as const;
  const retry = { ...recordOf(2, {}, 's/p[thinking=enabled]@demo/one'), purpose: 'retry' } as const;
  const opening = { ...recordOf(3), cell: null };
  const empty = recordOf(4);
  expect(timesOf([control, own, retry, opening, empty], (record) => record !== empty)).toEqual(timesOf([own]));
  expect(timesOf([control, retry, opening])).toEqual([]);
});
