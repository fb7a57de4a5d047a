import { expect, test } from 'vitest';
import { aFinding, anEntry, aTicket } from '../../../test/support/build.js';
import type { Count } from '../../stats/count.js';
import type { Expected } from '../../baseline/entries.js';
import type { Ticket } from '../../plan/ticket.js';
import { standingsOf } from './run-standings.js';

const knownAs = (passed: number, total: number): Expected => ({
  ...anEntry({ verdict: 'flaky', passed, total }),
  trials: total,
});
const named = (count: number, name: string, expected: Expected): Ticket[] =>
  Array.from({ length: count }, (_, index) => aTicket({ path: `suite/${name}-${index}`, expected }));

/** A cell with these counts, among steady ones and others that pass in 17 of 20 trials. */
const run = (counts: Expected, wavering: number) => [
  ...named(1, 'cell', counts),
  ...named(100, 'steady', { kind: 'pass', threshold: null, trials: 10 }),
  ...named(wavering, 'wavering', knownAs(17, 20)),
];

/** How the first cell stands, of which a fresh sample of so many trials passed without exception. */
function stands(tickets: readonly Ticket[], row: number, before?: Count) {
  const { key } = tickets[0]!.cell;
  const fresh = { suspicion: 'improvement', passed: row, total: row, pValue: null } as const;
  const finding = aFinding(row + 1, 0, { surprise: 'confirmed', fresh });
  const previous = { shown: new Map(), confirmed: new Set<string>(), drops: new Map(before ? [[key, before]] : []) };
  return standingsOf(tickets, new Map([[key, finding]]), tickets.length, previous).get(key);
}

test('a row of passes that cells like those known to fail seldom would show is no alarm, but shown with its length', () => {
  expect(stands(run(knownAs(5, 9), 60), 34)).toEqual({
    ...{ standing: 'improvement', unsettled: true, passes_in_a_row: 34 },
  });
});

test('the same row is one where no cell fails seldom', () => {
  expect(stands(run(knownAs(5, 9), 0), 34)).toMatchObject({ standing: 'improvement', unsettled: false });
});

test('and of a cell that failed too often for that', () => {
  expect(stands(run(knownAs(4, 20), 60), 34)).toMatchObject({ standing: 'improvement', unsettled: false });
});

test('the row goes on over consecutive runs', () => {
  expect(stands(run(knownAs(5, 9), 60), 34, { passed: 60, total: 60 })).toEqual({
    ...{ standing: 'improvement', unsettled: false, passes_in_a_row: 94 },
  });
});

test('a cell that never passed needs no such comparison', () => {
  const never: Expected = { ...anEntry({ verdict: 'fail', passed: 0, total: 12 }), trials: 12 };
  expect(stands(run(never, 60), 16)).toEqual({ standing: 'improvement', unsettled: false });
});
