import type { FailsAt } from '../../baseline/entries.js';
import { failsAsKnown } from '../../baseline/expected.js';
import { stateOf } from '../../baseline/knowledge.js';
import type { Ticket } from '../../plan/ticket.js';
import { passesToReliable } from '../../stats/sequential-test.js';
import type { FindSpec } from '../../suite/probe.js';
import type { Finding, TrialRange } from '../course.js';
import { speakingFor } from './axis-counts.js';
import { doubled, failuresOutright, insist, isRejected, isWhole, prove, valuesAsked } from './axis-search.js';
import { compareWithKnown, type RunSoFar, settleKnown } from './compare-with-known.js';
import { fixedSizeCost, sampleFixedSize } from './fixed.js';
import type { Asking, SampledCell } from './sample.js';
import {
  foundAt,
  openSearch,
  perValueCost,
  searchAll,
  searchCost,
  waysOf,
  type SearchState,
} from './threshold-search.js';

/**
 * The threshold of a `find` probe. A threshold that the baseline stores is asked again at its value and just below it;
 * the axis is searched only when an alarm comes of that.
 */
export function* findThreshold(ticket: Ticket, run: RunSoFar): Asking<Finding> {
  const state = openSearch(ticket);
  if (state === null) return yield* compareWithKnown(ticket, yield* sampleFixedSize(ticket), run);
  const stored = storedThreshold(ticket, state.spec);
  if (stored === null) return yield* compareWithKnown(ticket, yield* searchUnlessKnown(state, ticket), run);

  const below = valueBelow(ticket, stored, state.spec);
  const { search } = state;
  yield* search.askAt(below === null ? [stored] : [stored, below], search.perValue);
  if (state.counts.totalAt(stored) === 0) return foundAt(state, null).conclude();
  const finding = yield* compareWithKnown(ticket, foundAt(state, stored), run);
  if (finding.surprise === 'confirmed') return yield* afterFailing(state, stored, finding);
  const isLower = below !== null && finding.surprise === null && neverFailedAt(state, below);
  return isLower ? yield* afterPassingBelow(state, ticket, { stored, below }, run) : finding;
}

/** Where the baseline knows that no value is reliable, the largest one is asked first: only if that changed is there more to find. */
function* searchUnlessKnown(state: SearchState, ticket: Ticket): Asking<SampledCell> {
  const { search, spec, sample, counts } = state;
  if (search.proves && isKnownFlaky(ticket)) {
    yield* prove(search, spec.to);
    if (isRejected(search, spec.to)) return foundAt(state, null);
  }
  if (isKnownToFail(ticket, spec)) {
    yield* search.askAt([spec.to], timesAtTop(search.perValue));
    if (sample.isExhausted() || failsForGood(state, ticket)) return foundAt(state, null);
  }
  const value = yield* searchAll(state);
  if (value !== null || !search.proves || sample.isExhausted() || speakingFor(counts) !== null)
    return foundAt(state, value);
  // A known failure is not asked more often than it was.
  const isOpen = ticket.expected.kind === 'new' || isKnownFlaky(ticket);
  yield* insist(search, isOpen ? failuresOutright : 1);
  return foundAt(state, speakingFor(counts) === null ? null : yield* searchAll(state));
}

/**
 * Whether the baseline knows that no value passes. With more room, an answer passes again that passed with less, so the
 * largest value speaks for all, unless the service refused it: then it may take a smaller one.
 */
function isKnownToFail({ expected, confirm }: Ticket, spec: FindSpec): boolean {
  if (!confirm || expected.kind !== 'entry' || expected.entry.verdict !== 'fail') return false;
  return expected.entry.threshold === null && !isRefusal(expected.entry) && spec.from < spec.to;
}

const timesAtTop = (perValue: number): number => Math.max(perValue, failuresOutright);

const isRefusal = ({ status }: { readonly status: number | null }): boolean =>
  status !== null && status >= 400 && status < 500;

/** Whether all that was asked at the largest value failed as the baseline knows it. */
function failsForGood({ sample }: SearchState, { expected }: Ticket): boolean {
  return sample
    .judged()
    .every(({ outcome }) => !outcome.passed && expected.kind === 'entry' && failsAsKnown(expected.entry, outcome));
}

/** Whether a cell without a reliable value is known to pass at times. */
const isKnownFlaky = ({ expected }: Ticket): boolean => expected.kind === 'entry' && expected.entry.verdict === 'flaky';

