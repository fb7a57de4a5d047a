import { failsAsKnown, cellStateOf } from '../../../baseline/expected.js';
import { isObject, at, withValueAt } from '../../../json/json.js';
import type { Ask, PlannedCell } from '../../../plan/plan.js';
import { defaultTest, passesToReliable } from '../../../stats/sequential-test.js';
import type { FindSpec } from '../../../suite/probe.js';
import type { Finding, RecordedTrial, TrialRange } from '../../course.js';
import { findingOf } from '../../finding.js';
import { compareWithKnown, settleKnown, signOf } from '../compare-with-known.js';
import {
  plainCost,
  samplePlain,
  openSample,
  repeatedQuestions,
  type Asking,
  type SampleQuestion,
  type Sample,
  type SampledCell,
} from '../sample.js';
import {
  countAlongAxis,
  failsAgain,
  speakingFor,
  failingBelow,
  failuresOutright,
  insist,
  isRejected,
  isIntegerSearch,
  mostAbove,
  mostSearchTrials,
  prove,
  searchAll,
  type Search,
} from './axis-search.js';

/** The axis of one `find` probe while it is being searched. */
interface FindState {
  readonly planned: PlannedCell;
  readonly spec: FindSpec;
  readonly sample: Sample;
  readonly counts: Search['counts'];
  readonly search: Search;
  readonly questionAt: (x: number) => SampleQuestion;
  readonly valueOf: (ask: Ask) => number | null;
  readonly scale: Scale;
}

/**
 * The threshold of a `find` probe. A threshold that the baseline stores is asked again at its value and just below it;
 * the axis is searched only when an alarm comes of that.
 */
function* findThreshold(planned: PlannedCell, bound: number, recorded?: readonly RecordedTrial[]): Asking<Finding> {
  const written = planned.cell.probe.find;
  if (written === null) return yield* compareWithKnown(planned, yield* samplePlain(planned), bound);
  const scale = scaleOf(written);
  const state = openSearch(planned, scale, recorded);
  const stored = storedThreshold(planned, scale);
  if (recorded !== undefined) return yield* fromRecorded(state, stored, bound);
  if (stored === null) return yield* compareWithKnown(planned, yield* searchUnlessKnown(state), bound);

  const { search, counts } = state;
  const below = valueBelow(planned, stored, scale);
  yield* search.askAt(below === null ? [stored] : [stored, below], search.perValue);
  if (counts.at(stored).total === 0) return concludeAt(state, null);
  const finding = yield* compareWithKnown(planned, foundAt(state, stored), bound);
  if (finding.doubtOutcome === 'confirmed') return yield* afterFailing(state, stored, finding);
  if (below === null || finding.doubtOutcome !== null) return finding;
  const { passed, total } = counts.at(below);
  return total > 0 && passed === total ? yield* afterPassingBelow(state, { stored, below }, bound) : finding;
}

/** Between the values of the axis and those that are searched, of which the smallest that passes is wanted. */
interface Scale {
  readonly spec: FindSpec;
  readonly isMirrored: boolean;
  readonly written: (searched: number) => number;
  /** null: no such value is searched. */
  readonly searched: (written: number) => number | null;
}

/**
 * The largest value that passes is the smallest step down from the top of a ladder, whose steps are as far apart as the
 * tolerance allows.
 */
function scaleOf(spec: FindSpec): Scale {
  if (spec.largest !== true) return { spec, isMirrored: false, written: (x) => x, searched: (x) => x };
  const ladder: number[] = [];
  for (let x = spec.from; x < spec.to; x = Math.max(x + 1, Math.floor(x * (1 + spec.tolerance)))) ladder.push(x);
  const down = [...ladder, spec.to].reverse();
  return {
    spec: { ...spec, from: 1, to: down.length, tolerance: 1 / (2 * down.length) },
    isMirrored: true,
    written: (step) => down[step - 1] ?? spec.from,
    searched: (x) => (down.includes(x) ? down.indexOf(x) + 1 : null),
  };
}

