import { courseCost } from '../decide/courses/courses.js';
import type { Ticket } from '../plan/ticket.js';

/** What is probably left to ask of a model. */
export interface Workload {
  plan(tickets: readonly Ticket[]): void;
  /** A batch of trials of this cell is about to be asked. */
  begins(cell: string, trials: number): void;
  /** A request that was expected of this cell has been answered. */
  asked(cell: string): void;
  answered(ms: number): void;
  concluded(cell: string): void;
  /** Requests that have to follow one another, from the first of this cell to the end of all that need it. */
  pathFrom(cell: string): number;
  /** Milliseconds of all requests that are left. */
  remaining(): number;
}

interface CellWork {
  /** Requests of a trial. */
  readonly steps: number;
  left: number;
  path: number;
}

export function createWorkload(): Workload {
  const cells = new Map<string, CellWork>();
  const answers = { count: 0, ms: 0 };
  let left = 0;
  const setLeft = (work: CellWork | undefined, requests: number): void => {
    if (work === undefined) return;
    left += requests - work.left;
    work.left = requests;
  };
  return {
    plan(tickets) {
      for (const ticket of tickets) {
        const { key, unmeetable, probe } = ticket.cell;
        if (unmeetable !== null || cells.has(key)) continue;
        const steps = Math.max(1, probe.steps.filter(({ kind }) => kind === 'ask').length);
        const { expected } = courseCost(ticket);
        // A threshold is searched one trial after the other; other courses ask theirs together.
        const work = { steps, left: 0, path: steps * (ticket.course === 'find' ? expected : 1) };
        cells.set(key, work);
        setLeft(work, steps * expected);
      }
      addFollowers(tickets, cells);
    },
    begins(cell, trials) {
      const work = cells.get(cell);
      if (work !== undefined) setLeft(work, Math.max(work.left, trials * work.steps));
    },
    asked(cell) {
      const work = cells.get(cell);
      setLeft(work, Math.max(0, (work?.left ?? 0) - 1));
    },
    answered(ms) {
      answers.count += 1;
      answers.ms += ms;
    },
    concluded: (cell) => {
      setLeft(cells.get(cell), 0);
    },
    pathFrom: (cell) => cells.get(cell)?.path ?? 1,
    remaining: () => left * (answers.count === 0 ? 1 : answers.ms / answers.count),
  };
}

/** Adds to the path of each cell the longest of those that need it. */
function addFollowers(tickets: readonly Ticket[], cells: ReadonlyMap<string, CellWork>): void {
  const needing = new Map<string, string[]>();
  for (const { cell } of tickets)
    for (const need of cell.needs) needing.set(need, [...(needing.get(need) ?? []), cell.key]);
  const done = new Set<string>();
  const pathFrom = (key: string): number => {
    const work = cells.get(key);
    if (work === undefined) return 0;
    // A circle of needs ends here, too.
    if (!done.has(key)) {
      done.add(key);
      work.path += (needing.get(key) ?? []).reduce((longest, other) => Math.max(longest, pathFrom(other)), 0);
    }
    return work.path;
  };
  for (const key of needing.keys()) pathFrom(key);
}
