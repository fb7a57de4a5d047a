import type { CourseName, Ticket } from '../../plan/ticket.js';
import type { Course, Finding, RecordedTrial, TrialRange } from '../course.js';
import { confirmationCost, confirmDoubt } from './confirm.js';
import { enforceCost, enforcementFrom, measureEnforcement } from './enforcement/enforce.js';
import { findThreshold, thresholdCost } from './find.js';
import { thresholdFrom } from './find-recorded.js';
import { fixedSizeCost, sampleFixedSize } from './fixed.js';
import type { Asking, SampledCell } from './sample.js';
import { sampleSequentially, sequentialCost } from './sequential.js';
import { checkOptions, type OptionTable } from '../../options/check-options.js';
import { aWhole, required } from '../../options/kinds.js';

/** How a course reaches its finding, and how many trials that takes before anything is confirmed. */
interface Method {
  readonly ask: (ticket: Ticket, plannedCells: number) => Asking<Finding>;
  /** Concludes from recorded trials, whatever was asked; absent: it asks for the same trials whatever the baseline says. */
  readonly again?: (ticket: Ticket, plannedCells: number, recorded: readonly RecordedTrial[]) => Asking<Finding>;
  readonly cost: (ticket: Ticket) => TrialRange;
}

const methods: Readonly<Record<CourseName, Method>> = {
  fixed: { ask: thenConfirm(sampleFixedSize), cost: fixedSizeCost },
  sequential: { ask: thenConfirm(sampleSequentially), cost: sequentialCost },
  find: { ask: findThreshold, again: thresholdFrom, cost: thresholdCost },
  enforce: { ask: measureEnforcement, again: enforcementFrom, cost: enforceCost },
};

function thenConfirm(sample: (ticket: Ticket) => Asking<SampledCell>): Method['ask'] {
  return function* (ticket, plannedCells) {
    return yield* confirmDoubt(ticket, yield* sample(ticket), plannedCells);
  };
}

interface CourseOptions {
  readonly plannedCells: number;
}

const optionTable: OptionTable<CourseOptions> = { plannedCells: required(aWhole(0)) };

/**
 * How verdicts are reached. Each course asks as its name says. Where the ticket allows it, a result that contradicts the
 * baseline is then confirmed or cleared by a fresh sample.
 * @param options `plannedCells`: cells of the whole run, before any shard was cut
 */
export function coursesFor(options: CourseOptions): Record<CourseName, Course> {
  checkOptions('`coursesFor`', options, optionTable);
  const cells = Math.max(1, options.plannedCells);
  const course =
    ({ ask, again }: Method): Course =>
    (ticket, recorded) =>
      recorded === undefined || again === undefined ? ask(ticket, cells) : again(ticket, cells, recorded);
  return {
    fixed: course(methods.fixed),
    sequential: course(methods.sequential),
    find: course(methods.find),
    enforce: course(methods.enforce),
  };
}

/** The trials of a ticket's course. A fresh sample counts only towards the largest number. */
export function courseCost(ticket: Ticket): TrialRange {
  const own = methods[ticket.course].cost(ticket);
  const fresh = confirmationCost(ticket);
  return { expected: own.expected + fresh.expected, largest: own.largest + fresh.largest };
}