function openSearch(planned: PlannedCell, scale: Scale, recorded?: readonly RecordedTrial[]): FindState {
  const { spec } = scale;
  const sample = openSample(recorded);
  // An axis that the probe does not vary is the body field of its name.
  const varied = planned.cell.probe.axes.find(({ name }) => name === spec.axis);
  const steps = varied?.kind === 'values' ? varied.at : [spec.axis];
  const questionAt = (x: number): SampleQuestion => {
    const patch = withValueAt({}, steps, scale.written(x));
    return { kind: 'trial', patch: isObject(patch) ? patch : {} };
  };
  const valueOf = (ask: Ask) => {
    const x = at(ask.patch, steps);
    return typeof x === 'number' ? scale.searched(x) : null;
  };
  const counts = countAlongAxis(sample, valueOf, planned.cell.probe.samples.length);
  const askAt: Search['askAt'] = function* (values, times) {
    // Texts in turn: one that fails at any value shall not fail at all of them.
    yield* sample.take(values.flatMap((x, from) => repeatedQuestions({ ...questionAt(x), from }, times)));
    return !sample.isExhausted();
  };
  const search = { spec, counts, askAt, isExhausted: () => sample.isExhausted(), ...waysOf(planned) };
  return { planned, spec, sample, counts, search, questionAt, valueOf, scale };
}

/**
 * How often values are asked. Where a doubt may be asked on, a value is only called the threshold when the sequential
 * test finds it reliable: it was chosen from many for having passed. With `--trials` each value is asked as often as
 * that.
 */
function waysOf({ trials, confirm }: PlannedCell): Pick<Search, 'perValue' | 'test' | 'proves'> {
  if (trials.kind === 'decided') return { perValue: 1, test: trials, proves: true };
  return { perValue: Math.max(1, trials.count), test: defaultTest, proves: confirm };
}

/** Judges the cell at the value found; if none was found, where a value speaks for the cell. */
function foundAt(state: FindState, value: number | null): SampledCell {
  const { counts, sample, spec } = state;
  const where = value ?? speakingFor(counts) ?? counts.values().at(-1) ?? spec.to;
  const isSameQuestion = (ask: Ask) => state.valueOf(ask) === where;
  return {
    sample,
    question: state.questionAt(where),
    isSameQuestion,
    conclude: () => conclude(state, value, isSameQuestion),
    isGood: (outcome) => outcome.passed,
  };
}

const concludeAt = (state: FindState, value: number | null): Finding => foundAt(state, value).conclude();

function conclude(
  { counts, sample, search, scale }: FindState,
  value: number | null,
  isAtValue: (ask: Ask) => boolean,
): Finding {
  const here = sample.judged(isAtValue).map(({ outcome }) => outcome);
  const faults = sample.outcomes().filter((outcome) => outcome.fault);
  // A stored value that never passed in this run is not its threshold, whether the difference is confirmed or cleared.
  const passes = value !== null && counts.at(value).passed > 0;
  const failing = passes
    ? failingBelow(search, value)
    : (counts.values().findLast((x) => counts.at(x).passed === 0) ?? null);
  const curve = counts.values().map((x) => [scale.written(x), counts.at(x).passed, counts.at(x).total] as const);
  const threshold = {
    value: passes ? scale.written(value) : null,
    ...(scale.isMirrored && { largest: true as const }),
    last_failing: failing === null ? null : scale.written(failing),
    monotonic: !failsAgain(counts),
    curve: scale.isMirrored ? curve.reverse() : curve,
  };
  // A search that was cut short says nothing about the values it did not reach.
  const saysNothing = value === null && sample.isExhausted() && speakingFor(counts) === null;
  const finding = findingOf(saysNothing ? faults : [...here, ...faults], sample.isExhausted() ? 1 : 0);
  return { ...finding, threshold };
}

/**
 * Where the baseline knows that no value is reliable, the largest one is asked first: only if that changed is there
 * more to find.
 */
