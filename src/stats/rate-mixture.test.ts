import { expect, test } from 'vitest';
import { probabilityOfDrop, probabilityOfRow, rateMixture } from './rate-mixture.js';

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const shareOf = (mixture: ReturnType<typeof rateMixture>, from: number, to: number) =>
  mixture.filter(({ rate }) => rate >= from && rate <= to).reduce((sum, { share }) => sum + share, 0);

test('the shares of two kinds of cells are told from their counts', () => {
  const mixture = rateMixture([...times(300, { passed: 40, total: 40 }), ...times(100, { passed: 20, total: 40 })]);
  expect(shareOf(mixture, 0, 1)).toBeCloseTo(1, 6);
  expect(shareOf(mixture, 0.95, 1)).toBeCloseTo(0.75, 1);
  expect(shareOf(mixture, 0.4, 0.6)).toBeCloseTo(0.25, 1);
});

const alike = (...counts: (readonly [passed: number, total: number, cells?: number])[]) =>
  counts.flatMap(([passed, total, cells = 1]) => times(cells, { passed, total }));

test.each([
  { cells: 'a single one', counts: alike([1, 1]) },
  { cells: 'thousands', counts: alike([20, 20, 2000], ...[...Array(20).keys()].map((n) => [n, 20, 100] as const)) },
  { cells: 'cells known from thousands of trials', counts: alike([0, 3000], [1500, 3000], [2999, 3000], [3000, 3000]) },
  { cells: 'cells that always or never pass', counts: alike([0, 40, 500], [40, 40, 5000]) },
])('no other shares are likelier: $cells', ({ counts }) => {
  const mixture = rateMixture(counts);
  // The derivative of the likelihood is the same in the direction of every rate, that of the unseen cell included.
  const seen = counts.map(({ passed, total }) => {
    const logs = mixture.map(
      ({ rate }) => (passed && passed * Math.log(rate)) + (total - passed && (total - passed) * Math.log(1 - rate)),
    );
    const given = logs.map((log) => Math.exp(log - Math.max(...logs)));
    return { given, all: given.reduce((sum, likelihood, at) => sum + likelihood * mixture[at]!.share, 0) };
  });
  for (const [at, { share }] of mixture.entries()) {
    const slope = seen.reduce((sum, { given, all }) => sum + given[at]! / all, 1 / mixture.length / share);
    expect(slope / (counts.length + 1)).toBeCloseTo(1, 5);
  }
});

test('no rate is ruled out by cells that always passed', () => {
  for (const { share } of rateMixture(times(50, { passed: 10, total: 10 }))) expect(share).toBeGreaterThan(0);
});

test('cells without counts leave every rate equally likely', () => {
  const shares = rateMixture([]).map(({ share }) => share);
  expect(Math.max(...shares)).toBeCloseTo(Math.min(...shares), 12);
});

test('a drop is no surprise where cells like it are known to have been lucky, and one where none are', () => {
  const drop = { passed: 42, total: 60 };
  const calm = rateMixture(times(300, { passed: 10, total: 10 }));
  const flaky = rateMixture([...times(290, { passed: 10, total: 10 }), ...times(100, { passed: 7, total: 10 })]);
  expect(probabilityOfDrop(calm, { passed: 10, total: 10 }, drop)).toBeLessThan(0.0001);
  expect(probabilityOfDrop(flaky, { passed: 10, total: 10 }, drop)).toBeGreaterThan(0.003);
  // The more passes are behind it, the less likely is luck.
  expect(probabilityOfDrop(flaky, { passed: 30, total: 30 }, drop)).toBeLessThan(0.0001);
  // Unless it failed as well.
  expect(probabilityOfDrop(flaky, { passed: 30, total: 40 }, drop)).toBeGreaterThan(0.1);
});

test('the probability is that of so few passes or fewer', () => {
  const mixture = [
    { rate: 0.5, share: 0.5 },
    { rate: 1, share: 0.5 },
  ];
  // One of two passes or fewer at a rate of a half; one known pass makes the other rate twice as likely.
  expect(probabilityOfDrop(mixture, { passed: 1, total: 1 }, { passed: 1, total: 2 })).toBeCloseTo(0.75 / 3, 9);
  expect(probabilityOfDrop(mixture, { passed: 1, total: 1 }, { passed: 2, total: 2 })).toBeCloseTo(1, 9);
  // A known failure rules the other out.
  expect(probabilityOfDrop(mixture, { passed: 1, total: 2 }, { passed: 1, total: 2 })).toBeCloseTo(0.75, 9);
});

test('of a cell known from thousands of trials, the chance is still a number', () => {
  const counts = { passed: 1500, total: 3000 };
  const mixture = rateMixture(times(3, counts));
  expect(probabilityOfDrop(mixture, counts, { passed: 15, total: 30 })).toBeCloseTo(0.57, 1);
  expect(probabilityOfDrop(mixture, counts, { passed: 300, total: 3000 })).toBeLessThan(0.0001);
});

test('a row of passes is no surprise of cells that hardly ever fail, and one of cells that often do', () => {
  const [often, seldom] = [
    rateMixture(times(50, { passed: 4, total: 10 })),
    rateMixture(times(50, { passed: 19, total: 20 })),
  ];
  expect(probabilityOfRow(often, { passed: 5, total: 9 }, 34)).toBeLessThan(0.0001);
  expect(probabilityOfRow(seldom, { passed: 5, total: 9 }, 34)).toBeGreaterThan(0.01);
  expect(probabilityOfRow(seldom, { passed: 5, total: 9 }, 0)).toBeCloseTo(1);
});
