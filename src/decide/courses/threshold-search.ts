import { at, withValueAt } from '../../json/pointer.js';
import { isObject, type JsonObject } from '../../json/json.js';
import type { Ask, Ticket } from '../../plan/ticket.js';
import type { FindSpec } from '../../suite/probe.js';
import { countAlongAxis, isMonotonic, speakingFor, type AxisCounts } from './axis-counts.js';
import type { Finding, TrialRange } from '../course.js';
import { findingOf } from '../finding.js';
import {
  failingBelow,
  failuresOutright,
  isOverLimit,
  lookAbove,
  mostAbove,
  looksGood,
  mostTrials,
  prove,
  searchAxis,
  valuesAsked,
  type AskAt,
  type Search,
} from './axis-search.js';
import { raiseForCutTexts } from './cut-texts.js';
import {
  openSample,
  repeated,
  type Answered,
  type Asking,
  type Question,
  type Sample,
  type SampledCell,
} from './sample.js';
import { defaultTest, passesToReliable } from '../../stats/sequential-test.js';

/** The axis of one `find` probe while it is being searched. */
export interface SearchState {
  readonly spec: FindSpec;
  readonly sample: Sample;
  readonly counts: AxisCounts;
  readonly search: Search;
  questionAt(x: number): Question;
  valueOf(ask: Ask): number | null;
}

/**
 * Where texts need caps of their own, they make a slope of values at which some pass, and each value on it takes a proof of
 * its own. So many were usual in searches of the built-in probes.
 */
const slopeProofs = 10;

/**
 * Where the smallest value passes, it alone is proven, and what is above it is looked at. A known failure is asked at every doubling; else the search passes halfway, bisects, proves the value found and the one
 * below, and looks above. At most, values keep passing at first and then fail their proof, so that it bisects again and again.
 */
export function searchCost(ticket: Ticket, spec: FindSpec): TrialRange {
  const { doublings, bisections } = valuesAsked(spec);
  const { perValue, test, proves } = waysOf(ticket);
  const { expected } = ticket;
  const half = Math.ceil(doublings / 2);
  const fails = expected.kind === 'entry' && expected.entry.verdict === 'fail';
  if (!proves) {
    const own = (fails ? doublings : half + bisections) * perValue;
    const usual: TrialRange['likely'] = expected.kind === 'new' ? [perValue, doublings * perValue] : [own, own];
    return { expected: own, largest: (doublings + bisections) * perValue, likely: usual };
  }
  const proof = Math.max(perValue, passesToReliable(test));
  const settled = failuresOutright - 1;
  const most = Math.max(test.max, perValue);
  const sharp = (half + bisections) * perValue + (proof - 1) + settled + half;
  const slope = sharp + slopeProofs * proof;
  const hasTexts = ticket.cell.probe.samples.length > 1;
  const own = fails ? doublings * perValue + settled : hasTexts ? Math.round((sharp + slope) / 2) : sharp;
  const isOpen = expected.kind === 'new' || expected.kind === 'pass';
  return {
    expected: own,
    likely: isOpen
      ? [Math.min(sharp, proof + doublings - 1), hasTexts ? slope : Math.max(sharp, doublings * failuresOutright)]
      : [own, own],
    largest: mostTrials * perValue + 4 * most + doublings * mostAbove,
  };
}

/** The first trials at one value, and the most that it may get. */
export function perValueCost(ticket: Ticket): TrialRange {
  const { perValue, test, proves } = waysOf(ticket);
  return {
    expected: perValue,
    largest: proves ? Math.max(test.max, perValue) : perValue,
    likely: [perValue, perValue],
  };
}

