import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timetableOf } from './timetable.js';

const unasked = (left: number, each: number) => ({ begun: 0, left, each });

describe('the timetable of a minute', () => {
  test('has nothing to say when no further minute is needed', () => {
    expect(timetableOf([unasked(60, 1), unasked(40, 1)], 100)).toBeNull();
    expect(timetableOf([unasked(60, 1), unasked(41, 1)], 100)).not.toBeNull();
    // 41 of 141 are in the last minute.
    expect(timetableOf([{ begun: 100, left: 41, each: 1 }], 100)).toBeNull();
  });

  test('opens each minute with as many requests as are left for the last one, and fills it with the rest', () => {
    // 250: each minute of 100 opens with 50.
    const isOpening = (begun: number) => timetableOf([{ begun, left: 250 - begun, each: 1 }], 100)?.isOpening;
    expect([0, 49, 50, 99, 100, 149, 150, 199, 200].map(isOpening)).toEqual([
      ...[true, true, false, false],
      ...[true, true, false, false],
      undefined,
    ]);
  });

  test('opens with quick models, and gives each rest the same part of the slow ones', () => {
    // Three openings of 50 take the 150 quick requests, and two rests of 50 the slow ones.
    const quick = unasked(150, 100);
    const slow = unasked(100, 1000);
    const due = (models: Parameters<typeof timetableOf>[0]) => timetableOf(models, 100)?.due.map(Math.round);
    expect(due([slow, quick])).toEqual([0, 43]);
    expect(due([slow, { ...quick, begun: 50, left: 100 }])).toEqual([50, -7]);
    expect(
      due([
        { ...slow, begun: 50, left: 50 },
        { ...quick, begun: 50, left: 100 },
      ]),
    ).toEqual([0, 46]);
  });

  test('gives every model of equal speed the same part of a minute', () => {
    const due = timetableOf([unasked(30, 5), unasked(60, 5), unasked(90, 5)], 60)?.due ?? [];
    const [least = NaN] = due;
    expect(due.map((requests) => requests / least)).toEqual([1, 2, 3].map((times) => expect.closeTo(times) as number));
  });

  test('has as much due as a part of the minute takes, and never more of a model than it has', () => {
    const model = fc.record({
      left: fc.integer({ min: 0, max: 300 }),
      each: fc.integer({ min: 1, max: 3000 }),
    });
    fc.assert(
      fc.property(
        fc.array(model, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 200 }),
        (models, most) => {
          const table = timetableOf(
            models.map((one) => ({ ...one, begun: 0 })),
            most,
          );
          if (table === null) return;
          const all = models.reduce((total, { left }) => total + left, 0);
          const opening = all - (Math.ceil(all / most) - 1) * most;
          const due = table.due.reduce((total, requests) => total + requests, 0);
          // The first opening gets less, since it also has the opening controls.
          expect(due).toBeLessThanOrEqual(opening + 1e-6);
          expect(due).toBeGreaterThan(0.7 * opening);
          for (const [index, requests] of table.due.entries()) {
            expect(requests).toBeLessThanOrEqual((models[index]?.left ?? 0) + 1e-6);
          }
        },
      ),
    );
  });
});
