import { expect, test } from 'vitest';
import { probabilityAfterPasses, probabilityOfRow, rateMixture } from './rate-mixture.js';

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const shareOf = (mixture: ReturnType<typeof rateMixture>, from: number, to: number) =>
  mixture.filter(({ rate }) => rate >= from && rate <= to).reduce((sum, { share }) => sum + share, 0);

test('the shares of two kinds of cells are told from their counts', () => {
  const mixture = rateMixture([...times(300, { passed: 40, total: 40 }), ...times(100, { passed: 20, total: 40 })]);
  expect(shareOf(mixture, 0, 1)).toBeCloseTo(1, 6);
  expect(shareOf(mixture, 0.95, 1)).toBeCloseTo(0.75, 1);
  expect(shareOf(mixture, 0.4, 0.6)).toBeCloseTo(0.25, 1);
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
  expect(probabilityAfterPasses(calm, 10, drop)).toBeLessThan(0.0001);
  expect(probabilityAfterPasses(flaky, 10, drop)).toBeGreaterThan(0.003);
  // The more passes are behind it, the less likely is luck.
  expect(probabilityAfterPasses(flaky, 30, drop)).toBeLessThan(0.0001);
});

test('the probability is that of so few passes or fewer', () => {
  const mixture = [
    { rate: 0.5, share: 0.5 },
    { rate: 1, share: 0.5 },
  ];
  // One of two passes or fewer at a rate of a half; one known pass makes the other rate twice as likely.
  expect(probabilityAfterPasses(mixture, 1, { passed: 1, total: 2 })).toBeCloseTo(0.75 / 3, 9);
  expect(probabilityAfterPasses(mixture, 1, { passed: 2, total: 2 })).toBeCloseTo(1, 9);
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
