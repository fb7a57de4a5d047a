import { splitAtModel } from '../cell/cell-key.js';
import { isJudgement } from '../cell/verdict.js';
import type { AcceptedCell, AcceptedQuirk, AcceptedRun } from './accepted-run.js';
import type { AcceptedWire, Baseline, WireEntry } from './entries.js';

const nothingAccepted: AcceptedWire = { quirks: [], only: {}, sometimes: [] };

/**
 * The accepted quirks of a model; null: nobody looked at its wire yet, so that no quirk of it is a change. That is so in
 * files that have no `wire`, for models of which they say so, and for models that only a pattern of older files covers.
 */
export function acceptedWireOf({ wire, covers }: Baseline, model: string): AcceptedWire | null {
  if (wire === undefined) return null;
  const entry = wire.find((one) => one.model === model);
  if (entry !== undefined) return entry.quirks === null ? null : { ...entry, quirks: entry.quirks };
  const isWatched = covers.some(({ cells, trials }) => trials !== null && splitAtModel(cells).model === model);
  return isWatched ? nothingAccepted : null;
}

/**
 * The entries of `wire` after a run was accepted, by model; only those that change. A quirk that always showed is
 * accepted as the rule; one that came and went is only remembered, so that neither its presence nor its absence alarms.
 */
export function acceptedWireAfter(
  { run, cells, wire: seen = [] }: AcceptedRun,
  baseline: Baseline | null,
  isAccepted: (cell: Pick<AcceptedCell, 'key'>) => boolean,
): ReadonlyMap<string, WireEntry> {
  const changed = new Map<string, WireEntry>();
  const judged = new Set(cells.filter(({ verdict }) => isJudgement(verdict)).map(({ model }) => model));
  for (const model of judged) {
    const accepted = cells.filter((cell) => cell.model === model && isAccepted(cell));
    if (accepted.length === 0) continue;
    const isWhole = accepted.length === cells.filter((cell) => cell.model === model).length;
    const before = baseline === null ? null : acceptedWireOf(baseline, model);
    // Once there is an entry, what it lacks counts as not there: the first one holds all that the run shows.
    const takesAll = isWhole || before === null;
    const now = seen.filter((one) => one.model === model && (takesAll || one.cells.some((key) => isAccepted({ key }))));
    const written = baseline?.wire?.find((one) => one.model === model);
    if (before === null && run.last_failed !== undefined) {
      // The few answers of a partial run do not show all that is usual.
      if (written === undefined) changed.set(model, { model, quirks: null, only: {}, sometimes: [] });
      continue;
    }
    const entry = { model, ...renewed(before ?? nothingAccepted, now) };
    if (written === undefined || !isSame(written, entry)) changed.set(model, entry);
  }
  // From the first entry on, a model without one counts as one without quirks: the others must say that nobody looked.
  if (changed.size > 0 && baseline !== null && baseline.wire === undefined) {
    for (const { cells: pattern, trials } of baseline.covers) {
      const { model } = splitAtModel(pattern);
      if (trials === null || model === null || model.includes('*') || changed.has(model)) continue;
      changed.set(model, { model, quirks: null, only: {}, sometimes: [] });
    }
  }
  return changed;
}

function renewed(before: AcceptedWire, now: readonly AcceptedQuirk[]): AcceptedWire {
  const quirks = new Set(before.quirks);
  const sometimes = new Set(before.sometimes);
  const only = new Map(Object.entries(before.only));
  for (const { quirk, standing, seen, of, only: group } of now) {
    if (standing === 'gone') quirks.delete(quirk);
    else if (seen > 0 && seen < of) {
      quirks.delete(quirk);
      sometimes.add(quirk);
    } else if (seen > 0 && !sometimes.has(quirk)) {
      quirks.add(quirk);
      if (group === null) only.delete(quirk);
      else only.set(quirk, group);
    }
  }
  return {
    quirks: [...quirks].sort(),
    only: Object.fromEntries([...only].filter(([quirk]) => quirks.has(quirk)).sort()),
    sometimes: [...sometimes].sort(),
  };
}

function isSame(one: WireEntry, other: WireEntry): boolean {
  const facts = ({ quirks, only, sometimes }: WireEntry): string =>
    JSON.stringify([quirks && [...quirks].sort(), Object.entries(only).sort(), [...sometimes].sort()]);
  return facts(one) === facts(other);
}
