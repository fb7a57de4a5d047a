import { describe, expect, test } from 'vitest';
import { nightsUntilFound, unchangedNights } from './nights/nights.js';

/** Larger numbers: `npm run worlds -- nights`. */
describe('nights without a change', () => {
  test('are never red where the cells hold, and hardly ask more than one trial', () => {
    const found = unchangedNights({ kind: 'sound', cells: 60, accepted: 'standard', worlds: 4, nights: 30, seed: 0 });
    expect(found).toMatchObject({ wrong: 0, right: 0, unreliable: 0 });
    expect(found.requests / found.nights / 60).toBeLessThan(1.75);
  });

  test.each(['standard', 'certify'] as const)(
    'hardly ever are, accepted by %s, where they pass at times',
    (accepted) => {
      const found = unchangedNights({ kind: 'mixed', cells: 60, accepted, worlds: 3, nights: 30, seed: 0 });
      expect(found.wrong).toBeLessThanOrEqual(1);
      expect(found.unreliableWrongly).toBe(0);
      expect(found.unreliable > 0).toBe(accepted === 'standard');
      expect(found.requests / found.nights / 60).toBeLessThan(3.2);
    },
  );

  test('hardly ever are where three in ten answers of each tenth night are spoiled', () => {
    const options = { kind: 'sound', cells: 60, accepted: 'standard', worlds: 4, nights: 30, seed: 0 } as const;
    expect(unchangedNights({ ...options, spoiled: 0.3 }).wrong).toBeLessThanOrEqual(2);
  });
});

describe('a change of one cell', () => {
  const attempts = 60;

  test.each([
    { cells: 60, known: 1, nightsBefore: 0, asked: 20 },
    { cells: 60, known: 10, nightsBefore: 5, asked: 10 },
    { cells: 720, known: 1, nightsBefore: 0, asked: 27 },
    { cells: 720, known: 10, nightsBefore: 5, asked: 10 },
  ])('that stops passing is found the same night, with $asked requests: $cells cells, known from $known', (one) => {
    const { within, requests } = nightsUntilFound({ ...one, from: 1, to: 0, attempts: 10, seed: 0 });
    expect(within[0]).toBe(1);
    expect(requests).toBe(one.asked);
  });

  test('that never passed and always passes now is found the same night', () =>
    expect(
      nightsUntilFound({ cells: 60, from: 0, to: 1, known: 2, nightsBefore: 5, attempts: 10, seed: 0 }).within[0],
    ).toBe(1));

  test.each([
    { known: 1, nightsBefore: 20 },
    { known: 10, nightsBefore: 5 },
    { known: 40, nightsBefore: 5 },
  ])('that falls to 0.6 is found within a week: known from $known', (one) => {
    const { within } = nightsUntilFound({ ...one, cells: 60, from: 0.98, to: 0.6, attempts, seed: 0 });
    expect(within[0]).toBe(0);
    expect(within[2]).toBeGreaterThanOrEqual(0.55);
    expect(within[4]).toBeGreaterThanOrEqual(0.9);
  });

  test('that passed at times and does so more rarely is found in two weeks', () => {
    const { within } = nightsUntilFound({
      cells: 60,
      from: 0.875,
      to: 0.5,
      known: 40,
      nightsBefore: 20,
      attempts,
      seed: 0,
    });
    expect(within[3]).toBeLessThan(0.45);
    expect(within[5]).toBeGreaterThanOrEqual(0.88);
  });
});
