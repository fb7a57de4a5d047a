import { describe, expect, test } from 'vitest';
import { aFinding, aModel, anEntry, aTicket } from '../../../test/support/build.js';
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

describe('several cells that drop the same night, each as a lucky one would', () => {
  /** Of 60 cells of a model, so many are known to be flaky. */
  const modelOf = (name: string, wavering: number): Ticket[] =>
    Array.from({ length: 60 }, (_, index) =>
      aTicket({
        path: `suite/cell-${index}`,
        model: aModel(`demo/${name}`),
        expected: index < wavering ? flaky : passes(10),
      }),
    );
  const others = Array.from({ length: 11 }, (_, index) => modelOf(`other-${index}`, 20)).flat();
  const fell = { suspicion: 'regression', passed: 37, total: 60, pValue: null } as const;
  const dropped = aFinding(37, 24, { surprise: 'confirmed', fresh: fell });

  function alarms(tickets: readonly Ticket[], fallen: readonly Ticket[]): number {
    const keys = fallen.map(({ cell }) => cell.key);
    const before = { shown: new Map<string, number>(), confirmed: new Set(keys), drops: new Map<string, Count>() };
    const findings = new Map(keys.map((key) => [key, dropped]));
    const standings = standingsOf(tickets, findings, tickets.length, before);
    return keys.filter((key) => standings.get(key)?.unsettled === false).length;
  }
  const last = (count: number, tickets: readonly Ticket[]) => tickets.slice(-count);

  test('are changes where they are of one model, and luck where each is of another', () => {
    const model = modelOf('fallen', 20);
    expect(alarms([...others, ...model], last(1, model))).toBe(0);
    expect(alarms([...others, ...model], last(8, model))).toBe(8);
    const spread = others.filter((_, index) => index % 60 === 59).slice(0, 8);
    expect(alarms([...others, ...model], spread)).toBe(0);
  });

  test('are luck in a model of which most cells are known to be flaky', () => {
    const model = modelOf('flaky', 50);
    expect(alarms([...others, ...model], last(3, model))).toBe(0);
  });
});
