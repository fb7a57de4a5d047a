import type { CellMemory } from '../../../src/baseline/entries.js';
import { nameOfLine } from '../../../src/baseline/expected.js';
import type { Standing } from '../../../src/cell/verdict.js';
import type { Finding } from '../../../src/decide/course.js';
import { coursesFor } from '../../../src/decide/courses/courses.js';
import type { PreviousRun } from '../../../src/journal/event.js';
import { standingsOf, type CellStanding } from '../../../src/matrix/standing/standing.js';
import { plannedAfter } from '../../../src/plan/make-plan.js';
import type { RunProfile, PlannedCell } from '../../../src/plan/plan.js';
import { aFailure, failing } from '../../../test/support/build.js';
import { acceptedAs, flip, plannedOf, type SimulatedCell } from './simulated-cell.js';

/** What a night knows of the one before it. */
export type NightBefore = Pick<PreviousRun, 'cells' | 'shared'>;

/** A night that showed nothing. */
export const quietNight: NightBefore = { cells: new Map(), shared: new Map() };

export interface Night extends NightBefore {
  /** Keys of the cells that raise an alarm. */
  readonly alarms: readonly string[];
  /** Keys that are shown without one. */
  readonly unsettled: readonly string[];
  /** Keys of the cells that proved unreliable in this night. */
  readonly unreliable: readonly string[];
  readonly requests: number;
}

export interface NightOptions {
  /** Default: `standard`. */
  readonly profile?: RunProfile;
  readonly random: () => number;
  /** The pass rate of the cell at this index of the plan in a given hour; absent: its usual rate. */
  readonly rateInHour?: (rate: number, index: number) => number;
  /** The share of all answers of a cell's model that fail in a new way; absent: none. */
  readonly spoilt?: (cell: SimulatedCell) => number;
  /** null: not remembered. */
  readonly before?: NightBefore | null;
  /** Of the whole run; default: as many as there are. */
  readonly plannedCells?: number;
}

/** One run with the courses and standings of a real one, in which each trial is the flip of a coin. */
export function simulateNight(cells: readonly SimulatedCell[], options: NightOptions): Night {
  const { profile = 'standard', random, rateInHour = (rate: number) => rate, before = null } = options;
  const { plannedCells = cells.length } = options;
  const courses = coursesFor({ plannedCells });
  const findings = new Map<string, Finding>();
  const asked: PlannedCell[] = [];
  const found = (planned: PlannedCell, finding: Finding) => {
    asked.push(planned);
    findings.set(planned.cell.key, finding);
  };
  let requests = 0;
  for (const [index, cell] of cells.entries()) {
    const planned = plannedAfter(
      plannedByProfile[profile].get(cell) ?? remembered(cell, profile),
      before ?? quietNight,
    );
    const rate = rateInHour(cell.rate, index);
    const share = options.spoilt?.(cell) ?? 0;
    let isSpoilt = false;
    const passes = () => !(isSpoilt = share > 0 && random() < share) && random() < rate;
    const result = flip(courses[planned.course], planned, passes, () => (isSpoilt ? spoiltAnswer : failing));
    requests += result.requests;
    found(planned, result.finding);
  }
  const { standings, shared } = standingsOf({ cells: asked }, findings, before);
  const stands = [...standings].map(([key, how]) => ({ key, ...how }));
  return {
    alarms: stands.filter(({ standing, unsettled }) => !unsettled && isAlarm(standing)).map(({ key }) => key),
    unsettled: stands.filter(({ unsettled }) => unsettled).map(({ key }) => key),
    unreliable: [...findings].filter(([, { doubtOutcome }]) => doubtOutcome === 'unreliable').map(([key]) => key),
    cells: new Map(
      asked.flatMap(({ cell, expected }) =>
        memoryOf(cell.key, expected, findings.get(cell.key), standings.get(cell.key)),
      ),
    ),
    shared,
    requests,
  };
}

const isAlarm = (standing: Standing): boolean => standing !== 'as_expected' && standing !== 'unreliable';

function memoryOf(
  key: string,
  expected: PlannedCell['expected'],
  finding: Finding | undefined,
  stands: CellStanding | undefined,
): [string, CellMemory][] {
  const law = finding?.law ?? null;
  if (law === null || expected.kind === 'new') return [];
  const { known, doubt, alarmed, unreliable } = law;
  const isOfAlarm = doubt.length > 0 && (stands?.same_cause_as !== undefined || stands?.shared !== undefined);
  const memory = {
    since: nameOfLine(expected),
    known,
    doubt,
    ...((alarmed === true || isOfAlarm) && { alarmed: true as const }),
    ...(unreliable === true && { unreliable }),
  };
  return [[key, memory]];
}

/** HTTP 200 with an error object, say. */
const spoiltAnswer = aFailure({ class: 'malformed_response', reason: 'server_error', status: 200 });

/** Cached, because every night uses the same planned cells. */
const plannedByProfile = { smoke: newCells(), standard: newCells(), certify: newCells() };

function newCells(): WeakMap<SimulatedCell, PlannedCell> {
  return new WeakMap();
}

function remembered(cell: SimulatedCell, profile: RunProfile): PlannedCell {
  const planned = plannedOf(cell, profile);
  plannedByProfile[profile].set(cell, planned);
  return planned;
}

/** Cells as a team would have accepted them after one run: some of them written down as flaky or failing. */
export function acceptedAfterOneRun(
  cells: readonly SimulatedCell[],
  profile: RunProfile,
  random: () => number,
): readonly SimulatedCell[] {
  const courses = coursesFor({ plannedCells: cells.length });
  return cells.map((cell) => {
    const planned = plannedOf({ ...cell, expected: { kind: 'new' } }, profile);
    const { finding } = flip(courses[planned.course], planned, () => random() < cell.rate);
    return { ...cell, expected: acceptedAs(cell.key, finding) };
  });
}
