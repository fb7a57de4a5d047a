import { at, withValueAt } from '../../json/pointer.js';
import { isObject, type JsonObject } from '../../json/json.js';
import type { Ask, Ticket } from '../../plan/ticket.js';
import type { FindSpec } from '../../suite/probe.js';
import { countAlongAxis, isMonotonic, type AxisCounts } from './axis-counts.js';
import type { Finding, TrialRange } from '../course.js';
import { findingOf } from '../finding.js';
import {
  doubled,
  failingBelow,
  mostBisections,
  searchAxis,
  valuesAsked,
  type AskAt,
  type Search,
} from './axis-search.js';
import { sampleFixedSize } from './fixed.js';
import { openSample, repeated, type Asking, type Question, type Sample, type SampledCell } from './sample.js';
import { sequentialCost } from './sequential.js';
import { fewestToDecide, stateOf } from '../../stats/sequential-test.js';

/** The axis of one `find` probe while it is being searched. */
export interface SearchState {
  readonly spec: FindSpec;
  readonly sample: Sample;
  readonly counts: AxisCounts;
  readonly search: Search;
  questionAt(x: number): Question;
  valueOf(ask: Ask): number | null;
}

/** The smallest value of an axis at which the probe passes, searched from scratch. */
export function* searchFromScratch(ticket: Ticket): Asking<SampledCell> {
  const state = openSearch(ticket);
  if (state === null) return yield* sampleFixedSize(ticket);
  const value = yield* searchAll(state, ticket);
  return foundAt(state, value);
}

/** At most, values keep passing at first and then failing their proof, so that the search bisects again and again. */
export function searchCost(ticket: Ticket, spec: FindSpec): TrialRange {
  const { doublings, bisections } = valuesAsked(spec);
  const each = sequentialCost(ticket);
  const expected = (Math.ceil(doublings / 2) + bisections) * each.expected;
  if (!isProvenByCount(ticket)) return { expected, largest: (doublings + bisections) * each.largest };
  const values = doublings + mostBisections * bisections;
  // Two values above the one found are asked as well, and again when they fail.
  return { expected, largest: values * perValueCost(ticket).largest + 2 * each.largest + 2 };
}

/** The trials at one value, its proof included. */
export function perValueCost(ticket: Ticket): TrialRange {
  const { expected, largest } = sequentialCost(ticket);
  return { expected, largest: isProvenByCount(ticket) ? Math.max(proofTrials, largest) : largest };
}

const isProvenByCount = ({ trials, confirm }: Ticket): boolean => confirm && trials.kind === 'count';

export function openSearch(ticket: Ticket): SearchState | null {
  const spec = ticket.cell.probe.find;
  if (spec === null) return null;
  const sample = openSample();
  const steps = stepsOf(ticket, spec);
  const questionAt = (x: number): Question => ({ kind: 'trial', patch: asObject(withValueAt({}, steps, x)) });
  const valueOf = (ask: Ask) => {
    const x = at(ask.patch, steps);
    return typeof x === 'number' ? x : null;
  };
  const counts = countAlongAxis(() =>
    sample.judged().flatMap(({ ask, outcome }) => {
      const x = valueOf(ask);
      return x === null ? [] : [{ x, passed: outcome.passed }];
    }),
  );
  const askAt: AskAt = function* (values, times) {
    yield* sample.take(values.flatMap((x) => repeated(questionAt(x), times)));
    return !sample.isExhausted();
  };
  const search: Search = { spec, counts, askAt, ...proofOf(ticket, spec, counts) };
  return { spec, sample, counts, search, questionAt, valueOf };
}

/** Searches, and then asks a few values above the one found, since some services fail again at large values. */
export function* searchAll(state: SearchState, ticket: Ticket, start = state.spec.from): Asking<number | null> {
  const { counts, search, spec, sample } = state;
  const value = yield* searchAxis(search, start);
  if (value === null || !ticket.confirm) return value;
  const above = [...new Set([doubled(value, spec), spec.to])].filter((x) => counts.totalAt(x) === 0);
  if (above.length > 0 && !sample.isExhausted()) yield* search.askAt(above, 1);
  const failing = counts.values().filter((x) => x > value && counts.stateAt(x) === 'fail' && counts.totalAt(x) === 1);
  if (failing.length > 0 && !sample.isExhausted()) yield* search.askAt(failing, 1);
  return value;
}

