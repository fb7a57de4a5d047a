import { knowledgeOf, withLearned } from '../src/baseline/knowledge.js';
import type { Learned } from '../src/baseline/learned.js';
import type { Finding } from '../src/decide/course.js';
import { coursesFor } from '../src/decide/courses/courses.js';
import { withoutBadHour, type ShownBefore } from '../src/decide/bad-hour.js';
import { knownAfter } from '../src/matrix/standing/known-after.js';
import { rateChangesOf } from '../src/matrix/standing/rate-changes.js';
import { standingOf } from '../src/matrix/standing/standing.js';
import type { Profile, Ticket } from '../src/plan/ticket.js';
import { acceptedAs, flip, ticketOf, type SimulatedCell } from './simulated-cell.js';

export interface Night {
  /** Keys of the cells that raise an alarm. */
  readonly alarms: readonly string[];
  /** Keys that are shown without one. */
  readonly unsettled: readonly string[];
  /** For the next night. */
  readonly shown: ShownBefore;
  /** For the next night. */
  readonly learned: ReadonlyMap<string, Learned>;
  readonly requests: number;
}

export interface NightOptions {
  readonly profile: Profile;
  readonly random: () => number;
  /** The pass rate of the cell at this index of the plan in a given hour; absent: its usual rate. */
  readonly rateInHour?: (rate: number, index: number) => number;
  /** null: not remembered. */
  readonly shownBefore?: ShownBefore | null;
  readonly learnedBefore?: ReadonlyMap<string, Learned>;
  /** Of the whole run, where only some of its cells are simulated. */
  readonly plannedCells?: number;
}

/** One run with the courses and standings of a real one, in which each trial is the flip of a coin. */
export function simulateNight(cells: readonly SimulatedCell[], options: NightOptions): Night {
  const {
    profile,
    random,
    rateInHour = (rate: number) => rate,
    shownBefore = null,
    learnedBefore = new Map<string, Learned>(),
    plannedCells = cells.length,
  } = options;
  const courses = coursesFor({ plannedCells });
  const findings = new Map<string, Finding>();
  const asked: Ticket[] = [];
  const learned = new Map<string, Learned>();
  let requests = 0;
  for (const [index, cell] of cells.entries()) {
    const ticket = withKnowledge(tickets[profile].get(cell) ?? remembered(cell, profile), learnedBefore);
    const rate = rateInHour(cell.rate, index);
    const first = firstFlips(ticket, () => random() < rate);
    if (first !== null && first.every(Boolean)) {
      requests += first.length;
      continue;
    }
    const drawn = first?.values();
    const result = flip(courses[ticket.course], ticket, () => drawn?.next().value ?? random() < rate);
    requests += result.requests;
    const known = knownAfter(ticket.expected, result.finding);
    if (known !== null) learned.set(cell.key, known);
    // A finding that passes and was never in doubt needs no comparison with the others.
    if (result.finding.surprise === null && result.finding.verdict === 'pass') continue;
    findings.set(cell.key, result.finding);
    asked.push(ticket);
  }
  const judged = withoutBadHour(findings, shownBefore);
  const rateChanges = rateChangesOf(asked, judged);
  const stands = asked.flatMap((ticket) => {
    const { key } = ticket.cell;
    const finding = judged.get(key);
    return finding ? [{ key, ...standingOf(ticket, finding, plannedCells, rateChanges.get(key) ?? null) }] : [];
  });
  const shown = stands.filter(({ standing }) => standing === 'regression');
  return {
    alarms: stands.filter(({ standing, unsettled }) => !unsettled && standing !== 'as_expected').map(({ key }) => key),
    unsettled: stands.filter(({ unsettled }) => unsettled).map(({ key }) => key),
    shown: new Map(shown.map(({ key }) => [key, (shownBefore?.get(key) ?? 0) + 1])),
    ...{ learned, requests },
  };
}

/**
 * The trials that any course of a set number begins with. Where all of them pass, as a well-known cell should, there is
 * nothing to decide: most cells of most nights are done without a course. null: the course has to say what it asks.
 */
function firstFlips({ course, trials, expected }: Ticket, passes: () => boolean): readonly boolean[] | null {
  const isPlain = course === 'fixed' && trials.kind === 'count' && expected.kind === 'pass';
  if (!isPlain || knowledgeOf(expected) !== null) return null;
  return Array.from({ length: trials.count }, passes);
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

function withKnowledge(ticket: Ticket, learned: ReadonlyMap<string, Learned>): Ticket {
  const since = learned.get(ticket.cell.key);
  return since === undefined ? ticket : { ...ticket, expected: withLearned(ticket.expected, since) };
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
