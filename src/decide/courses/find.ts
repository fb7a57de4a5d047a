import { at, withValueAt } from '../../json/pointer.js';
import { isObject, type JsonObject } from '../../json/json.js';
import type { Ask, Ticket } from '../../plan/ticket.js';
import type { FindSpec } from '../../suite/probe.js';
import { countAlongAxis, isMonotonic, type AxisCounts } from './axis-counts.js';
import type { Finding } from '../course.js';
import { findingOf } from '../finding.js';
import { doubled, failingBelow, searchAxis, type AskAt, type Search } from './find-search.js';
import { sampleFixed } from './fixed.js';
import { openSample, repeated, type Asking, type Question, type Sample, type Sampled } from './sample.js';
import { fewestToSettle, stateOf } from '../../stats/sequential-test.js';

/** The axis of one `find` probe while it is being searched. */
export interface FindState {
  readonly spec: FindSpec;
  readonly sample: Sample;
  readonly counts: AxisCounts;
  readonly search: Search;
  questionAt(x: number): Question;
  valueOf(ask: Ask): number | null;
}

/** The smallest value of an axis at which the probe passes, searched from scratch. */
export function* sampleFind(ticket: Ticket): Asking<Sampled> {
  const state = openFind(ticket);
  if (state === null) return yield* sampleFixed(ticket);
  const value = yield* searchAll(state, ticket);
  return foundAt(state, value);
}

export function openFind(ticket: Ticket): FindState | null {
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
    return !sample.dry();
  };
  const search: Search = { spec, counts, askAt, ...proofOf(ticket, spec, counts) };
  return { spec, sample, counts, search, questionAt, valueOf };
}

/** The search, and then a look above the value found: some services fail again at large values. */
export function* searchAll(state: FindState, ticket: Ticket, start = state.spec.from): Asking<number | null> {
  const { counts, search, spec, sample } = state;
  const value = yield* searchAxis(search, start);
  if (value === null || !ticket.confirm) return value;
  const above = [...new Set([doubled(value, spec), spec.to])].filter((x) => counts.totalAt(x) === 0);
  if (above.length > 0 && !sample.dry()) yield* search.askAt(above, 1);
  const failing = counts.values().filter((x) => x > value && counts.stateAt(x) === 'fail' && counts.totalAt(x) === 1);
  if (failing.length > 0 && !sample.dry()) yield* search.askAt(failing, 1);
  return value;
}

/**
 * The cell is judged at the value found, for that is where the capability holds; without one at the largest value asked.
 */
export function foundAt(state: FindState, value: number | null): Sampled {
  const { counts, sample, spec } = state;
  const where = () => value ?? counts.values().at(-1) ?? spec.to;
  const concerns = (ask: Ask) => state.valueOf(ask) === where();
  return {
    sample,
    conclude: () => concludeFind(state, value, concerns),
    question: state.questionAt(where()),
    good: (outcome) => outcome.passed,
    concerns,
  };
}

function concludeFind(
  { counts, sample, search }: FindState,
  value: number | null,
  concerns: (ask: Ask) => boolean,
): Finding {
  const here = sample.judged(concerns).map(({ outcome }) => outcome);
  const faults = sample.outcomes().filter((outcome) => outcome.fault);
  // A stored value that never passed today is no threshold today, whatever becomes of the surprise.
  const passes = value !== null && counts.passedAt(value) > 0;
  const lastFailing = passes ? failingBelow(search, value) : (counts.values().at(-1) ?? null);
  const threshold = {
    value: passes ? value : null,
    last_failing: lastFailing,
    monotonic: isMonotonic(counts),
    curve: counts.curve(),
  };
  return {
    // A search that was broken off says nothing of values it did not reach.
    ...findingOf(value === null && sample.dry() ? faults : [...here, ...faults], sample.dry() ? 1 : 0),
    threshold,
  };
}

/** The field that the axis sets; an axis that the probe does not vary is the body field of its name. */
function stepsOf({ cell }: Ticket, { axis }: FindSpec): readonly string[] {
  const varied = cell.probe.axes.find(({ name }) => name === axis);
  return varied?.kind === 'values' ? varied.at : [axis];
}

/**
 * Until decided: the value found must satisfy the sequential test, and a failure at it is forgiven only where larger
 * values, or one of half the size, fail at times as well: else more of the axis may mend it. Without that it must have
 * passed three times on a normal day, and no more than the search itself took where exactly so many trials were ordered.
 */
function proofOf(
  { trials, confirm }: Ticket,
  { to }: FindSpec,
  counts: AxisCounts,
): Pick<Search, 'perValue' | 'holds' | 'doubtful'> {
  const failedAt = (x: number) => counts.totalAt(x) - counts.passedAt(x);
  const neverFailed = (x: number) => counts.stateAt(x) === 'pass';
  if (trials.kind === 'decided') {
    const mendedByMore = (x: number) =>
      x < to &&
      !counts.values().some((y) => failedAt(y) > 0 && (y > x || (y * 2 <= x && counts.passedAt(y) > failedAt(y))));
    return {
      perValue: 1,
      holds: (x) =>
        neverFailed(x) || (!mendedByMore(x) && stateOf(trials, counts.passedAt(x), failedAt(x)) === 'reliable'),
      doubtful: (x) =>
        neverFailed(x) || !mendedByMore(x)
          ? Math.min(
              fewestToSettle(trials, counts.passedAt(x), failedAt(x)),
              Math.max(0, trials.max - counts.totalAt(x)),
            )
          : 0,
    };
  }
  const count = Math.max(1, trials.count);
  const proof = confirm ? Math.max(3, count) : count;
  return {
    perValue: count,
    holds: neverFailed,
    doubtful: (x) => (neverFailed(x) ? Math.max(0, proof - counts.totalAt(x)) : 0),
  };
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
