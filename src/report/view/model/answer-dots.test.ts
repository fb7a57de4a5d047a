import { expect, test } from 'vitest';
import type { ReportLatency } from '../../../matrix/report-format.js';
import { answerDots, scalesOf } from './answer-dots.js';

const times = (model: string, spread: readonly number[], changes: Partial<ReportLatency> = {}): ReportLatency => ({
  ...{ model, kind: 'text', stream: false, answers: spread.length, first_byte_ms: null, tokens: null, cost: null },
  total_ms: { p50: spread[0] ?? 0, p95: spread.at(-1) ?? 0, spread },
  tokens_per_second: null,
  ...changes,
});

/** Where each dot stands. */
const placesOf = (dots: string): number[] => [...dots.matchAll(/M([\d.]+) [\d.]+h0/g)].map(([, x]) => Number(x));

test('a dot stands for each value, on one logarithmic scale for all models', () => {
  const [slow, fast] = [times('a', [1000, 10_000]), times('b', [100, 1000])];
  const scales = scalesOf([slow, fast]);
  expect(placesOf(answerDots([fast], scales)?.dots ?? '')).toEqual([4, 116]);
  expect(placesOf(answerDots([slow], scales)?.dots ?? '')).toEqual([116, 228]);
});

test('the scale of durations begins at a millisecond or later', () => {
  const one = times('a', [0.001, 0.5, 20]);
  const drawing = answerDots([one], scalesOf([one]));
  expect(drawing?.scale.map(({ text }) => text)).toEqual(['1 ms', '20 ms']);
  expect(placesOf(drawing?.dots ?? '')).toEqual([4, 4, 228]);
});

test('says in words what it draws', () => {
  const rate = { p50: 45, p95: 61.2, spread: [45, 61.2] };
  const one = times('a', [850, 3400], { kind: 'json_schema', stream: true, tokens_per_second: rate });
  expect(answerDots([one, times('a', [2])], scalesOf([one]))).toMatchObject({
    label: 'json_schema, streamed: 850 ms / 3.4 s, 45 / 61 tokens a second, 2 answers; text: 2 ms, 1 answer',
    scale: [{ text: '850 ms' }, { text: '3.4 s' }, { text: '45/s' }, { text: '61/s' }],
  });
});

test('a report of an older version has medians without dots, and without times there is no drawing', () => {
  const old = times('a', [], { total_ms: { p50: 100, p95: 400 } });
  expect(answerDots([old], scalesOf([old]))).toMatchObject({ dots: '', medians: 'M4 18v12' });
  expect(answerDots([], scalesOf([]))).toBeNull();
});
