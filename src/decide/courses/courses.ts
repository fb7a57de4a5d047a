import { hasRate, type CourseName, type Ticket } from '../../plan/ticket.js';
import { failuresToBroken } from '../../stats/sequential-test.js';
import type { Course, Finding, RecordedTrial, TrialRange } from '../course.js';
import { mostTrials } from '../law.js';
import { certainCauses } from './certain-causes.js';
import { compareWithKnown, type RunSoFar } from './compare-with-known.js';
import { enforceCost, enforcementFrom, measureEnforcement } from './enforcement/enforce.js';
import { findThreshold, thresholdCost } from './find.js';
import { thresholdFrom } from './find-recorded.js';
import { firstTrialsOf } from './first-trials.js';
import { fixedSizeCost, sampleFixedSize } from './fixed.js';
import type { Asking, SampledCell } from './sample.js';
import { sampleSequentially, sequentialCost, testOf } from './sequential.js';
import type { OptionTable } from '../../options/check-options.js';
import { checkOnlyOptions } from '../../options/first-argument.js';
import { aWhole, required } from '../../options/kinds.js';

/** How a course reaches its finding, and how many trials that takes before anything is in doubt. */
interface Method {
  readonly ask: (ticket: Ticket, run: RunSoFar) => Asking<Finding>;
  /** Concludes from recorded trials, whatever was asked; absent: it asks for the same trials whatever the baseline says. */
  readonly again?: (ticket: Ticket, run: RunSoFar, recorded: readonly RecordedTrial[]) => Asking<Finding>;
  readonly cost: (ticket: Ticket) => TrialRange;
}

const methods: Readonly<Record<CourseName, Method>> = {
  fixed: { ask: thenCompare(sampleFixedSize), cost: fixedSizeCost },
  sequential: { ask: thenCompare(sampleSequentially), cost: sequentialCost },
  find: { ask: findThreshold, again: thresholdFrom, cost: thresholdCost },
  enforce: { ask: measureEnforcement, again: enforcementFrom, cost: enforceCost },
};

function thenCompare(sample: (ticket: Ticket) => Asking<SampledCell>): Method['ask'] {
  return function* (ticket, run) {
    const sampled = yield* sample(ticket);
    const first = firstTrialsOf(ticket, sampled);
    return { ...(yield* compareWithKnown(ticket, sampled, run)), first };
  };
}

interface CourseOptions {
  readonly plannedCells: number;
}

const optionTable: OptionTable<CourseOptions> = { plannedCells: required(aWhole(0)) };

/**
 * How verdicts are reached. Each course asks as its name says; a doubt about what is known of a cell is then settled where
 * the ticket allows it. The courses are those of one run: what some cells proved, others need not prove again.
 * @param options `plannedCells`: cells of the whole run, before any shard was cut
 */
export function coursesFor(options: CourseOptions): Record<CourseName, Course> {
  checkOnlyOptions('coursesFor', options, optionTable);
  const run = { plannedCells: Math.max(1, options.plannedCells), causes: certainCauses() };
  const course =
    ({ ask, again }: Method): Course =>
    (ticket, recorded) =>
      recorded === undefined || again === undefined ? ask(ticket, run) : again(ticket, run, recorded);
  return {
    fixed: course(methods.fixed),
    sequential: course(methods.sequential),
    find: course(methods.find),
    enforce: course(methods.enforce),
  };
}

/** The trials of a ticket's course. What a doubt may take counts towards the largest number alone. */
export function courseCost(ticket: Ticket): TrialRange {
  const { expected, largest, likely } = methods[ticket.course].cost(ticket);
  const ifNew =
    ticket.confirm && ticket.expected.kind === 'new' && hasRate(ticket) ? failuresToBroken(testOf(ticket)) : 0;
  return {
    ...{ expected, largest: largest + (ticket.confirm ? mostTrials : 0) },
    likely: [likely[0], Math.max(likely[1], expected + ifNew)],
  };
}
