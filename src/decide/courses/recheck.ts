import type { Ticket } from '../../plan/ticket.js';
import type { Finding } from '../course.js';
import { confirmed, unbrokenRow } from './confirm.js';
import { counted } from './sequential.js';
import { foundAt, openFind, sampleFind, searchAll, type FindState } from './find.js';
import { doubled, isWhole } from './find-search.js';
import type { Asking } from './sample.js';

/**
 * A threshold. One that the baseline stores is asked again at its value and just below; the axis is searched only when
 * that surprises, and the surprise is no accident.
 */
export function* findOrRecheck(ticket: Ticket, plannedCells: number): Asking<Finding> {
  const state = openFind(ticket);
  const stored = storedThreshold(ticket);
  if (state === null || stored === null || stored < state.spec.from || stored > state.spec.to)
    return yield* confirmed(ticket, yield* sampleFind(ticket), plannedCells);

  const below = justBelow(stored, state);
  yield* state.search.askAt(below === null ? [stored] : [stored, below], state.search.perValue);
  if (!state.search.holds(stored)) return yield* risen(state, ticket, stored, plannedCells);
  if (below !== null && state.search.holds(below)) return yield* fallen(state, ticket, { stored, below }, plannedCells);
  return foundAt(state, stored).conclude();
}

function storedThreshold({ expected }: Ticket): number | null {
  if (expected.kind === 'new') return null;
  return expected.kind === 'pass' ? expected.threshold : expected.entry.threshold;
}

/** Far enough below to have failed when the threshold was found to its tolerance; null: there is nothing below. */
function justBelow(stored: number, { spec }: FindState): number | null {
  const exact = stored / (1 + spec.tolerance);
  const below = Math.max(spec.from, isWhole(spec) ? Math.min(stored - 1, Math.floor(exact)) : exact);
  return below < stored ? below : null;
}

/** It does not pass at the stored value: is that an accident, and if not, where does it pass now? */
function* risen(state: FindState, ticket: Ticket, stored: number, plannedCells: number): Asking<Finding> {
  if (state.counts.totalAt(stored) === 0) return foundAt(state, null).conclude();
  const here = foundAt(state, stored);
  const finding = yield* confirmed(ticket, here, plannedCells);
  const settled = finding.surprise === 'cleared' || finding.surprise === 'unsettled';
  if (settled || state.sample.dry()) return finding;
  const value = stored >= state.spec.to ? null : yield* searchAll(state, ticket, doubled(stored, state.spec));
  return { ...foundAt(state, value).conclude(), surprise: finding.surprise, fresh: finding.fresh };
}

/** It passes below the stored value: a lucky trial, or does it need less than before? */
function* fallen(
  state: FindState,
  ticket: Ticket,
  { stored, below }: { readonly stored: number; readonly below: number },
  plannedCells: number,
): Asking<Finding> {
  if (!ticket.confirm) return foundAt(state, yield* searchAll(state, ticket)).conclude();
  const lower = foundAt(state, below);
  const first = lower.sample.judged(lower.concerns);
  const fresh = () => lower.sample.judged(lower.concerns).slice(first.length);
  const look = { first, fresh, plannedCells };
  const { surprise, needed } = yield* unbrokenRow(lower, look, ({ outcome }) => !outcome.passed);
  const { passed, total } = counted(fresh());
  const value = surprise === 'confirmed' ? yield* searchAll(state, ticket) : stored;
  const finding = foundAt(state, value).conclude();
  return {
    ...finding,
    needed: Math.max(finding.needed, needed),
    surprise,
    fresh: { suspicion: 'improvement', passed, total, pValue: null },
  };
}
