import { describe, expect, test } from 'vitest';
import type { AcceptedCell } from './accepted-run.js';
import { acceptedCovers } from './accepted-covers.js';
import type { Cover } from './entries.js';

const cell = (key: string, total: number, more: Partial<AcceptedCell> = {}): AcceptedCell => ({
  ...{ key, model: key.slice(key.indexOf('@') + 1), verdict: 'pass', class: null, reason: null, status: null },
  ...{ trials: { total, passed: total }, threshold: null, standing: 'new', unsettled: false, ...more },
});
const cover = (cells: string, trials: number | null): Cover => ({ cells, trials });

function accepted(old: readonly Cover[], cells: readonly AcceptedCell[]): readonly Cover[] {
  const after = acceptedCovers(
    old,
    cells,
    () => true,
    () => true,
  );
  return [...new Map([...old.map((one) => [one.cells, one] as const), ...after]).values()];
}

const covers = (old: readonly Cover[], ...cells: readonly AcceptedCell[]) =>
  accepted(old, cells).map(({ cells: pattern, trials }) => `${pattern} ${String(trials)}`);

describe('the lines name a probe and a model', () => {
  test('with the trials of the least known cell', () =>
    expect(covers([], cell('a/p[x=2]@t/m', 3), cell('b/q@t/m', 2), cell('a/p[x=1]@t/m', 1))).toEqual([
      'a/p@t/m 1',
      'b/q@t/m 2',
    ]));

  test('or only the cells that were judged, when others of the probe were not', () => {
    const blocked = cell('a/p[x=2]@t/m', 0, { verdict: 'blocked', standing: null });
    expect(covers([], cell('a/p[x=1]@t/m', 1), blocked)).toEqual(['a/p[x=1]@t/m 1']);
  });

  test('and further points, which not every run asks, have lines of their own', () => {
    const further = (trials: number) => cell('a/p[x=2]@t/m', trials, { asked_for: 'condition' });
    const once = ['a/p@t/m 3', 'a/p[x=2]@t/m 1'];
    expect(covers([], cell('a/p[x=1]@t/m', 3), further(1))).toEqual(once);
    expect(covers([cover('a/p@t/m', 3), cover('a/p[x=2]@t/m', 1)], further(1))).toEqual(once);
    expect(covers([cover('a/p@t/m', 3)], further(1))).toEqual(once);
    const part = cell('a/p[x=2]@t/m', 1, { asked_for: 'composite' });
    expect(covers([], cell('a/p[x=1]@t/m', 3), part)).toEqual(['a/p@t/m 1']);
  });
});

describe('what was learned since', () => {
  const again = (key: string, known: number, more: Partial<AcceptedCell> = {}) =>
    cell(key, 1, { standing: 'as_expected', evidence: { known: [known, known], doubt: [] }, ...more });

  test('raises the number', () =>
    expect(
      covers([cover('a/p@t/m', 1), cover('a/p[x=2]@t/m', 12)], again('a/p[x=1]@t/m', 15), again('a/p[x=2]@t/m', 13)),
    ).toEqual(['a/p@t/m 15', 'a/p[x=2]@t/m 12']));

  test('changes nothing once enough is known', () =>
    expect(covers([cover('a/p@t/m', 10)], again('a/p@t/m', 11))).toEqual(['a/p@t/m 10']));

  test('is counted once, however often the run is accepted', () => {
    const once = accepted([cover('a/p@t/m', 1)], [again('a/p@t/m', 2)]);
    expect(once).toEqual([cover('a/p@t/m', 2)]);
    expect(accepted(once, [again('a/p@t/m', 2)])).toEqual(once);
  });

  test('does not count for a cell in doubt', () =>
    expect(covers([cover('a/p@t/m', 1)], again('a/p@t/m', 7, { verdict: 'flaky', unsettled: true }))).toEqual([
      'a/p@t/m 1',
    ]));

  test('nor for one that passes today and failed in an earlier run', () =>
    expect(covers([cover('a/p@t/m', 1)], again('a/p@t/m', 9, { evidence: { known: [8, 9], doubt: [] } }))).toEqual([
      'a/p@t/m 1',
    ]));
});

describe('patterns that people wrote', () => {
  test('of older files stay, and need no further lines', () =>
    expect(covers([cover('b/*', null), cover('*@t/*', null)], cell('a/p@t/m', 1))).toEqual(['b/* null', '*@t/* null']));

  test('with few trials are left as they are, and better known probes get lines of their own', () =>
    expect(covers([cover('*@t/m', 1)], cell('a/p@t/m', 1), cell('a/q@t/m', 3))).toEqual(['*@t/m 1', 'a/q@t/m 3']));
});
