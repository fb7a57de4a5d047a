import type { FailsAt } from '../../baseline/entries.js';
import { failsAsKnown } from '../../baseline/expected.js';
import { knowledgeOf } from '../../baseline/knowledge.js';
import type { Count } from '../../stats/count.js';
import type { Ticket } from '../../plan/ticket.js';
import { passesToReliable } from '../../stats/sequential-test.js';
import type { FindSpec } from '../../suite/probe.js';
import type { Finding, TrialRange } from '../course.js';
import { rowAgainst } from '../false-alarms.js';
import { confirmDoubt, freshTrialsOf, unbrokenRow } from './confirm.js';
import { speakingFor } from './axis-counts.js';
import { doubled, failuresOutright, insist, isRejected, isWhole, prove, valuesAsked } from './axis-search.js';
import { fixedSizeCost, sampleFixedSize } from './fixed.js';
import { baselineDoubt, type BaselineDoubt } from './baseline-doubt.js';
import { freshLimit } from './conclusion.js';
import type { Asking, SampledCell } from './sample.js';
import { tally } from './sequential.js';
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
 * the axis is searched only when that contradicts the baseline and is confirmed.
 */
export function* findThreshold(ticket: Ticket, plannedCells: number): Asking<Finding> {
  const state = openSearch(ticket);
  const stored = state === null ? null : storedThreshold(ticket, state.spec);
  if (state === null) return yield* confirmDoubt(ticket, yield* sampleFixedSize(ticket), plannedCells);
  if (stored === null) {
    const found = yield* searchUnlessKnown(state, ticket, plannedCells);
    return yield* confirmDoubt(ticket, found, plannedCells, doubtAbout(state, ticket, found, plannedCells));
  }

  const below = valueBelow(ticket, stored, state.spec);
  const { search } = state;
  yield* search.askAt(below === null ? [stored] : [stored, below], search.perValue);
  if (!neverFailedAt(state, stored)) return yield* afterFailing(state, ticket, stored, plannedCells);
  if (below !== null && neverFailedAt(state, below))
    return yield* afterPassingBelow(state, ticket, { stored, below }, plannedCells);
  return foundAt(state, stored).conclude();
}

/** Where the baseline knows that no value is reliable, the largest one is asked first: only if that changed is there more to find. */
function* searchUnlessKnown(state: SearchState, ticket: Ticket, plannedCells: number): Asking<SampledCell> {
  const { search, spec, sample, counts } = state;
  if (search.proves && knownFlaky(ticket) !== null) {
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
  yield* insist(search, timesWithoutPass(ticket, plannedCells));
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

/** How often each value must fail until none is said to pass. A known failure is not asked more often than it was. */
function timesWithoutPass(ticket: Ticket, plannedCells: number): number {
  if (ticket.expected.kind === 'new') return failuresOutright;
  const known = knownFlaky(ticket);
  return known === null ? 1 : (rowAgainst(known, 'regression', plannedCells, freshLimit) ?? failuresOutright);
}

/** How often a cell without a reliable value is known to pass; null: it is not known to pass sometimes. */
function knownFlaky({ expected }: Ticket): Count | null {
  if (expected.kind !== 'entry' || expected.entry.verdict !== 'flaky') return null;
  const { passed, total } = expected.entry;
  return { passed: passed ?? 0, total: total ?? 0 };
}

/** As for any cell, but the counts of a value that a search chose look better than they are. */
function doubtAbout(
  { spec }: SearchState,
  ticket: Ticket,
  sampled: SampledCell,
  plannedCells: number,
): BaselineDoubt | null {
  const doubt = ticket.confirm ? baselineDoubt(ticket, sampled, plannedCells) : null;
  return doubt?.by === 'rate' ? { ...doubt, chosenFrom: choicesOf(spec) } : doubt;
}

function choicesOf(spec: FindSpec): number {
  const { doublings, bisections } = valuesAsked(spec);
  return doublings + bisections;
}

/** The stored value and the one below it; at most, the whole search as well, from the stored value and from the start. */
export function thresholdCost(ticket: Ticket): TrialRange {
  const spec = ticket.cell.probe.find;
  if (spec === null) return fixedSizeCost(ticket);
  const search = searchCost(ticket, spec);
  const stored = storedThreshold(ticket, spec);
  if (stored === null) {
    const again = !waysOf(ticket).proves ? 0 : knownFlaky(ticket) === null ? failuresOutright : freshLimit;
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
    : proves && knownFlaky(ticket) !== null
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

/** The stored value failed: finds out whether by chance and, if not, where the probe passes now. */
function* afterFailing(state: SearchState, ticket: Ticket, stored: number, plannedCells: number): Asking<Finding> {
  if (state.counts.totalAt(stored) === 0) return foundAt(state, null).conclude();
  const here = foundAt(state, stored);
  const finding = yield* confirmDoubt(ticket, here, plannedCells, atTheEdge(state, ticket, here, plannedCells));
  const stays = finding.surprise === 'cleared' || finding.surprise === 'unsettled';
  if (stays || state.sample.isExhausted()) return finding;
  const { from, to } = state.spec;
  const above = stored >= to ? null : yield* searchAll(state, doubled(stored, state.spec));
  const value = above ?? (stored > from ? yield* searchAll(state, from) : null);
  return { ...foundAt(state, value).conclude(), surprise: finding.surprise, fresh: finding.fresh };
}

/**
 * A stored value may sit on the slope between failing and passing, so that it passes at a rate in between. A known one is
 * therefore compared with what the search saw there, instead of being tested as a cell that passes always.
 */
function atTheEdge(
  state: SearchState,
  ticket: Ticket,
  sampled: SampledCell,
  plannedCells: number,
): BaselineDoubt | null {
  const { expected, confirm } = ticket;
  const isWellKnown = expected.kind === 'pass' && expected.trials !== undefined && knowledgeOf(expected) === null;
  if (!confirm || !isWellKnown || sampled.conclude().verdict === 'inconclusive')
    return doubtAbout(state, ticket, sampled, plannedCells);
  const baseline = { passed: expected.trials, total: expected.trials };
  return { suspicion: 'regression', by: 'rate', baseline, pooled: false, chosenFrom: choicesOf(state.spec) };
}

/** A value below the stored one passed: finds out whether by chance or because the probe now needs less. */
function* afterPassingBelow(
  state: SearchState,
  ticket: Ticket,
  { stored, below }: { readonly stored: number; readonly below: number },
  plannedCells: number,
): Asking<Finding> {
  if (!ticket.confirm) return foundAt(state, yield* searchAll(state)).conclude();
  const lower = foundAt(state, below);
  const trials = freshTrialsOf(lower, plannedCells);
  const known = knowledgeOf(ticket.expected)?.total ?? null;
  const row = yield* unbrokenRow(lower, trials, ({ outcome }) => !outcome.passed, known);
  const { passed, total } = tally(trials.fresh());
  const found = row.surprise === 'confirmed' ? yield* searchAll(state) : null;
  const hasFallen = found !== null && found <= below;
  const finding = foundAt(state, hasFallen ? found : stored).conclude();
  return {
    ...finding,
    needed: Math.max(finding.needed, row.needed),
    surprise: row.surprise === 'confirmed' && !hasFallen ? 'cleared' : row.surprise,
    fresh: { suspicion: 'improvement', passed, total, pValue: null },
  };
}