/** @param recorded trials that it begins with */
export function openSearch(ticket: Ticket, recorded?: readonly Answered[]): SearchState | null {
  const spec = ticket.cell.probe.find;
  if (spec === null) return null;
  const sample = openSample(recorded);
  const steps = stepsOf(ticket, spec);
  const questionAt = (x: number): Question => ({ kind: 'trial', patch: asObject(withValueAt({}, steps, x)) });
  const valueOf = (ask: Ask) => {
    const x = at(ask.patch, steps);
    return typeof x === 'number' ? x : null;
  };
  const among = Math.max(1, ticket.cell.probe.samples.length);
  const counts = countAlongAxis((since) =>
    sample.judgedSince(since).flatMap(({ ask, outcome }) => {
      const x = valueOf(ask);
      return x === null
        ? []
        : [{ x, passed: outcome.passed, cut: outcome.class === 'truncated', text: ask.sample % among }];
    }),
  );
  const askAt: AskAt = function* (values, times) {
    yield* sample.take(values.flatMap((x) => repeated(questionAt(x), times)));
    return !sample.isExhausted();
  };
  const askText: Search['askText'] = function* (x, index) {
    yield* sample.take([{ ...questionAt(x), text: { index, among } }]);
    return !sample.isExhausted();
  };
  const askInTurn: Search['askInTurn'] = function* (values) {
    yield* sample.take(values.map((x, index) => ({ ...questionAt(x), text: { index: index % among, among } })));
    return !sample.isExhausted();
  };
  const search: Search = { spec, counts, askAt, askText, askInTurn, ...waysOf(ticket) };
  return { spec, sample, counts, search, questionAt, valueOf };
}

/** Searches, and then asks at larger values: what is seen there may ask for a better proof of the value found. */
export function* searchAll(state: SearchState, start = state.spec.from): Asking<number | null> {
  const { search, counts, sample } = state;
  for (;;) {
    let value = yield* searchAxis(search, start);
    if (!search.proves || sample.isExhausted()) return value;
    if (value !== null) value = yield* raiseForCutTexts(search, value);
    const passing = value ?? speakingFor(counts);
    if (passing !== null && !sample.isExhausted()) yield* lookAbove(search, passing);
    const isProven = value === null || ((yield* prove(search, value)) && looksGood(search, value));
    if (isProven || isOverLimit(search) || sample.isExhausted()) return value;
  }
}

/** Judges the cell at the value found; if none was found, where a value speaks for the cell. */
export function foundAt(state: SearchState, value: number | null): SampledCell {
  const { counts, sample, spec } = state;
  const where = value ?? speakingFor(counts) ?? counts.values().at(-1) ?? spec.to;
  const isSameQuestion = (ask: Ask) => state.valueOf(ask) === where;
  return {
    sample,
    conclude: () => concludeSearch(state, value, isSameQuestion),
    question: state.questionAt(where),
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
  const neverPassing = counts.values().findLast((x) => counts.passedAt(x) === 0) ?? null;
  const threshold = {
    value: passes ? value : null,
    last_failing: passes ? failingBelow(search, value) : neverPassing,
    monotonic: isMonotonic(counts),
    curve: counts.curve(),
  };
  // A search that was cut short says nothing about the values it did not reach.
  const saysNothing = value === null && sample.isExhausted() && speakingFor(counts) === null;
  return {
    ...findingOf(saysNothing ? faults : [...here, ...faults], sample.isExhausted() ? 1 : 0),
    threshold,
  };
}

/** The field that the axis sets; an axis that the probe does not vary is the body field of its name. */
function stepsOf({ cell }: Ticket, { axis }: FindSpec): readonly string[] {
  const varied = cell.probe.axes.find(({ name }) => name === axis);
  return varied?.kind === 'values' ? varied.at : [axis];
}

/**
 * How often values are asked. Where fresh samples are allowed, a value is only called the threshold when the sequential
 * test finds it reliable: it was chosen from many for having passed. With `--trials` each value is asked as often as that.
 */
export function waysOf({ trials, confirm }: Ticket): Pick<Search, 'perValue' | 'test' | 'proves'> {
  if (trials.kind === 'decided') return { perValue: 1, test: trials, proves: true };
  return { perValue: Math.max(1, trials.count), test: defaultTest, proves: confirm };
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
