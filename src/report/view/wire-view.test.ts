import { expect, test } from 'vitest';
import type { ReportQuirk } from '../../matrix/report-format.js';
import { wireDetail, wireEvidence } from './wire-view.js';

const quirk: ReportQuirk = {
  ...{ model: 'demo/one', quirk: 'done_missing', standing: 'new', seen: 4, of: 4, only: null },
  ...{ cells: ['stream/plain@demo/one'], breaks: ['openai 6.49: throws'], exchange: null },
};

test.each<[string, Partial<ReportQuirk>, string]>([
  ['those that break', {}, 'breaks: openai 6.49: throws (in stream/plain@demo/one)'],
  [
    'those that break and the one that reads it',
    { breaks: ['openai 6.49: throws', 'openai 4.104: wrong value'], reads: ['ai 5.0'] },
    'breaks: openai 6.49: throws; openai 4.104: wrong value; ai 5.0 reads it (in stream/plain@demo/one)',
  ],
  [
    'only those that read it',
    { breaks: [], reads: ['openai 6.49', 'ai 5.0'] },
    'openai 6.49 and ai 5.0 read it (in stream/plain@demo/one)',
  ],
  [
    'of one that has ended, none',
    { standing: 'gone', reads: ['ai 5.0'], cells: [] },
    'clients that were adapted to it may need a look',
  ],
])('names %s', (_name, changes, expected) => {
  expect(wireDetail({ ...quirk, ...changes })).toBe(expected);
});

test('the evidence of a quirk is sentences, and tells what ended as the past', () => {
  const gone: ReportQuirk = { ...quirk, standing: 'gone', seen: 0 };
  expect(wireEvidence(gone)).toBe(
    'Before: The stream ended with a finish_reason but without [DONE]. Clients that were adapted to it may need a look (in stream/plain@demo/one)',
  );
  expect(wireEvidence(quirk)).toBe(
    'The stream ended with a finish_reason but without [DONE]. Breaks: openai 6.49: throws (in stream/plain@demo/one)',
  );
  expect(wireEvidence({ ...gone, quirk: 'of_another_version' })).toBe(
    'Clients that were adapted to it may need a look (in stream/plain@demo/one)',
  );
  expect(wireEvidence({ ...quirk, quirk: 'of_another_version', breaks: [], reads: ['ai 5.0'] })).toBe(
    'ai 5.0 reads it (in stream/plain@demo/one)',
  );
});
