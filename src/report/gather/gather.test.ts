import { expect, test } from 'vitest';
import { aFinding, anExchangeRecord, failing } from '../../../test/support/build.js';
import type { Ask } from '../../plan/plan.js';
import type { FailingTrial } from './failure-spool.js';
import { openGathering } from './gather.js';

const cell = 'suite/probe@demo/model';

function shownOf(asks: readonly Ask[]): readonly (readonly string[])[] {
  const gathering = openGathering();
  for (const ask of asks) {
    const exchanges = [`${ask.kind} ${ask.sample} ${JSON.stringify(ask.patch)}`];
    gathering.onEvent({ type: 'trial', cell, ask, outcome: failing, exchanges });
  }
  return (
    gathering
      .gathered()
      .cells.get(cell)
      ?.failures.map(({ exchanges, count }) => [...exchanges, String(count)]) ?? []
  );
}

test('counts the failing trials of a kind, and shows the one with the lowest number, in whatever order they end', () => {
  const asks: readonly Ask[] = [
    { kind: 'trial', patch: {}, sample: 12 },
    { kind: 'trial', patch: { max_tokens: 64 }, sample: 1 },
    { kind: 'trial', patch: { max_tokens: 32 }, sample: 1 },
    { kind: 'trial', patch: {}, sample: 3 },
    { kind: 'invalid', patch: {}, sample: 1 },
  ];
  const first = [['invalid 1 {}', '5']];
  expect(shownOf(asks)).toEqual(first);
  expect(shownOf(asks.toReversed())).toEqual(first);
});

test('tells failures of several kinds apart, the most frequent first, and no more than twenty', () => {
  const gathering = openGathering();
  const see = (sample: number, status: number) =>
    gathering.onEvent({
      ...{ type: 'trial', cell, ask: { kind: 'trial', patch: {}, sample }, exchanges: [] },
      outcome: { ...failing, class: 'http_error', status },
    });
  [400, 422, 422, 400, 422].forEach((status, sample) => see(sample, status));
  const kinds = () => gathering.gathered().cells.get(cell)?.failures ?? [];
  expect(kinds().map(({ status, count }) => [status, count])).toEqual([
    [422, 3],
    [400, 2],
  ]);
  for (let status = 430; status < 460; status += 1) see(status, status);
  expect(kinds()).toHaveLength(20);
});

test('does not count text that a model wrote without constraints as a failure, but counts a refusal by the service', () => {
  const gathering = openGathering();
  const see = (kind: Ask['kind'], shown: 'not_json' | 'http_error' | 'truncated', sample: number) =>
    gathering.onEvent({
      ...{ type: 'trial', cell, ask: { kind, patch: {}, sample } },
      ...{ outcome: { ...failing, class: shown }, exchanges: [`${kind} ${shown}`] },
    });
  see('free', 'not_json', 0);
  see('loose', 'not_json', 0);
  see('free', 'http_error', 1);
  see('invalid', 'truncated', 0);
  see('invalid', 'not_json', 2);
  const failures = gathering.gathered().cells.get(cell)?.failures ?? [];
  expect(failures.map(({ exchanges }) => exchanges)).toEqual([
    ['free http_error'],
    ['invalid not_json'],
    ['invalid truncated'],
  ]);
});

test('counts tokens under every name that the judge reads', () => {
  const gathering = openGathering();
  const usage = { input_tokens: 30, output_tokens: 12, output_tokens_details: { reasoning_tokens: 5 } };
  const choices = [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }];
  gathering.onEvent(anExchangeRecord('e000001', cell, { body: JSON.stringify({ choices, usage }) }));
  expect(gathering.gathered().models.get('demo/model')?.usage).toEqual({
    ...{ prompt_tokens: 30, completion_tokens: 12, reasoning_tokens: 5, total_tokens: 42 },
  });
});

test('keeps the beginnings of texts of any length, and only so many names', () => {
  const long = 'word '.repeat(20_000);
  const gathering = openGathering();
  for (let index = 0; index < 200; index += 1) {
    gathering.onEvent({ ...anExchangeRecord(`e${index}`, cell), served: `${index} ${long}`, fingerprint: long });
  }
  const ask: Ask = { kind: 'trial', patch: {}, sample: 0 };
  const outcome = { ...failing, detail: long, violations: [{ at: long, message: long }] };
  gathering.onEvent({ type: 'trial', cell, ask, outcome, exchanges: ['e1'] });
  const { models, cells } = gathering.gathered();
  expect(models.get('demo/model')?.served).toHaveLength(100);
  const texts = JSON.stringify([
    models.get('demo/model')?.fingerprints,
    models.get('demo/model')?.served,
    cells.get(cell)?.failures,
  ]);
  expect(texts.length).toBeLessThan(104 * 5000);
  const [failure] = cells.get(cell)?.failures ?? [];
  for (const text of [failure?.detail, failure?.violations[0]?.at, failure?.violations[0]?.message]) {
    expect(text).toMatch(/… \(chatspec evidence shows all\)$/);
  }
});

test('keeps the facts of an answer that waits for its trial', () => {
  const gathering = openGathering();
  const bodyOf = (at: number): string =>
    JSON.stringify({
      ...{ id: `c-${at}`, usage: { prompt_tokens: 3, completion_tokens: 4 } },
      choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
    });
  for (let at = 0; at < 10; at += 1) gathering.onEvent(anExchangeRecord(`e${at}`, cell, { body: bodyOf(at) }));
  gathering.onEvent({
    ...{ type: 'trial', cell, ask: { kind: 'trial', patch: {}, sample: 0 } },
    ...{ outcome: failing, exchanges: ['e7'] },
  });
  expect([...(gathering.failures.all() as Iterable<FailingTrial>)]).toMatchObject([
    { response_id: 'c-7', facts: { id: 'c-7', finish_reason: 'stop', usage: { completion_tokens: 4 } } },
  ]);
});

test.each([
  ['trial', 1],
  ['free', undefined],
  ['loose', undefined],
] as const)('counts who served the answer of an ask of kind %s: %s', (kind, total) => {
  const gathering = openGathering();
  gathering.onEvent({ ...anExchangeRecord('e1', cell), served: 'served-m' });
  gathering.onEvent({
    ...{ type: 'trial', cell, ask: { kind, patch: {}, sample: 0 }, outcome: failing, exchanges: ['e1'] },
  });
  expect(gathering.gathered().cells.get(cell)?.served?.get('model')?.get('served-m')?.total).toBe(total);
});

test('adds the times of all requests of a cell up, those of a trial that did not end included, and each once', () => {
  const gathering = openGathering();
  const see = (id: string, total_ms: number, of: string | null = cell) => {
    const record = anExchangeRecord(id, of);
    gathering.onEvent({ ...record, exchange: { ...record.exchange, timing: { ...record.exchange.timing, total_ms } } });
  };
  see('control', 1000, null);
  see('e1', 20);
  see('e2', 300);
  see('e3', 4);
  see('fresh', 5000);
  const ask: Ask = { kind: 'trial', patch: {}, sample: 0 };
  gathering.onEvent({ type: 'trial', cell, ask, outcome: failing, exchanges: ['e1', 'e2'] });
  gathering.onEvent({ type: 'cell', cell, finding: aFinding(0, 1), exchanges: ['e1', 'e2', 'e3'] });
  gathering.onEvent({ type: 'wire', cell, outcome: failing, exchanges: ['fresh'] });
  expect([...gathering.cellTimes]).toEqual([[cell, 324]]);
});
