import { describe, expect, test } from 'vitest';
import { defaultTest, fewestToDecide, sequentialTestState } from './sequential-test.js';

describe('at 0.95 / 0.7 / 0.05', () => {
  test('ten straight passes stop it and nine do not', () => {
    expect(sequentialTestState(defaultTest, 9, 0)).toBe('open');
    expect(sequentialTestState(defaultTest, 10, 0)).toBe('reliable');
  });

  test('two straight failures stop it and one does not', () => {
    expect(sequentialTestState(defaultTest, 0, 1)).toBe('open');
    expect(sequentialTestState(defaultTest, 0, 2)).toBe('broken');
  });

  test('the fewest trials that can decide it are two failures, or the rest of ten passes', () => {
    expect(fewestToDecide(defaultTest, 0, 0)).toBe(2);
    expect(fewestToDecide(defaultTest, 9, 0)).toBe(1);
    expect(fewestToDecide(defaultTest, 10, 0)).toBe(0);
    expect(fewestToDecide(defaultTest, 0, 1)).toBe(1);
  });
});