function* searchUnlessKnown(state: FindState): Asking<SampledCell> {
  const { search, spec, sample, counts, planned } = state;
  if (search.proves && expectsFlaky(planned)) {
    yield* prove(search, spec.to);
    if (isRejected(search, spec.to)) return foundAt(state, null);
  }
  if (isKnownToFail(planned, spec)) {
    yield* search.askAt([spec.to], Math.max(search.perValue, failuresOutright));
    const { expected } = planned;
    const isAsKnown = sample
      .judged()
      .every(({ outcome }) => !outcome.passed && expected.kind === 'entry' && failsAsKnown(expected.entry, outcome));
    if (sample.isExhausted() || isAsKnown) return foundAt(state, null);
  }
  const value = yield* searchAll(search);
  const isOver = value !== null || !search.proves || sample.isExhausted() || speakingFor(counts) !== null;
  if (isOver) return foundAt(state, value);
  // A known failure is not asked more often than it was.
  yield* insist(search, planned.expected.kind === 'new' || expectsFlaky(planned) ? failuresOutright : 1);
  return foundAt(state, speakingFor(counts) === null ? null : yield* searchAll(search));
}

/**
 * Whether the baseline knows that no value passes. With more room, an answer passes again that passed with less, so the
 * largest value speaks for all, unless the service refused it: then it may take a smaller one.
 */
function isKnownToFail({ expected, confirm }: PlannedCell, spec: FindSpec): boolean {
  if (!confirm || expected.kind !== 'entry' || expected.entry.verdict !== 'fail') return false;
  const { status, threshold } = expected.entry;
  const isRefusal = status !== null && status >= 400 && status < 500;
  return threshold === null && !isRefusal && spec.from < spec.to;
}

/** Whether a cell without a reliable value is known to pass at times. */
const expectsFlaky = ({ expected }: PlannedCell): boolean =>
  expected.kind === 'entry' && expected.entry.verdict === 'flaky';

/** null: there is none, or it is outside the range of the search. */
function storedThreshold({ expected }: PlannedCell, { spec: { from, to }, searched }: Scale): number | null {
  if (expected.kind === 'new') return null;
  const written = expected.kind === 'pass' ? expected.threshold : expected.entry.threshold;
  const stored = written === null ? null : searched(written);
  return stored === null || stored < from || stored > to ? null : stored;
}

/**
 * The value to ask below the stored one: where nothing passed when it was found or, if the baseline does not say, a
 * value beyond the tolerance; null: there is no such value.
 */
function valueBelow({ expected }: PlannedCell, stored: number, { spec }: Scale): number | null {
  if (expected.kind === 'new') return null;
  const failsAt = expected.kind === 'pass' ? expected.failsAt : expected.entry.fails_at;
  if (failsAt !== undefined) return failsAt !== 'none' && failsAt >= spec.from && failsAt < stored ? failsAt : null;
  const exact = stored / (1 + spec.tolerance);
  const below = Math.max(spec.from, isIntegerSearch(spec) ? Math.min(stored - 1, Math.floor(exact)) : exact);
  return below < stored ? below : null;
}

/** Finds where the probe passes now that the stored value no longer does. */
function* afterFailing(state: FindState, stored: number, { law, doubtOutcome }: Finding): Asking<Finding> {
  const { spec, sample, search } = state;
  const here = (value: number | null): Finding => ({ ...concludeAt(state, value), law, doubtOutcome });
  if (sample.isExhausted()) return here(stored);
  const above = stored >= spec.to ? null : yield* searchAll(search, Math.min(spec.to, stored > 0 ? stored * 2 : 1));
  return here(above ?? (stored > spec.from ? yield* searchAll(search, spec.from) : null));
}