/** The stored value and the one below it; at most, the whole search as well, from the stored value and from the start. */
export function thresholdCost(ticket: Ticket): TrialRange {
  const spec = ticket.cell.probe.find;
  if (spec === null) return fixedSizeCost(ticket);
  const search = searchCost(ticket, spec);
  const stored = storedThreshold(ticket, spec);
  if (stored === null) {
    const again = waysOf(ticket).proves ? failuresOutright : 0;
    const largest = search.largest + again * valuesAsked(spec).doublings;
    return { ...(askedAtTop(ticket, spec) ?? search), largest };
  }
  const each = perValueCost(ticket);
  const expected = (valueBelow(ticket, stored, spec) === null ? 1 : 2) * each.expected;
  return { expected, largest: 2 * search.largest + 2 * each.largest, likely: [expected, expected] };
}

/** What is expected where the largest value alone is asked, since none is known to be reliable; null: others are, too. */
function askedAtTop(ticket: Ticket, spec: FindSpec): Pick<TrialRange, 'expected' | 'likely'> | null {
  const { perValue, test, proves } = waysOf(ticket);
  const usual = isKnownToFail(ticket, spec)
    ? timesAtTop(perValue)
    : proves && isKnownFlaky(ticket)
      ? Math.max(perValue, passesToReliable(test))
      : null;
  return usual === null ? null : { expected: usual, likely: [usual, usual] };
}

const neverFailedAt = ({ counts }: SearchState, x: number): boolean =>
  counts.totalAt(x) > 0 && counts.passedAt(x) === counts.totalAt(x);

/** undefined: the baseline does not say, so the value just below fails. */
function failsAtOf(expected: Ticket['expected']): FailsAt | undefined {
  if (expected.kind === 'new') return undefined;
  return expected.kind === 'pass' ? expected.failsAt : expected.entry.fails_at;
}

/** null: there is none, or it is outside the range of the search. */
export function storedThreshold({ expected }: Ticket, { from, to }: FindSpec): number | null {
  if (expected.kind === 'new') return null;
  const stored = expected.kind === 'pass' ? expected.threshold : expected.entry.threshold;
  return stored === null || stored < from || stored > to ? null : stored;
}

/** What is asked below the stored value: where nothing passed when it was found; null: there is no such value. */
function valueBelow({ expected }: Ticket, stored: number, spec: FindSpec): number | null {
  const failsAt = failsAtOf(expected);
  if (failsAt === undefined) return justBelow(stored, spec);
  return failsAt !== 'none' && failsAt >= spec.from && failsAt < stored ? failsAt : null;
}

/** A value that failed when the threshold was found to its tolerance; null: there is nothing below. */
function justBelow(stored: number, spec: FindSpec): number | null {
  const exact = stored / (1 + spec.tolerance);
  const below = Math.max(spec.from, isWhole(spec) ? Math.min(stored - 1, Math.floor(exact)) : exact);
  return below < stored ? below : null;
}

/** Finds where the probe passes now that the stored value no longer does. */
function* afterFailing(state: SearchState, stored: number, { law, surprise }: Finding): Asking<Finding> {
  const { from, to } = state.spec;
  const here = (value: number | null): Finding => ({ ...foundAt(state, value).conclude(), law, surprise });
  if (state.sample.isExhausted()) return here(stored);
  const above = stored >= to ? null : yield* searchAll(state, doubled(stored, state.spec));
  return here(above ?? (stored > from ? yield* searchAll(state, from) : null));
}

/** A value below the stored one passed: finds out whether by chance or because the probe now needs less. */
function* afterPassingBelow(
  state: SearchState,
  ticket: Ticket,
  { stored, below }: { readonly stored: number; readonly below: number },
  run: RunSoFar,
): Asking<Finding> {
  if (ticket.expected.kind === 'new') return foundAt(state, stored).conclude();
  if (!ticket.confirm) return foundAt(state, yield* searchAll(state)).conclude();
  const { sample, question, isSameQuestion } = foundAt(state, below);
  const { known } = stateOf(ticket.expected);
  const lower = yield* settleKnown(
    ticket,
    { sample, conclude: () => foundAt(state, stored).conclude() },
    {
      ...{ expectation: 'fail', state: { known: { passed: 0, total: known.total }, doubt: [] }, question },
      isCounted: ({ ask }) => isSameQuestion(ask),
      sign: ({ outcome }) => (outcome.passed ? 'passed' : 'failed'),
    },
    run,
  );
  const found = lower.surprise === 'confirmed' ? yield* searchAll(state) : null;
  if (found !== null && found <= below) {
    return { ...foundAt(state, found).conclude(), law: lower.law, surprise: 'confirmed' };
  }
  // What the lower value showed says nothing of the stored one, of which the doubts are kept.
  const quiet = yield* compareWithKnown(ticket, foundAt(state, stored), run);
  return { ...quiet, needed: Math.max(quiet.needed, lower.needed) };
}
