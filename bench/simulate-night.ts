import { benjaminiHochberg } from '../src/stats/benjamini-hochberg.js';
import { discoveryRate } from '../src/decide/false-alarms.js';
import type { Finding } from '../src/decide/course.js';
import { coursesFor } from '../src/decide/courses/courses.js';
import { withoutBadHour, type ShownBefore } from '../src/decide/bad-hour.js';
import type { Profile, Ticket } from '../src/plan/ticket.js';
import { acceptedAs, flip, ticketOf, type SimulatedCell } from './simulated-cell.js';

export interface Night {
  /** Keys of the cells that raise an alarm. */
  readonly alarms: readonly string[];
  /** Keys that are shown without one. */
  readonly unsettled: readonly string[];
  /** For the next night. */
  readonly shown: ShownBefore;
  readonly requests: number;
}

export interface NightOptions {
  readonly profile: Profile;
  readonly random: () => number;
  /** The pass rate of the cell at this index of the plan in a given hour; absent: its usual rate. */
  readonly rateInHour?: (rate: number, index: number) => number;
  /** null: not remembered. */
  readonly shownBefore?: ShownBefore | null;
  /** Of the whole run, where only some of its cells are simulated. */
  readonly plannedCells?: number;
}

/** One run with the courses of a real one, in which each trial is the flip of a coin. */
export function simulateNight(cells: readonly SimulatedCell[], options: NightOptions): Night {
  const {
    profile,
    random,
    rateInHour = (rate: number) => rate,
    shownBefore = null,
    plannedCells = cells.length,
  } = options;
  const courses = coursesFor({ plannedCells });
  const findings = new Map<string, Finding>();
  let requests = 0;
  for (const [index, cell] of cells.entries()) {
    const ticket = tickets[profile].get(cell) ?? remembered(cell, profile);
    const rate = rateInHour(cell.rate, index);
    const result = flip(courses[ticket.course], ticket, () => random() < rate);
    // A finding that was never in doubt needs no comparison with the others.
    if (result.finding.surprise !== null) findings.set(cell.key, result.finding);
    requests += result.requests;
  }
  const judged = [...withoutBadHour(withRateChanges(findings), shownBefore)];
  const keysOf = (surprise: Finding['surprise']) =>
    judged.filter(([, finding]) => finding.surprise === surprise).map(([key]) => key);
  const shown = new Map(
    judged
      .filter(([, { surprise, fresh }]) => fresh?.suspicion === 'regression' && surprise !== 'cleared')
      .map(([key]) => [key, (shownBefore?.get(key) ?? 0) + 1]),
  );
  return { alarms: keysOf('confirmed'), unsettled: keysOf('unsettled'), shown, requests };
}

/** Cached, because every night uses the same tickets. */
const tickets = { smoke: newTickets(), standard: newTickets(), certify: newTickets() };

function newTickets(): WeakMap<SimulatedCell, Ticket> {
  return new WeakMap();
}

function remembered(cell: SimulatedCell, profile: Profile): Ticket {
  const ticket = ticketOf(cell, profile);
  tickets[profile].set(cell, ticket);
  return ticket;
}

/** A flaky cell has changed only if its p-value is significant among those of the whole run. */
function withRateChanges(findings: ReadonlyMap<string, Finding>): ReadonlyMap<string, Finding> {
  const tested = [...findings].filter(([, finding]) => typeof finding.fresh?.pValue === 'number');
  const stands = benjaminiHochberg(
    tested.map(([, finding]) => finding.fresh?.pValue ?? 1),
    discoveryRate,
  );
  const cleared = new Set(tested.filter((_, index) => stands[index] !== true).map(([key]) => key));
  return new Map(
    [...findings].map(([key, finding]) => [key, cleared.has(key) ? { ...finding, surprise: 'cleared' } : finding]),
  );
}

/** The cells of a service with 12 models and 60 cells each, flake rates 0 to 5 %, half of the probes asked twice. */
export function ordinaryCells(models = 12, perModel = 60): readonly SimulatedCell[] {
  return Array.from({ length: models * perModel }, (_, index) => ({
    key: `nights/cell-${index % perModel}@simulated/model-${Math.floor(index / perModel)}`,
    rate: 1 - (index % 6) / 100,
    expected: { kind: 'pass', threshold: null },
    trials: 1 + (Math.floor(index / 6) % 2),
  }));
}

/** The same cells as a team would have accepted them after one `certify` run: some of them written down as flaky. */
export function acceptedAfterOneRun(cells: readonly SimulatedCell[], random: () => number): readonly SimulatedCell[] {
  const courses = coursesFor({ plannedCells: cells.length });
  return cells.map((cell) => {
    const ticket = ticketOf({ ...cell, expected: { kind: 'new' } }, 'certify');
    const { finding } = flip(courses[ticket.course], ticket, () => random() < cell.rate);
    return { ...cell, expected: acceptedAs(cell.key, finding) };
  });
}