/** A value below the stored one passed: finds out whether by chance or because the probe now needs less. */
function* afterPassingBelow(
  state: FindState,
  { stored, below }: { readonly stored: number; readonly below: number },
  bound: number,
): Asking<Finding> {
  const { planned, search } = state;
  if (planned.expected.kind === 'new') return concludeAt(state, stored);
  if (!planned.confirm) return concludeAt(state, yield* searchAll(search));
  const { sample, question, isSameQuestion } = foundAt(state, below);
  const { total } = cellStateOf(planned.expected).known;
  const lower = yield* settleKnown(
    planned,
    { sample, conclude: () => concludeAt(state, stored) },
    {
      expectation: 'fail',
      state: { known: { passed: 0, total, ways: { '*': total } }, doubt: [] },
      question,
      sign: ({ ask, outcome }) => (isSameQuestion(ask) ? signOf(outcome) : null),
    },
    bound,
  );
  const found = lower.doubtOutcome === 'confirmed' ? yield* searchAll(search) : null;
  if (found !== null && found <= below) {
    return { ...concludeAt(state, found), law: lower.law, doubtOutcome: 'confirmed' };
  }
  // Trials at the lower value say nothing of the stored one, which keeps its doubts.
  const quiet = yield* compareWithKnown(planned, foundAt(state, stored), bound);
  return { ...quiet, needed: Math.max(quiet.needed, lower.needed) };
}

/**
 * The threshold that recorded trials show, where a run is judged again by a baseline that would have asked at other
 * values. A difference from the threshold of the baseline stays unsettled: nobody asked at its value.
 */
function* fromRecorded(state: FindState, stored: number | null, bound: number): Asking<Finding> {
  const value = yield* searchAll(state.search);
  if (stored === null || value === null) return yield* compareWithKnown(state.planned, foundAt(state, value), bound);
  const { law, doubtOutcome } = yield* compareWithKnown(state.planned, foundAt(state, stored), bound);
  const found = { ...concludeAt(state, value), law, doubtOutcome };
  const isAlike = Math.max(value, stored) <= Math.min(value, stored) * (1 + state.spec.tolerance);
  if (isAlike || doubtOutcome === 'confirmed' || law === null) return found;
  const suspicion = value > stored ? 'regression' : 'improvement';
  return { ...found, needed: Math.max(1, found.needed), doubtOutcome: 'unsettled', law: { ...law, suspicion } };
}

/**
 * The stored value and the one below it; at most, the whole search as well, from the stored value and from the start.
 */
function thresholdCost(planned: PlannedCell): TrialRange {
  const written = planned.cell.probe.find;
  if (written === null) return plainCost(planned);
  const scale = scaleOf(written);
  const { spec } = scale;
  const { perValue, test, proves } = waysOf(planned);
  const search = searchCost(planned, spec);
  const stored = storedThreshold(planned, scale);
  if (stored !== null) {
    const most = proves ? Math.max(test.max, perValue) : perValue;
    const expected = (valueBelow(planned, stored, scale) === null ? 1 : 2) * perValue;
    return { expected, largest: 2 * (search.largest + most) };
  }
  if (isKnownToFail(planned, spec)) return { ...search, expected: Math.max(perValue, failuresOutright) };
  const isFlaky = proves && expectsFlaky(planned);
  return isFlaky ? { ...search, expected: Math.max(perValue, passesToReliable(test)) } : search;
}

/**
 * A known failure is asked at every doubling; else the search passes halfway, bisects, proves the value found and the
 * one below, and looks above. At most, values keep passing at first and then fail their proof, so that it bisects again
 * and again.
 */
function searchCost(planned: PlannedCell, { from, to, tolerance }: FindSpec): TrialRange {
  const doublings = Math.max(0, Math.ceil(Math.log2(to / from))) + 1;
  const bisections = Math.max(0, Math.ceil(Math.log2(1 / tolerance)));
  const { perValue, test, proves } = waysOf(planned);
  const { expected } = planned;
  const half = Math.ceil(doublings / 2);
  const fails = expected.kind === 'entry' && expected.entry.verdict === 'fail';
  const asked = (fails ? doublings : half + bisections) * perValue;
  if (!proves) return { expected: asked, largest: (doublings + bisections) * perValue };
  const proof = Math.max(perValue, passesToReliable(test)) - 1;
  const most = Math.max(test.max, perValue);
  return {
    expected: asked + failuresOutright - 1 + (fails ? 0 : proof + half),
    largest: mostSearchTrials * perValue + 4 * most + doublings * (mostAbove + failuresOutright),
  };
}

export const findMethod = { ask: findThreshold, cost: thresholdCost };
