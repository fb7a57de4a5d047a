import { isJudgement } from '../cell/verdict.js';
import type { AcceptedCell, AcceptedQuirk, AcceptedRun } from './accepted-run.js';
import type { AcceptedWire, Baseline, WireEntry } from './entries.js';

const nothingAccepted: AcceptedWire = { quirks: [], only: {}, sometimes: [] };

/** The accepted quirks of a model; null: nobody looked at its wire yet, so that no quirk of it is a change. */
export const acceptedWireOf = ({ wire = [] }: Baseline, model: string): AcceptedWire | null =>
  wire.find((one) => one.model === model) ?? null;

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
    // The few answers of a partial run do not show all that is usual.
    if (before === null && run.last_failed !== undefined) continue;
    // Once there is an entry, what it lacks counts as not there: the first one holds all that the run shows.
    const takesAll = isWhole || before === null;
    const now = seen.filter((one) => one.model === model && (takesAll || one.cells.some((key) => isAccepted({ key }))));
    const after = renewed(before ?? nothingAccepted, now);
    if (before === null || !isSame(before, after)) changed.set(model, { model, ...after });
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

function isSame(one: AcceptedWire, other: AcceptedWire): boolean {
  const facts = ({ quirks, only, sometimes }: AcceptedWire): string =>
    JSON.stringify([[...quirks].sort(), Object.entries(only).sort(), [...sometimes].sort()]);
  return facts(one) === facts(other);
}
