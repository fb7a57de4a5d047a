import { describe, expect, test } from 'vitest';
import { aFinding, aModel, anEntry, aTicket } from '../../../test/support/build.js';
import type { Expected } from '../../baseline/entries.js';
import type { Finding } from '../../decide/course.js';
import type { SharedFailure } from '../../decide/shared-failure.js';
import type { Ticket } from '../../plan/ticket.js';
import { knownAfter, learnedFrom } from './known-after.js';
import { standingsWithShared } from './run-standings.js';

const crashed = { class: 'malformed_response', reason: 'server_error' } as const;
const once: Expected = { kind: 'pass', threshold: null, trials: 1 };

/** Eighty cells of twenty capabilities, in turns. */
const cellsOf = (expected: Expected, count = 80, model = aModel()): readonly Ticket[] =>
  Array.from({ length: count }, (_, index) => {
    const ticket = aTicket({ path: `suite/cell-${index}`, expected, model });
    return { ...ticket, cell: { ...ticket.cell, capability: `capability-${index % 20}` } };
  });

/** One first trial, which failed like this; null: it passed. A failed one was followed by five that passed. */
function found(failure: Pick<Finding, 'class' | 'reason'> | null): Finding {
  if (failure === null) return { ...aFinding(1, 0), first: { total: 1, failed: [] } };
  const { class: outcome, reason } = failure;
  return {
    ...aFinding(5, 1, { surprise: 'cleared', failure: { class: outcome, reason } }),
    first: { total: 1, failed: [{ class: outcome, reason, count: 1 }] },
  };
}

type Shown = (index: number) => Pick<Finding, 'class' | 'reason'> | null;
const every =
  (step: number): Shown =>
  (index) =>
    index % step === 1 ? crashed : null;

function night(tickets: readonly Ticket[], shown: Shown, before?: ReadonlyMap<string, readonly SharedFailure[]>) {
  const findings = new Map(tickets.map(({ cell }, index) => [cell.key, found(shown(index))]));
  const previous = {
    ...{ shown: new Map(), confirmed: new Set<string>(), drops: new Map(), learned: new Map() },
    ...(before && { shared: before }),
  };
  const { standings, shared } = standingsWithShared(tickets, findings, tickets.length, previous);
  const alarms = [...standings].filter(([, { standing, unsettled }]) => standing === 'regression' && !unsettled);
  return { alarms: alarms.length, standings, shared, found: [...shared.values()].flat() };
}

