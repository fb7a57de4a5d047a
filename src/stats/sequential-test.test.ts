import { describe, expect, test } from 'vitest';
import { fixedSize, operatingCharacteristic } from './operating-characteristic.js';
import { defaultTest, fewestToDecide, stateOf } from './sequential-test.js';

describe('at 0.95 / 0.7 / 0.05', () => {
  test('ten straight passes stop it and nine do not', () => {
    expect(stateOf(defaultTest, 9, 0)).toBe('open');
    expect(stateOf(defaultTest, 10, 0)).toBe('reliable');
  });

  test('two straight failures stop it and one does not', () => {
    expect(stateOf(defaultTest, 0, 1)).toBe('open');
    expect(stateOf(defaultTest, 0, 2)).toBe('broken');
  });

  test('a test of fixed size with the same errors takes 24', () => expect(fixedSize(defaultTest)).toBe(24));

  test('it takes at most 45 % of that at rate 1, and at most 10 % at rate 0', () => {
    expect(operatingCharacteristic(defaultTest, 1, 40).meanTrials).toBeLessThanOrEqual(0.45 * 24);
    expect(operatingCharacteristic(defaultTest, 0, 40).meanTrials).toBeLessThanOrEqual(0.1 * 24);
  });

  test('the fewest trials that can decide it are two failures, or the rest of ten passes', () => {
    expect(fewestToDecide(defaultTest, 0, 0)).toBe(2);
    expect(fewestToDecide(defaultTest, 9, 0)).toBe(1);
    expect(fewestToDecide(defaultTest, 10, 0)).toBe(0);
    expect(fewestToDecide(defaultTest, 0, 1)).toBe(1);
  });
});

const grid = [0.9, 0.95, 0.98, 0.99].flatMap((reliable) =>
  [0.3, 0.5, 0.7, 0.8].flatMap((broken) =>
    [0.01, 0.05, 0.1, 0.2].flatMap((error) => [20, 40, Infinity].map((max) => ({ reliable, broken, error, max }))),
  ),
);

test.each(grid)('reliable $reliable, broken $broken, error $error, at most $max: errors within bounds', (point) => {
  const { max, ...config } = point;
  const bound = config.error / (1 - config.error);
  const atReliable = operatingCharacteristic(config, config.reliable, max);
  const atBroken = operatingCharacteristic(config, config.broken, max);
  expect(atReliable.broken).toBeLessThanOrEqual(bound);
  expect(atBroken.reliable).toBeLessThanOrEqual(bound);
  for (const { reliable, broken, undecided } of [atReliable, atBroken])
    expect(reliable + broken + undecided).toBeCloseTo(1, 9);
  if (max === Infinity) expect(atReliable.undecided + atBroken.undecided).toBeLessThan(1e-12);
});

test('the exact computation agrees with every path counted by hand', () => {
  // At most 3 trials: only FF, FPF and PFF decide broken, and nothing can decide reliable yet.
  const { broken, reliable, undecided, meanTrials } = operatingCharacteristic(defaultTest, 0.6, 3);
  expect(reliable).toBe(0);
  expect(broken).toBeCloseTo(0.16 + 2 * 0.4 * 0.6 * 0.4, 12);
  expect(undecided).toBeCloseTo(1 - broken, 12);
  expect(meanTrials).toBeCloseTo(3 - 0.16, 12);
});
