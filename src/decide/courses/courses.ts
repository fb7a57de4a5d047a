import type { CourseName, PlannedCell } from '../../plan/plan.js';
import type { Course, Finding, RecordedTrial, TrialRange } from '../course.js';
import { boundOver } from '../../stats/evidence.js';
import { mostDoubtTrials } from '../law.js';
import { compareWithKnown } from './compare-with-known.js';
import { enforceMethod } from './enforcement/enforce.js';
import { findMethod } from './threshold/find.js';
import { firstTrialsOf, plainCost, samplePlain, type Asking } from './sample.js';

/** How a course reaches its finding, and how many trials that takes before anything is in doubt. */
interface Method {
  /** @param recorded of no use to a course that asks for the same trials whatever the baseline says */
  readonly ask: (planned: PlannedCell, bound: number, recorded?: readonly RecordedTrial[]) => Asking<Finding>;
  readonly cost: (planned: PlannedCell) => TrialRange;
}

const plainMethod: Method = {
  *ask(planned, bound) {
    const sampled = yield* samplePlain(planned);
    const first = firstTrialsOf(planned, sampled);
    return { ...(yield* compareWithKnown(planned, sampled, bound)), first };
  },
  cost: plainCost,
};

const methods: Readonly<Record<CourseName, Method>> = {
  fixed: plainMethod,
  sequential: plainMethod,
  find: findMethod,
  enforce: enforceMethod,
};

/**
 * How verdicts are reached. Each course asks as its name says; a doubt about what is known of a cell is then settled
 * where the planned cell allows it.
 * @param options `plannedCells`: cells of the whole run, before any shard was cut: the more, the stronger the evidence
 * for an alarm
 */
export function coursesFor(options: { readonly plannedCells: number }): Record<CourseName, Course> {
  const bound = boundOver(options.plannedCells);
  const course =
    ({ ask }: Method): Course =>
    (planned, recorded) =>
      ask(planned, bound, recorded);
  return {
    fixed: course(methods.fixed),
    sequential: course(methods.sequential),
    find: course(methods.find),
    enforce: course(methods.enforce),
  };
}

/** The trials of a planned cell's course. What a doubt may take counts towards the largest number alone. */
export function courseCost(planned: PlannedCell): TrialRange {
  const { expected, largest } = methods[planned.course].cost(planned);
  return { expected, largest: largest + (planned.confirm ? mostDoubtTrials : 0) };
}
