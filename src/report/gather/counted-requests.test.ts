import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { aCompletion, anExchangeRecord, aRequest, aUsage } from '../../../test/support/build.js';
import { readAnswer, replyIn } from '../../chat/read-answer.js';
import type { JsonObject } from '../../json/json.js';
import { openCountedRequests } from './counted-requests.js';

interface Sent {
  readonly asks: string;
  readonly usage: JsonObject | null;
  readonly cell?: string | null;
  readonly status?: number;
}

const counting = (count: number, asks = 'Greet.'): Sent => ({ asks, usage: aUsage({ prompt_tokens: count }) });

function opened() {
  const counted = openCountedRequests();
  return {
    ...counted,
    send: ({ asks, usage, cell = 's/p', status = 200 }: Sent): void => {
      const body = aCompletion({ usage });
      const record = anExchangeRecord('e000001', cell === null ? null : `${cell}@demo/m`, { body, status });
      const { request, answer } = record.exchange;
      const sent = { ...request, body: aRequest({ messages: [{ role: 'user', content: asks }] }) };
      const exchange = { ...record.exchange, request: sent };
      counted.add({ ...record, model: 'demo/m', exchange }, replyIn(readAnswer(answer)));
    },
  };
}

function countedOf(...sent: readonly Sent[]) {
  const { send, all } = opened();
  for (const one of sent) send(one);
  return all().get('demo/m') ?? [];
}

test('each request has its counts, whatever order they come in', () => {
  const sent = [counting(57), { ...counting(80), cell: 's/a' }, counting(57), counting(30, 'Order.')];
  const found = countedOf(...sent);
  expect(found).toHaveLength(2);
  expect(found).toContainEqual({ request: expect.any(String) as string, cell: 's/a', prompt_tokens: [57, 80] });
  expect(countedOf(...sent.toReversed())).toEqual(found);
});

test('what came from a cache is known, where it makes a difference', () => {
  const cold = aUsage({ prompt_tokens: 57 });
  const warm = aUsage({ prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 48 } });
  expect(countedOf({ asks: 'Greet.', usage: cold }, { asks: 'Greet.', usage: warm })).toMatchObject([
    { prompt_tokens: [9, 57], with_cached: [57] },
  ]);
});

test.each<readonly [string, Sent]>([
  ['no usage', { asks: 'Greet.', usage: null }],
  ['a count of 0', counting(0)],
  ['a count that is no number', { asks: 'Greet.', usage: aUsage({ prompt_tokens: 'many' }) }],
  ['a refusal', { ...counting(57), status: 500 }],
])('not counted: %s', (_what, sent) => {
  expect(countedOf(sent)).toEqual([]);
});

test('a few requests are kept, the same in whatever order, and those that an earlier run remembers', () => {
  const sent = Array.from({ length: 200 }, (_, at) => counting(50 + at, `Greet ${at}.`));
  const found = countedOf(...sent);
  expect(found).toHaveLength(12);
  expect(countedOf(...sent.toReversed())).toEqual(found);

  // Of an earlier run that sent the same, and of one that sent another of them.
  const [other] = countedOf(counting(49, 'Order.'));
  const after = (wanted: readonly (typeof found)[number][], asked: readonly Sent[]) => {
    const { start, send, all } = opened();
    start({ 'demo/m': { served: [], fingerprints: [], requests: wanted } });
    for (const one of asked) send(one);
    return all().get('demo/m');
  };
  for (const asked of [sent, sent.toReversed()]) {
    expect(after(found, asked)).toEqual(found);
    expect(after([other!], [counting(49, 'Order.'), ...asked])).toContainEqual(other);
    expect(after([other!], [...asked, counting(49, 'Order.')])).toContainEqual(other);
  }
});

test('a real server counts the same for identical requests', () => {
  const { add, all } = openCountedRequests();
  for (const line of readFileSync('fixtures/recordings/exchanges.jsonl', 'utf8').trim().split('\n')) {
    const { request, status, body } = JSON.parse(line) as { request: JsonObject; status: number; body: string | null };
    const record = anExchangeRecord('e000001', 's/p@demo/m', { body: body ?? '', status });
    const exchange = { ...record.exchange, request: { ...record.exchange.request, body: request } };
    add({ ...record, exchange }, replyIn(readAnswer(exchange.answer)));
  }
  const found = all().get('demo/m') ?? [];
  expect(found).toHaveLength(12);
  for (const { prompt_tokens: counts } of found) expect(counts).toHaveLength(1);
});
