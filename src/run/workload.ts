import { courseCost } from '../decide/courses/courses.js';
import { requestsAtOnce, type PlannedCell } from '../plan/plan.js';

interface CellWork {
  left: number;
  /** Requests that have to follow one another, in the cell alone, and with those that need it. */
  readonly own: number;
  path: number;
}

/** Estimates the requests that are left to ask of a model. */
export interface Workload {
  readonly plan: (cells: readonly PlannedCell[]) => void;
  /** A request that was expected of this cell has been answered. */
  readonly asked: (cell: string) => void;
  readonly answered: (ms: number) => void;
  readonly concluded: (cell: string) => void;
  /** Requests that have to follow one another, from the first of this cell to the end of all that need it. */
  readonly pathFrom: (cell: string) => number;
  /** Milliseconds of all requests that are left. */
  readonly remaining: () => number;
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
    plan(plannedCells: readonly PlannedCell[]): void {
      for (const planned of plannedCells) {
        const { key, unmeetable, probe } = planned.cell;
        if (unmeetable !== null || cells.has(key)) continue;
        const steps = Math.max(1, probe.steps.filter(({ kind }) => kind === 'ask').length);
        const { expected } = courseCost(planned);
        // A threshold is searched one trial after the other; other courses ask theirs together.
        const own = steps * (planned.course === 'find' ? expected : 1);
        const work = { left: 0, own, path: own };
        cells.set(key, work);
        setLeft(work, steps * expected * requestsAtOnce(planned.cell));
      }
      addFollowers(plannedCells, cells);
    },
    asked(cell: string): void {
      const work = cells.get(cell);
      setLeft(work, Math.max(0, (work?.left ?? 0) - 1));
    },
    answered(ms: number): void {
      answers.count += 1;
      answers.ms += ms;
    },
    concluded: (cell: string): void => {
      setLeft(cells.get(cell), 0);
    },
    pathFrom: (cell: string) => cells.get(cell)?.path ?? 1,
    remaining: () => left * (answers.count === 0 ? 1 : answers.ms / answers.count),
  };
}

/** Adds to the path of each cell the longest of those that need it, which come after it. */
function addFollowers(plannedCells: readonly PlannedCell[], cells: ReadonlyMap<string, CellWork>): void {
  for (const { cell } of plannedCells.toReversed()) {
    for (const need of cell.needs) {
      const work = cells.get(need);
      if (work !== undefined) work.path = Math.max(work.path, work.own + (cells.get(cell.key)?.path ?? 0));
    }
  }
}
