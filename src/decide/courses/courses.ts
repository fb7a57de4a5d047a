import { hasRate, type CourseName, type Ticket } from '../../plan/ticket.js';
import type { Course, Finding, RecordedTrial, TrialRange } from '../course.js';
import { confirmationCost, confirmDoubt } from './confirm.js';
import { enforceCost, enforcementFrom, measureEnforcement } from './enforcement/enforce.js';
import { findThreshold, thresholdCost } from './find.js';
import { thresholdFrom } from './find-recorded.js';
import { firstTrialsOf } from './first-trials.js';
import { fixedSizeCost, sampleFixedSize } from './fixed.js';
import type { Asking, SampledCell } from './sample.js';
import { sampleSequentially, sequentialCost } from './sequential.js';
import { usualTrials } from './usual-trials.js';
import type { OptionTable } from '../../options/check-options.js';
import { checkOnlyOptions } from '../../options/first-argument.js';
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
    const sampled = yield* sample(ticket);
    const first = firstTrialsOf(ticket, sampled);
    return { ...(yield* confirmDoubt(ticket, sampled, plannedCells)), first };
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
  checkOnlyOptions('coursesFor', options, optionTable);
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

/**
 * The trials of a ticket's course. A fresh sample counts towards the largest number, and where a cell is known to pass only
 * sometimes, towards the expected one.
 * @param plannedCells of the whole run: the more, the longer is a row of trials that proves something
 */
export function courseCost(ticket: Ticket, plannedCells = 1): TrialRange {
  const own = methods[ticket.course].cost(ticket);
  const fresh = confirmationCost(ticket);
  const largest = own.largest + fresh.largest;
  const usual = hasRate(ticket) ? usualTrials(ticket, methods[ticket.course].ask, plannedCells) : null;
  if (usual !== null) return { expected: usual, largest, likely: [usual, usual] };
  // What a search or an enforcement may take includes what confirms it.
  const isPlain = hasRate(ticket);
  const [from, to] = own.likely;
  return {
    expected: own.expected,
    largest,
    likely: [from, isPlain ? Math.max(to, own.expected + fresh.likely[1]) : to],
  };
}
