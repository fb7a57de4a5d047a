import type { Expected } from '../../../src/baseline/entries.js';
import { knowledgeOf } from '../../../src/baseline/knowledge.js';
import type { Learned } from '../../../src/baseline/learned.js';
import type { Course, Finding } from '../../../src/decide/course.js';
import { findingOf } from '../../../src/decide/finding.js';
import { coursesFor } from '../../../src/decide/courses/courses.js';
import { asExpected, type CellStanding } from '../../../src/matrix/standing/apparent-standing.js';
import { knownAfter } from '../../../src/matrix/standing/known-after.js';
import { sinceAccepted } from '../../../src/matrix/standing/since-accepted.js';
import type { PreviousRun } from '../../../src/journal/previous-run.js';
import { standingsWithShared } from '../../../src/matrix/standing/run-standings.js';
import { alarmsToldNext, learnedToldNext } from '../../../src/matrix/standing/told-to-next-run.js';
import { ticketAfter } from '../../../src/plan/plan-after.js';
import type { Profile, Ticket } from '../../../src/plan/ticket.js';
import { aFailure, failing, passing } from '../../support/build.js';
import { acceptedAs, flip, ticketOf, type SimulatedCell } from './simulated-cell.js';

/** What a night knows of the one before it. */
export type NightBefore = Pick<PreviousRun, 'shown' | 'confirmed' | 'drops' | 'learned' | 'shared'>;

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
  /** Default: `standard`. */
  readonly profile?: Profile;
  readonly random: () => number;
  /** The pass rate of the cell at this index of the plan in a given hour; absent: its usual rate. */
  readonly rateInHour?: (rate: number, index: number) => number;
  /** The share of all answers of a cell's model that fail in a new way; absent: none. */
  readonly spoilt?: (cell: SimulatedCell) => number;
  /** null: not remembered. */
  readonly before?: NightBefore | null;
}

/** One run with the courses and standings of a real one, in which each trial is the flip of a coin. */
export function simulateNight(cells: readonly SimulatedCell[], options: NightOptions): Night {
  const { profile = 'standard', random, rateInHour = (rate: number) => rate, before = null } = options;
  const plannedCells = cells.length;
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
    const share = options.spoilt?.(cell) ?? 0;
    if (share > 0) {
      let isSpoilt = false;
      const passes = () => !(isSpoilt = random() < share) && random() < rate;
      const result = flip(courses[ticket.course], ticket, passes, () => (isSpoilt ? spoiltAnswer : failing));
      requests += result.requests;
      found(ticket, result.finding);
      continue;
    }
    const first = firstFlips(ticket, () => random() < rate);
    const concluded = first === null ? null : concludedFrom(first, ticket, courses[ticket.course], plannedCells);
    if (first !== null && concluded !== null) {
      requests += first.length;
      found(ticket, concluded);
      continue;
    }
    const drawn = first?.values();
    const result = flip(courses[ticket.course], ticket, () => drawn?.next().value ?? random() < rate);
    requests += result.requests;
    found(ticket, result.finding);
  }
  const { standings, shared } = standingsWithShared(asked, findings, plannedCells, before);
  // Most cells of most nights are as expected, and nothing is to be said of them.
  const stands = [...standings].flatMap(([key, how]) => (isAsExpected(how) ? [] : { key, ...how }));
  const shown = stands.filter(({ standing }) => standing === 'regression');
  const learned = new Map<string, Learned>();
  for (const ticket of asked) {
    const { key } = ticket.cell;
    const finding = findings.get(key);
    if (finding === undefined) continue;
    const [how, earlier] = [standings.get(key) ?? asExpected, before?.learned.get(key)];
    const known = knownAfter(ticket.expected, finding, earlier);
    const since_accepted = known === null ? sinceAccepted(ticket, finding, how, earlier) : null;
    const next = learnedToldNext({ known, since_accepted }, how);
    if (next !== null) learned.set(key, next);
  }
  return {
    alarms: stands.filter(({ standing, unsettled }) => !unsettled && standing !== 'as_expected').map(({ key }) => key),
    unsettled: stands.filter(({ unsettled }) => unsettled).map(({ key }) => key),
    shown: new Map(shown.map(({ key }) => [key, (before?.shown.get(key) ?? 0) + 1])),
    ...alarmsToldNext(stands),
    learned,
    shared,
    requests,
  };
}

/** HTTP 200 with an error object, say. */
const spoiltAnswer = aFailure({ class: 'malformed_response', reason: 'server_error', status: 200 });

const isAsExpected = ({ standing, unsettled }: CellStanding): boolean => standing === 'as_expected' && !unsettled;

/** The trials that a course of a set number begins with; null: the course has to say what it asks. */
function firstFlips({ course, trials }: Ticket, passes: () => boolean): readonly boolean[] | null {
  return course === 'fixed' && trials.kind === 'count' ? Array.from({ length: trials.count }, passes) : null;
}

/**
 * What the first trials of a cell come to where they leave nothing to ask, as those of most cells of most nights do. A
 * course concludes the same from the same trials, so it is asked once; null: it asks more.
 */
function concludedFrom(
  first: readonly boolean[],
  ticket: Ticket,
  course: Course,
  plannedCells: number,
): Finding | null {
  const isQuiet = ticket.expected.kind === 'pass' && !ticket.dropped && knowledgeOf(ticket.expected) === null;
  if (isQuiet) return first.every(Boolean) ? asEver(first.length) : null;
  // What is learned of a cell changes its ticket; one that is as it was planned comes every night.
  if (ticket.expected.kind !== 'entry' || ticket.dropped || ticket.expected.pooled) return null;
  const known = conclusions.get(ticket.expected) ?? new Map<string, Finding | null>();
  conclusions.set(ticket.expected, known);
  const trials = `${plannedCells} ${ticket.confirm} ${first.join()}`;
  const before = known.get(trials);
  if (before !== undefined) return before;
  const drawn = first.values();
  const { finding, requests } = flip(course, ticket, () => drawn.next().value ?? false);
  const concluded = requests > first.length ? null : finding;
  known.set(trials, concluded);
  return concluded;
}
const conclusions = new WeakMap<Expected, Map<string, Finding | null>>();

const asEver = (trials: number) =>
  (passedAll[trials] ??= {
    ...findingOf(Array.from({ length: trials }, () => passing)),
    first: { total: trials, failed: [] },
  });
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

/** Cells as a team would have accepted them after one run: some of them written down as flaky or failing. */
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
