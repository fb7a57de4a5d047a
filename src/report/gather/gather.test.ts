import { expect, test } from 'vitest';
import { anExchangeRecord, failing } from '../../../test/support/build.js';
import type { Ask } from '../../plan/ticket.js';
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
      ?.failures.map(({ exchanges }) => exchanges) ?? []
  );
}

test('shows the failing trials with the lowest numbers, in whatever order they end', () => {
  const asks: readonly Ask[] = [
    { kind: 'trial', patch: {}, sample: 12 },
    { kind: 'trial', patch: { max_tokens: 64 }, sample: 1 },
    { kind: 'trial', patch: { max_tokens: 32 }, sample: 1 },
    { kind: 'trial', patch: {}, sample: 3 },
    { kind: 'invalid', patch: {}, sample: 1 },
  ];
  const first = [['invalid 1 {}'], ['trial 1 {"max_tokens":32}'], ['trial 1 {"max_tokens":64}']];
  expect(shownOf(asks)).toEqual(first);
  expect(shownOf(asks.toReversed())).toEqual(first);
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
