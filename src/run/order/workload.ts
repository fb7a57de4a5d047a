import { courseCost } from '../../decide/courses/courses.js';
import type { CourseName, Ticket } from '../../plan/ticket.js';
import { notePaths, type Path } from './paths.js';
import type { Progress } from './timetable.js';

/** What is probably left to ask of a model. */
export interface Workload {
  plan(tickets: readonly Ticket[]): void;
  /** A batch of trials of this cell is about to be asked. */
  begins(cell: string, trials: number): void;
  /**
   * A request was answered or is not sent.
   * @param cell null: nothing that was expected
   * @param milliseconds null: it has no answer
   */
  asked(cell: string | null, milliseconds: number | null): void;
  /** A trial of the cell failed: it takes more of them than one that only passes. */
  doubted(cell: string): void;
  concluded(cell: string): void;
  /** Requests that have to follow one another, from the first of this cell to the end of all that needs it. */
  pathFrom(cell: string): number;
  /** Milliseconds until all is asked, with so many requests in flight all the time. */
  left(room: number): number;
  /** A request has begun: it has a slot. */
  began(): void;
  /** It is over, or was not sent. */
  ended(): void;
  /** Requests that have begun and are not over. */
  underWay(): number;
  progress(): Progress;
}

interface CellWork extends Path {
  /** Requests of a trial, one after the other. */
  readonly steps: number;
  /** Requests. */
  left: number;
  begun: boolean;
  /** It asks for more trials when the evidence is not enough. */
  readonly inBatches: boolean;
  over: boolean;
}

/** How many of a course's trials are expected to follow one another; the others are asked together. */
const inARow: Readonly<Record<CourseName, (expected: number) => number>> = {
  fixed: () => 1,
  sequential: () => 1,
  find: (expected) => expected,
  enforce: (expected) => Math.min(expected, 3),
};
/** Batches that are expected of a cell that takes more trials than were expected: it is seldom decided by the next one. */
const furtherBatches = 3;

export function createWorkload(): Workload {
  const cells = new Map<string, CellWork>();
  const answered = { requests: 0, milliseconds: 0 };
  let requests = 0;
  let begun = 0;
  let underWay = 0;
  let longestFirst: CellWork[] = [];
  /** All before this one are over. */
  let first = 0;

  const setLeft = (work: CellWork, left: number): void => {
    requests += left - work.left;
    work.left = left;
  };
  const each = (): number => (answered.requests === 0 ? 1 : answered.milliseconds / answered.requests);
  const longestPath = (): number => {
    while (longestFirst[first]?.over === true) first += 1;
    const longest = longestFirst[first];
    return longest === undefined ? 0 : lengthOf(longest);
  };

  return {
    plan(tickets) {
      for (const ticket of tickets) {
        const { key, unmeetable, probe } = ticket.cell;
        if (unmeetable !== null || cells.has(key)) continue;
        const steps = Math.max(1, probe.steps.filter(({ kind }) => kind === 'ask').length);
        const { expected } = courseCost(ticket);
        const row = steps * inARow[ticket.course](expected);
        const work = {
          steps,
          row,
          after: 0,
          left: 0,
          begun: false,
          inBatches: ticket.course === 'sequential',
          over: false,
        };
        cells.set(key, work);
        setLeft(work, steps * expected);
      }
      notePaths(tickets, cells);
      longestFirst = [...cells.values()].sort((a, b) => lengthOf(b) - lengthOf(a));
      first = 0;
    },
    begins(cell, trials) {
      const work = cells.get(cell);
      if (work === undefined) return;
      const batch = trials * work.steps;
      if (work.begun && batch > work.left) work.row = furtherBatches * work.steps;
      work.begun = true;
      setLeft(work, Math.max(work.left, batch));
    },
    asked(cell, milliseconds) {
      if (milliseconds !== null) {
        answered.requests += 1;
        answered.milliseconds += milliseconds;
      }
      const work = cell === null ? undefined : cells.get(cell);
      if (work !== undefined && work.left > 0) setLeft(work, work.left - 1);
    },
    doubted(cell) {
      const work = cells.get(cell);
      if (work?.inBatches === true) work.row = Math.max(work.row, furtherBatches * work.steps);
    },
    concluded(cell) {
      const work = cells.get(cell);
      if (work === undefined) return;
      setLeft(work, 0);
      work.over = true;
    },
    pathFrom(cell) {
      const work = cells.get(cell);
      return work === undefined ? 1 : lengthOf(work);
    },
    left: (room) => each() * Math.max(requests / room, longestPath()),
    began() {
      begun += 1;
      underWay += 1;
    },
    ended() {
      underWay -= 1;
    },
    underWay: () => underWay,
    // What is under way is expected until it is answered.
    progress: () => ({ begun, left: Math.max(0, requests - underWay), each: each() }),
  };
}

const lengthOf = ({ row, after }: Path): number => row + after;
