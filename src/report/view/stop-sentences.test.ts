import { expect, test } from 'vitest';
import type { StopReason } from '../../journal/stop.js';
import { stopNote, stopSentence } from './stop-sentences.js';

const tokens = { kind: 'budget', unit: 'tokens', limit: 3000, shard_part: false } as const;

test.each<[StopReason, string]>([
  [{ kind: 'budget', unit: 'requests', limit: 10_000, shard_part: false }, 'budget of 10,000 requests used up'],
  [{ kind: 'budget', unit: 'requests', limit: 1, shard_part: false }, 'budget of 1 request used up'],
  [
    { kind: 'budget', unit: 'requests', limit: 5000, shard_part: false, unanswered: 1 },
    'budget of 5,000 requests used up; 1 request of it was sent before an interruption and never answered',
  ],
  [{ kind: 'budget', unit: 'tokens', limit: 5, shard_part: true }, "budget of 5 tokens (this shard's part) used up"],
  [{ kind: 'budget', unit: 'cost', limit: 0.3, shard_part: false }, 'cost budget of 0.3 used up'],
  [
    { ...tokens, spent: 506, next: 2900 },
    'the next request could take 2,900 tokens, and 506 of the budget of 3,000 are spent',
  ],
  [
    { ...tokens, spent: 1, next: 3000, shard_part: true },
    "the next request could take 3,000 tokens, and 1 of the budget of 3,000 (this shard's part) is spent",
  ],
  [
    { ...tokens, spent: 2800, next: 2900, unreported: 300 },
    'the next request could take 2,900 tokens, and 2,800 of the budget of 3,000 count as spent: the service reported 2,500, and chatspec counted the rest',
  ],
  [
    { ...tokens, spent: 2800, next: 2900, unreported: 2800 },
    'the next request could take 2,900 tokens, and 2,800 of the budget of 3,000 count as spent: the service reported no usage, so chatspec counted them',
  ],
  [{ ...tokens, spent: 0, next: 3001 }, 'the next request could take 3,001 tokens, more than the budget of 3,000'],
  [{ ...tokens, spent: 3000, next: 10 }, 'budget of 3,000 tokens used up'],
  [
    { ...tokens, spent: 3010, next: 10, unreported: 3010 },
    'budget of 3,000 tokens used up: the service reported no usage, so chatspec counted them',
  ],
  [
    { ...tokens, unit: 'cost', limit: 3, spent: 0.98123, next: 2.1 },
    'the next request could cost 2.10, and 0.9812 of the cost budget of 3 is spent',
  ],
  [
    { ...tokens, unit: 'cost', limit: 0.3, spent: 0.00004, next: 0.2999999, unreported: 0.00004 },
    'the next request could cost 0.3000, and 0.00004 of the cost budget of 0.3 counts as spent: the service reported no usage, so chatspec counted it',
  ],
  [
    { ...tokens, unit: 'cost', limit: 3, spent: 0.98123, next: 2.1, unreported: 0.2 },
    'the next request could cost 2.10, and 0.9812 of the cost budget of 3 counts as spent: what the service reported cost 0.7812, and chatspec counted the rest',
  ],
  [{ kind: 'quota', answered_by: 't/m', detail: null }, 't/m answered that its quota is used up'],
  [{ kind: 'quota', answered_by: 't/m', detail: 'top up' }, 't/m answered that its quota is used up: top up'],
  [
    { kind: 'quota', answered_by: 't/m', detail: 'top up', confirmed_by: 't/n' },
    "t/m, and t/n to a plain request, answered that the account's quota is used up: top up",
  ],
  [
    { kind: 'unanswered', answered_by: 't/m', class: 'http_error', reason: null, status: 503, detail: 'HTTP 503' },
    't/m stopped answering, even a plain request: HTTP 503',
  ],
  [{ kind: 'long_pause', answered_by: 't/m', seconds: 3000 }, 't/m asks for a pause of 3000 s'],
])('says what %j means', (stop, sentence) => {
  expect(stopSentence(stop)).toBe(sentence);
});

test('notes which model or target stopped, or the whole run', () => {
  expect(stopNote({ target: null, model: null, kind: 'interrupted' })).toBe('stopped: the run was interrupted');
  expect(stopNote({ target: 't', model: 't/m', kind: 'long_pause', answered_by: 't/m', seconds: 600 })).toBe(
    'stopped t/m: t/m asks for a pause of 600 s',
  );
  expect(stopNote({ target: 't', model: null, kind: 'quota', answered_by: 't/m', detail: null })).toBe(
    'stopped t: t/m answered that its quota is used up',
  );
});
