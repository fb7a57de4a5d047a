import { describe, expect, test } from 'vitest';
import { type CellOfRun, type Drop, waitingDrops } from './bad-hour.js';

const none: ReadonlySet<string> = new Set();
const inPart: Drop = { inPart: true, fresh: { passed: 10, total: 19 }, usual: null };
const inWhole: Drop = { inPart: false, fresh: { passed: 0, total: 6 }, usual: null };

/** A run of so many cells in which each 40th failed once; `changes` by the number of the cell. */
function aRun(size: number, changes: Readonly<Record<number, Partial<CellOfRun>>> = {}): CellOfRun[] {
  return Array.from({ length: size }, (_, at): CellOfRun => {
    const first = { passed: at % 40 === 20 ? 0 : 1, total: 1 };
    return { key: `c${at}`, target: 't', first, drop: null, ...changes[at] };
  });
}
const dropping = (drop: Drop, ...at: readonly number[]) =>
  Object.fromEntries(at.map((index) => [index, { first: { passed: 0, total: 1 }, drop }]));
/** Cells of one hour that fail so often without being drops. */
const failing = (share: number, from: number, to: number) =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, index) => [
      from + index,
      { first: { passed: Math.round(10 * (1 - share)), total: 10 } },
    ]),
  );

describe('a partial drop', () => {
  test('on its own in a large run raises an alarm at once', () => {
    for (const size of [720, 4440, 17_000]) expect(waitingDrops(aRun(size, dropping(inPart, 300)), none)).toEqual(none);
  });
  test('on its own in a small run waits, since too few cells were asked in the same hour', () =>
    expect(waitingDrops(aRun(60, dropping(inPart, 30)), none)).toEqual(new Set(['c30'])));
  test('on its own in an hour in which others failed more often than elsewhere waits', () => {
    const hour = failing(0.3, 280, 320);
    expect(waitingDrops(aRun(720, { ...hour, ...dropping(inPart, 300) }), none)).toEqual(new Set(['c300']));
    expect(waitingDrops(aRun(720, { ...hour, ...dropping(inPart, 600) }), none)).toEqual(none);
  });
  test('together with another of the same service waits', () =>
    expect(waitingDrops(aRun(17_000, dropping(inPart, 3, 9000)), none)).toEqual(new Set(['c3', 'c9000'])));
  test('and another of another service do not wait for each other', () => {
    const [one, other] = [aRun(720, dropping(inPart, 300)), aRun(720, dropping(inPart, 300))];
    const cells = [...one, ...other.map((cell) => ({ ...cell, key: `other ${cell.key}`, target: 'other' }))];
    expect(waitingDrops(cells, none)).toEqual(none);
  });
  test('that the run before saw as well raises an alarm, however many others drop', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => 200 + at);
    const waiting = waitingDrops(aRun(720, dropping(inPart, ...hundred)), new Set(['c203']));
    expect(waiting.size).toBe(99);
    expect(waiting).not.toContain('c203');
  });
  test('does not wait because of those that the run before saw', () =>
    expect(waitingDrops(aRun(720, dropping(inPart, 3, 300)), new Set(['c3']))).toEqual(none));
  test('of a cell that is known to be flaky is measured by what is known of it', () => {
    const flaky = { ...inPart, usual: 0.6 };
    // Half as many passes as usual: even a mild hour would do.
    expect(waitingDrops(aRun(60, dropping(flaky, 30)), none)).toEqual(new Set(['c30']));
    const fallen = { ...inPart, fresh: { passed: 2, total: 20 }, usual: 0.9 };
    expect(waitingDrops(aRun(720, dropping(fallen, 300)), none)).toEqual(none);
  });
});

describe('a cell that no longer passes at all', () => {
  test('raises an alarm at once, in a run of any size', () => {
    for (const size of [1, 60, 720, 17_000]) {
      expect(waitingDrops(aRun(size, dropping(inWhole, Math.min(30, size - 1))), none)).toEqual(none);
    }
  });
  test('does not wait because others drop in part, nor make one of them wait', () =>
    expect(waitingDrops(aRun(720, { ...dropping(inWhole, 30), ...dropping(inPart, 300) }), none)).toEqual(none));
  test('does not wait in an hour that spoils one answer in five', () =>
    expect(waitingDrops(aRun(720, { ...failing(0.2, 280, 320), ...dropping(inWhole, 300) }), none)).toEqual(none));
  test('waits in an hour that spoils half of the answers, in which others would look dead by chance', () =>
    expect(waitingDrops(aRun(720, { ...failing(0.5, 280, 320), ...dropping(inWhole, 300) }), none)).toEqual(
      new Set(['c300']),
    ));
  test('is no sign of a bad hour for the others: a whole model that is down raises its alarms', () => {
    const model = Array.from({ length: 60 }, (_, at) => 240 + at);
    expect(waitingDrops(aRun(720, dropping(inWhole, ...model)), none)).toEqual(none);
  });
});
