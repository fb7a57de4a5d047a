import { knowledgeOf } from '../../baseline/knowledge.js';
import type { Ticket } from '../../plan/ticket.js';
import type { FindSpec } from '../../suite/probe.js';
import type { Finding, TrialRange } from '../course.js';
import { confirmDoubt, freshTrialsOf, unbrokenRow } from './confirm.js';
import { doubled, isWhole } from './axis-search.js';
import { fixedSizeCost } from './fixed.js';
import type { Asking } from './sample.js';
import { tally } from './sequential.js';
import {
  foundAt,
  openSearch,
  perValueCost,
  searchAll,
  searchCost,
  searchFromScratch,
  type SearchState,
} from './threshold-search.js';

/**
 * The threshold of a `find` probe. A threshold that the baseline stores is asked again at its value and just below it;
 * the axis is searched only when that contradicts the baseline and is confirmed.
 */
export function* findThreshold(ticket: Ticket, plannedCells: number): Asking<Finding> {
  const state = openSearch(ticket);
  const stored = state === null ? null : storedThreshold(ticket, state.spec);
  if (state === null || stored === null)
    return yield* confirmDoubt(ticket, yield* searchFromScratch(ticket), plannedCells);

  const below = justBelow(stored, state.spec);
  yield* state.search.askAt(below === null ? [stored] : [stored, below], state.search.perValue);
  if (!state.search.passesAt(stored)) return yield* afterFailing(state, ticket, stored, plannedCells);
  if (below !== null && state.search.passesAt(below))
    return yield* afterPassingBelow(state, ticket, { stored, below }, plannedCells);
  return foundAt(state, stored).conclude();
}

/** The stored value and the one below it; at most, the whole search as well. */
export function thresholdCost(ticket: Ticket): TrialRange {
  const spec = ticket.cell.probe.find;
  if (spec === null) return fixedSizeCost(ticket);
  const search = searchCost(ticket, spec);
  if (storedThreshold(ticket, spec) === null) return search;
  const each = perValueCost(ticket);
  return { expected: 2 * each.expected, largest: search.largest + 2 * each.largest };
}

/** null: there is none, or it is outside the range of the search. */
function storedThreshold({ expected }: Ticket, { from, to }: FindSpec): number | null {
  if (expected.kind === 'new') return null;
  const stored = expected.kind === 'pass' ? expected.threshold : expected.entry.threshold;
  return stored === null || stored < from || stored > to ? null : stored;
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
  const finding = yield* confirmDoubt(ticket, here, plannedCells);
  const stays = finding.surprise === 'cleared' || finding.surprise === 'unsettled';
  if (stays || state.sample.isExhausted()) return finding;
  const value = stored >= state.spec.to ? null : yield* searchAll(state, ticket, doubled(stored, state.spec));
  return { ...foundAt(state, value).conclude(), surprise: finding.surprise, fresh: finding.fresh };
}

/** A value below the stored one passed: finds out whether by chance or because the probe now needs less. */
function* afterPassingBelow(
  state: SearchState,
  ticket: Ticket,
  { stored, below }: { readonly stored: number; readonly below: number },
  plannedCells: number,
): Asking<Finding> {
  if (!ticket.confirm) return foundAt(state, yield* searchAll(state, ticket)).conclude();
  const lower = foundAt(state, below);
  const trials = freshTrialsOf(lower, plannedCells);
  const known = knowledgeOf(ticket.expected);
  const { surprise, needed } = yield* unbrokenRow(lower, trials, ({ outcome }) => !outcome.passed, known);
  const { passed, total } = tally(trials.fresh());
  const value = surprise === 'confirmed' ? yield* searchAll(state, ticket) : stored;
  const finding = foundAt(state, value).conclude();
  return {
    ...finding,
    needed: Math.max(finding.needed, needed),
    surprise,
    fresh: { suspicion: 'improvement', passed, total, pValue: null },
  };
}