/** Judges the cell at the value found; if none was found, at the largest value asked. */
export function foundAt(state: SearchState, value: number | null): SampledCell {
  const { counts, sample, spec } = state;
  const where = () => value ?? counts.values().at(-1) ?? spec.to;
  const isSameQuestion = (ask: Ask) => state.valueOf(ask) === where();
  return {
    sample,
    conclude: () => concludeSearch(state, value, isSameQuestion),
    question: state.questionAt(where()),
    isGood: (outcome) => outcome.passed,
    isSameQuestion,
  };
}

function concludeSearch(
  { counts, sample, search }: SearchState,
  value: number | null,
  isAtValue: (ask: Ask) => boolean,
): Finding {
  const here = sample.judged(isAtValue).map(({ outcome }) => outcome);
  const faults = sample.outcomes().filter((outcome) => outcome.fault);
  // A stored value that never passed in this run is not its threshold, whether the difference is confirmed or cleared.
  const passes = value !== null && counts.passedAt(value) > 0;
  const lastFailing = passes ? failingBelow(search, value) : (counts.values().at(-1) ?? null);
  const threshold = {
    value: passes ? value : null,
    last_failing: lastFailing,
    monotonic: isMonotonic(counts),
    curve: counts.curve(),
  };
  return {
    // A search that was cut short says nothing about the values it did not reach.
    ...findingOf(value === null && sample.isExhausted() ? faults : [...here, ...faults], sample.isExhausted() ? 1 : 0),
    threshold,
  };
}

/** The field that the axis sets; an axis that the probe does not vary is the body field of its name. */
function stepsOf({ cell }: Ticket, { axis }: FindSpec): readonly string[] {
  const varied = cell.probe.axes.find(({ name }) => name === axis);
  return varied?.kind === 'values' ? varied.at : [axis];
}

/** Passes in a row that prove the value found, where no number of trials was ordered. */
const proofTrials = 3;

/**
 * What proves the value found. Where trials run until decided, it must satisfy the sequential test, and may fail at times
 * only if larger values, or one half its size, do too; otherwise a larger value may still pass every time. With a fixed
 * number of trials it must have passed three times, or, with `--trials`, as often as the search itself asked.
 */
function proofOf(
  { trials, confirm }: Ticket,
  { to }: FindSpec,
  counts: AxisCounts,
): Pick<Search, 'perValue' | 'passesAt' | 'missing'> {
  const failedAt = (x: number) => counts.totalAt(x) - counts.passedAt(x);
  const neverFailed = (x: number) => counts.stateAt(x) === 'pass';
  if (trials.kind === 'decided') {
    const mayPassAbove = (x: number) =>
      x < to &&
      !counts.values().some((y) => failedAt(y) > 0 && (y > x || (y * 2 <= x && counts.passedAt(y) > failedAt(y))));
    return {
      perValue: 1,
      passesAt: (x) =>
        neverFailed(x) || (!mayPassAbove(x) && stateOf(trials, counts.passedAt(x), failedAt(x)) === 'reliable'),
      missing: (x) =>
        neverFailed(x) || !mayPassAbove(x)
          ? Math.min(
              fewestToDecide(trials, counts.passedAt(x), failedAt(x)),
              Math.max(0, trials.max - counts.totalAt(x)),
            )
          : 0,
    };
  }
  const count = Math.max(1, trials.count);
  const proof = confirm ? Math.max(proofTrials, count) : count;
  return {
    perValue: count,
    passesAt: neverFailed,
    missing: (x) => (neverFailed(x) ? Math.max(0, proof - counts.totalAt(x)) : 0),
  };
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
