import { knowledgeOf } from '../src/baseline/knowledge.js';
import type { Learned } from '../src/baseline/learned.js';
import type { Finding } from '../src/decide/course.js';
import { findingOf } from '../src/decide/finding.js';
import { coursesFor } from '../src/decide/courses/courses.js';
import { asExpected } from '../src/matrix/standing/apparent-standing.js';
import { knownAfter } from '../src/matrix/standing/known-after.js';
import { sinceAccepted } from '../src/matrix/standing/since-accepted.js';
import type { PreviousRun } from '../src/journal/previous-run.js';
import { standingsOf } from '../src/matrix/standing/run-standings.js';
import { ticketAfter } from '../src/plan/plan-after.js';
import type { Profile, Ticket } from '../src/plan/ticket.js';
import { passing } from '../test/support/build.js';
import { acceptedAs, flip, ticketOf, type SimulatedCell } from './simulated-cell.js';

/** What a night knows of the one before it. */
export type NightBefore = Pick<PreviousRun, 'shown' | 'confirmed' | 'drops' | 'learned'>;

/** A night that showed nothing. */
export const quietNight: NightBefore = { shown: new Map(), confirmed: new Set(), drops: new Map(), learned: new Map() };

export interface Night extends NightBefore {
  /** Keys of the cells that raise an alarm. */
  readonly alarms: readonly string[];
  /** Keys that are shown without one. */
  readonly unsettled: readonly string[];
  readonly requests: number;
}

export interface NightOptions {
  readonly profile: Profile;
  readonly random: () => number;
  /** The pass rate of the cell at this index of the plan in a given hour; absent: its usual rate. */
  readonly rateInHour?: (rate: number, index: number) => number;
  /** null: not remembered. */
  readonly before?: NightBefore | null;
  /** Of the whole run, where only some of its cells are simulated. */
  readonly plannedCells?: number;
}

/** One run with the courses and standings of a real one, in which each trial is the flip of a coin. */
export function simulateNight(cells: readonly SimulatedCell[], options: NightOptions): Night {
  const { profile, random, rateInHour = (rate: number) => rate, before = null, plannedCells = cells.length } = options;
  const courses = coursesFor({ plannedCells });
  const findings = new Map<string, Finding>();
  const asked: Ticket[] = [];
  const found = (ticket: Ticket, finding: Finding) => {
    asked.push(ticket);
    findings.set(ticket.cell.key, finding);
  };
  let requests = 0;
  for (const [index, cell] of cells.entries()) {
    const ticket = ticketAfter(tickets[profile].get(cell) ?? remembered(cell, profile), before ?? quietNight);
    const rate = rateInHour(cell.rate, index);
    const first = firstFlips(ticket, () => random() < rate);
    if (first !== null && first.every(Boolean)) {
      requests += first.length;
      found(ticket, asEver(first.length));
      continue;
    }
    const drawn = first?.values();
    const result = flip(courses[ticket.course], ticket, () => drawn?.next().value ?? random() < rate);
    requests += result.requests;
    found(ticket, result.finding);
  }
  const standings = standingsOf(asked, findings, plannedCells, before);
  const stands = [...standings].map(([key, how]) => ({ key, ...how }));
  const shown = stands.filter(({ standing }) => standing === 'regression');
  const learnedNow = (ticket: Ticket): Learned | null => {
    const { key } = ticket.cell;
    const finding = findings.get(key);
    if (finding === undefined) return null;
    const since = sinceAccepted(ticket, finding, standings.get(key) ?? asExpected, before?.learned.get(key));
    return knownAfter(ticket.expected, finding) ?? since;
  };
  return {
    alarms: stands.filter(({ standing, unsettled }) => !unsettled && standing !== 'as_expected').map(({ key }) => key),
    unsettled: stands.filter(({ unsettled }) => unsettled).map(({ key }) => key),
    shown: new Map(shown.map(({ key }) => [key, (before?.shown.get(key) ?? 0) + 1])),
    confirmed: new Set(
      shown.filter(({ unsettled, waits, drop }) => !unsettled || waits === true || drop).map(({ key }) => key),
    ),
    drops: new Map(
      stands.flatMap(({ key, drop, passes_in_a_row: row }) => {
        const trials = drop ?? (row === undefined ? undefined : { passed: row, total: row });
        return trials ? [[key, trials] as const] : [];
      }),
    ),
    learned: new Map(
      asked.flatMap((ticket) => {
        const known = learnedNow(ticket);
        return known ? [[ticket.cell.key, known] as const] : [];
      }),
    ),
    requests,
  };
}

/**
 * The trials that any course of a set number begins with. Where all of them pass, as a well-known cell should, there is
 * nothing to decide: most cells of most nights are done without a course. null: the course has to say what it asks.
 */
function firstFlips(
  { course, trials, expected, dropped = false }: Ticket,
  passes: () => boolean,
): readonly boolean[] | null {
  const isPlain = course === 'fixed' && trials.kind === 'count' && expected.kind === 'pass';
  if (!isPlain || dropped || knowledgeOf(expected) !== null) return null;
  return Array.from({ length: trials.count }, passes);
}

const asEver = (trials: number) => (passedAll[trials] ??= findingOf(Array.from({ length: trials }, () => passing)));
const passedAll: Finding[] = [];

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

/** The cells of a service with 12 models and 60 cells each, flake rates 0 to 5 %, half of the probes asked twice. */
export function ordinaryCells(models = 12, perModel = 60): readonly SimulatedCell[] {
  return Array.from({ length: Math.round(models * perModel) }, (_, index) => ({
    key: `nights/cell-${index % perModel}@simulated/model-${Math.floor(index / perModel)}`,
    rate: 1 - (index % 6) / 100,
    expected: { kind: 'pass', threshold: null },
    trials: 1 + (Math.floor(index / 6) % 2),
  }));
}

/** The same for a run of any size. */
export const cellsOfSize = (size: number): readonly SimulatedCell[] => ordinaryCells(size / 60);

/** The same cells as a team would have accepted them after one run: some of them written down as flaky or failing. */
export function acceptedAfterOneRun(
  cells: readonly SimulatedCell[],
  profile: Profile,
  random: () => number,
): readonly SimulatedCell[] {
  const courses = coursesFor({ plannedCells: cells.length });
  return cells.map((cell) => {
    const ticket = ticketOf({ ...cell, expected: { kind: 'new' } }, profile);
    const { finding } = flip(courses[ticket.course], ticket, () => random() < cell.rate);
    return { ...cell, expected: acceptedAs(cell.key, finding) };
  });
}
