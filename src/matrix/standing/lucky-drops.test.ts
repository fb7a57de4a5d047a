import { expect, test } from 'vitest';
import { aFinding, anEntry, aTicket } from '../../../test/support/build.js';
import type { Count } from '../../stats/count.js';
import type { Expected } from '../../baseline/entries.js';
import type { Ticket } from '../../plan/ticket.js';
import { standingsOf } from './run-standings.js';

const passes = (trials?: number): Expected => ({ kind: 'pass', threshold: null, ...(trials && { trials }) });
const flaky: Expected = { ...anEntry({ verdict: 'flaky', passed: 7, total: 10 }), trials: 10 };
const named = (count: number, name: string, expected: Expected): Ticket[] =>
  Array.from({ length: count }, (_, index) => aTicket({ path: `suite/${name}-${index}`, expected }));

/** Cells that were accepted from ten passes each, and those that were accepted as flaky. */
const run = (steady: number, wavering: number) => [
  ...named(steady, 'steady', passes(10)),
  ...named(wavering, 'wavering', flaky),
];

interface Told {
  readonly dropped?: Ticket;
  readonly before?: Count;
  readonly nights?: number;
}

/** How a cell stands of which a fresh sample confirmed that it no longer always passes. */
function stands(tickets: readonly Ticket[], now: Count, { dropped = tickets[0]!, before, nights = 0 }: Told = {}) {
  const { key } = dropped.cell;
  const fresh = { suspicion: 'regression', ...now, pValue: null } as const;
  const finding = aFinding(now.passed, now.total - now.passed + 1, { surprise: 'confirmed', fresh });
  const previous = {
    ...{ shown: new Map([[key, nights]]), confirmed: new Set([key]), drops: new Map(before ? [[key, before]] : []) },
  };
  return standingsOf(tickets, new Map([[key, finding]]), tickets.length, previous).get(key);
}

test('a drop that cells like those accepted as flaky would show is no alarm, but shown with its trials', () => {
  expect(stands(run(200, 60), { passed: 40, total: 60 })).toEqual({
    ...{ standing: 'regression', unsettled: true, drop: { passed: 40, total: 60 } },
  });
});

test('the same drop is one where hardly any cell is flaky', () => {
  expect(stands(run(260, 0), { passed: 40, total: 60 })).toMatchObject({ standing: 'regression', unsettled: false });
});

test('and where the cell was accepted from many passes, or from a line that states none', () => {
  for (const trials of [60, undefined]) {
    const tickets = [...named(1, 'known', passes(trials)), ...run(200, 60)];
    expect(stands(tickets, { passed: 40, total: 60 })).toMatchObject({ unsettled: false });
  }
});

test('a cell that no longer passes is an alarm whatever the others are like', () => {
  expect(stands(run(20, 200), { passed: 0, total: 6 })).toEqual({ standing: 'regression', unsettled: false });
});

test('the trials of the runs right before count as well', () => {
  const now = { passed: 34, total: 60 };
  expect(stands(run(200, 60), now)?.unsettled).toBe(true);
  expect(stands(run(200, 60), now, { before: { passed: 68, total: 120 } })).toEqual({
    ...{ standing: 'regression', unsettled: false, drop: { passed: 102, total: 180 } },
  });
});

test('a cell that has passed ever since it was accepted was not lucky; one that failed now and then may have been', () => {
  const now = { passed: 34, total: 60 };
  const since = (passed: number, total: number): Ticket =>
    aTicket({ path: 'suite/since', expected: { ...passes(10), pooled: { passed, total } } as Expected });
  const standsAfter = (passed: number, total: number) =>
    stands([since(passed, total), ...run(200, 60)], now)?.unsettled;
  expect(standsAfter(10, 10)).toBe(true);
  expect(standsAfter(40, 40)).toBe(false);
  expect(standsAfter(33, 40)).toBe(true);
});

test('the more nights the trials are added up over, the clearer they have to be', () => {
  const [now, before] = [
    { passed: 34, total: 60 },
    { passed: 68, total: 120 },
  ];
  expect(stands(run(200, 60), now, { before, nights: 0 })?.unsettled).toBe(false);
  expect(stands(run(200, 60), now, { before, nights: 40 })?.unsettled).toBe(true);
});