describe('failures that many cells of a model show, each of which is known from a single trial', () => {
  test('are an alarm where chance explains so many of them no more, in the cells that show them', () => {
    const { alarms, found: all, standings } = night(cellsOf(once), every(7));
    expect(all).toMatchObject([{ ...crashed, runs: 1, failed: 12, total: 80, before: { failed: 0, total: 80 } }]);
    expect(alarms).toBe(12);
    expect([...standings.values()][1]).toMatchObject({ standing: 'regression', unsettled: false, shared: crashed });
    expect([...standings.values()][0]).toMatchObject({ standing: 'as_expected' });
  });

  test('are none where as many cells failed like that when they were accepted', () => {
    const flaky = (of: typeof crashed): Expected => ({
      ...anEntry({ verdict: 'flaky', ...of, passed: 15, total: 20 }),
      trials: 20,
    });
    const known = [...cellsOf(once), ...cellsOf(flaky(crashed), 92).slice(80)];
    expect(night(known, (index) => (index < 80 ? every(7)(index) : null))).toMatchObject({ alarms: 0, found: [] });
  });

  test('are in doubt where chance might explain them, until the next run shows them as well', () => {
    const first = night(cellsOf(once), every(16));
    expect(first.found).toMatchObject([{ failed: 5, alarm: false }]);
    expect(first.alarms).toBe(0);
    const others: Shown = (index) => every(5)(index + 4);
    const second = night(cellsOf(once), others, first.shared);
    expect(second.found).toMatchObject([{ runs: 2, failed: 21, total: 160, alarm: true }]);
    expect(second.alarms).toBe(16);
    expect(night(cellsOf(once), every(40), first.shared).alarms).toBe(0);
  });

  test('go on being an alarm as long as they are seen', () => {
    const first = night(cellsOf(once), every(7));
    expect(night(cellsOf(once), every(20), first.shared)).toMatchObject({ alarms: 4, found: [{ runs: 2 }] });
    expect(night(cellsOf(once), every(100), first.shared)).toMatchObject({ alarms: 0, found: [] });
  });

  test('are not added up with failures of another kind', () => {
    const mixed: Shown = (index) => (index % 14 === 1 ? { class: 'not_json', reason: null } : every(7)(index));
    expect(night(cellsOf(once), mixed).alarms).toBe(0);
  });

  test('are no matter of the model where one capability shows them all', () => {
    const one: Shown = (index) => (index % 20 < 3 && index % 20 > 1 ? crashed : null);
    expect(night(cellsOf(once, 240), one).alarms).toBe(0);
  });

  test('wait for the next run where a bad hour may have spoilt the cells', () => {
    const hour: Shown = (index) => (index >= 20 && index < 30 ? crashed : null);
    const first = night(cellsOf(once), hour);
    expect(first.found).toMatchObject([{ failed: 10, alarm: false }]);
    expect(first.alarms).toBe(0);
    // The next night may have one as well: elsewhere, the model is as ever.
    const second = night(cellsOf(once), hour, first.shared);
    expect(second.alarms).toBe(0);
    // A third one that spoils the same cells is none.
    expect(night(cellsOf(once), hour, second.shared)).toMatchObject({ alarms: 10, found: [{ runs: 3, alarm: true }] });
    const elsewhere: Shown = (index) => (index >= 60 && index < 70 ? crashed : null);
    expect(night(cellsOf(once), elsewhere, second.shared)).toMatchObject({ alarms: 0, found: [{ runs: 3 }] });
  });

  test('are an alarm in a single capability, or in cells that are asked one after the other, once they have lasted for three runs', () => {
    const tickets = cellsOf({ kind: 'pass', threshold: null, trials: 3 }, 34);
    const shown: Shown = (index) => (index >= 10 && index < 13 ? { class: 'not_json', reason: null } : null);
    const first = night(tickets, shown);
    expect(first.found).toMatchObject([{ failed: 3, total: 34, alarm: false }]);
    const second = night(tickets, shown, first.shared);
    expect(second.found).toMatchObject([{ failed: 6, total: 68, alarm: false }]);
    // One failure alone is no sign that it lasts.
    const one: Shown = (index) => (index === 10 ? shown(10) : null);
    expect(night(tickets, one, second.shared).alarms).toBe(0);
    expect(night(tickets, shown, second.shared)).toMatchObject({ alarms: 3, found: [{ failed: 9, total: 102 }] });
  });

  test('wait for the next run where the model is asked within an hour, and are an alarm then', () => {
    const models = Array.from({ length: 8 }, (_, index) => aModel(`demo/model-${index}`));
    const tickets = models.flatMap((model) => cellsOf(once, 80, model));
    const shown: Shown = (index) => (index < 80 ? every(4)(index) : null);
    const first = night(tickets, shown);
    expect(first).toMatchObject({ alarms: 0, found: [{ alarm: false }] });
    expect(night(tickets, shown, first.shared).alarms).toBe(20);
  });

  test('stay as they were where a run asks too little of the model to show them', () => {
    const all = cellsOf(once);
    const first = night(all, every(16));
    const few = night(all.slice(40, 48), () => null, first.shared);
    expect(few.shared).toEqual(first.shared);
    expect(few.alarms).toBe(0);
    // It is over once as many pass that it would have shown.
    expect(night(all.slice(0, 40), () => null, few.shared).found).toEqual([]);
    const alarmed = night(all, every(7));
    expect(night(all.slice(0, 3), every(3), alarmed.shared)).toMatchObject({
      alarms: 1,
      found: [{ failed: 12, total: 80 }],
    });
  });

  test('are over once a run that asks as much as those before does not show them, however rare they were', () => {
    const tickets = cellsOf(once);
    const doubt = {
      ...{ ...crashed, runs: 4, failed: 6, total: 320, before: { failed: 0, total: 80 }, alarm: false },
      cells: Object.fromEntries(tickets.slice(0, 6).map(({ cell }) => [cell.key, 1])),
    };
    const before = new Map([[tickets[0]!.cell.model.key, [doubt]]]);
    expect(night(tickets, () => null, before).found).toEqual([]);
    expect(night(tickets.slice(0, 20), () => null, before).found).toEqual([doubt]);
  });

  test('say nothing of a cell that is new', () => {
    expect(night(cellsOf({ kind: 'new' }), every(7)).found).toEqual([]);
  });

  test('do not become what is known of the cells as long as they are in doubt', () => {
    const tickets = cellsOf(once);
    const first = night(tickets, every(16));
    const [ticket] = tickets;
    const finding = found(null);
    const stands = first.standings.get(ticket!.cell.key)!;
    expect(stands).toMatchObject({ standing: 'as_expected', held: { passed: 1, total: 1 } });
    const learned = learnedFrom(knownAfter(once, finding, undefined)!, stands);
    expect(learned).toMatchObject({ passed: 1, total: 1, held: { passed: 1, total: 1 } });
    // The doubt is over.
    const after = learnedFrom(knownAfter(once, finding, learned)!, { standing: 'as_expected', unsettled: false });
    expect(after).toMatchObject({ passed: 3, total: 3 });
  });
});
