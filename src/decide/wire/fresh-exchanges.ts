import type { AcceptedWire } from '../../baseline/entries.js';
import type { Outcome } from '../../judge/outcome.js';
import { wireGroups, type WireForm } from '../../judge/wire/wire-form.js';
import type { Ask, PlannedCell } from '../../plan/plan.js';
import { doubtfulQuirks, openWireTally } from './wire-standing.js';
import { writtenJson } from '../../json/json.js';

/** Most fresh exchanges of one model: two settle one doubt, and one exchange often settles several. */
export const mostFreshTrials = 6;

/** A trial that is asked once more, only to see its wire. */
interface FreshTrial {
  readonly planned: PlannedCell;
  readonly ask: Ask;
}

/** The wire of one model's trials, and the trials that could be asked again. */
export interface WireWatch {
  readonly addControl: (outcome: Outcome) => void;
  readonly addTrial: (cell: string, ask: Ask, outcome: Outcome) => void;
  /**
   * The next trial to ask: one more of those that showed a quirk nobody accepted, as long as it showed every time, but
   * in fewer exchanges than make a rule. null: nothing is in doubt. The choice depends on the trials alone, in
   * whichever order they ended, so that a run that is resumed or judged again asks the same.
   */
  readonly next: () => FreshTrial | null;
}

/** All trials of a cell with the same question. */
interface Repeatable {
  readonly ask: Pick<Ask, 'kind' | 'patch'>;
  lastSample: number;
  /** The quirks that nobody accepted for such answers. */
  readonly shown: Set<string>;
}

/**
 * @param cells of one model, in the order of the plan
 * @param accepted null: nothing is known of its wire, so nothing is in doubt
 */
export function watchWire(cells: readonly PlannedCell[], accepted: AcceptedWire | null): WireWatch {
  const tally = openWireTally();
  const byCell = new Map<string, Map<string, Repeatable>>();
  return {
    addControl({ wire }) {
      for (const sighting of wire) tally.add(null, null, sighting);
    },
    addTrial(cell, { kind, patch, sample }, { wire }) {
      if (accepted === null) return;
      const asked = byCell.get(cell) ?? new Map<string, Repeatable>();
      byCell.set(cell, asked);
      const question = writtenJson([kind, patch]);
      const repeatable = asked.get(question) ?? { ask: { kind, patch }, lastSample: sample, shown: new Set() };
      asked.set(question, repeatable);
      repeatable.lastSample = Math.max(repeatable.lastSample, sample);
      for (const sighting of wire) {
        tally.add(cell, null, sighting);
        for (const quirk of sighting.seen) {
          if (!isQuirkAccepted(accepted, quirk, sighting.form)) repeatable.shown.add(quirk);
        }
      }
    },
    next() {
      if (accepted === null) return null;
      for (const quirk of doubtfulQuirks(tally, accepted)) {
        const found = trialShowing(quirk, cells, byCell);
        if (found !== null) return found;
      }
      return null;
    },
  };
}

/** Accepted for answers of this form: its trials say nothing about the others. */
function isQuirkAccepted({ quirks, only }: AcceptedWire, quirk: string, form: WireForm): boolean {
  const forms: readonly WireForm[] = wireGroups[only[quirk] ?? 'all'];
  return quirks.includes(quirk) && forms.includes(form);
}

/** Of the cell that takes the fewest requests; the control and cells that are not confirmed are not asked again. */
function trialShowing(
  quirk: string,
  cells: readonly PlannedCell[],
  byCell: ReadonlyMap<string, ReadonlyMap<string, Repeatable>>,
): FreshTrial | null {
  const showing = cells.flatMap((planned) => {
    if (!planned.confirm) return [];
    const questions = [...(byCell.get(planned.cell.key) ?? [])].filter(([, { shown }]) => shown.has(quirk));
    const [first] = questions.sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
    return first === undefined ? [] : [{ planned, repeatable: first[1], steps: planned.cell.probe.steps.length }];
  });
  const fewest = Math.min(...showing.map(({ steps }) => steps));
  const chosen = showing.find(({ steps }) => steps === fewest);
  if (chosen === undefined) return null;
  const { planned, repeatable } = chosen;
  return { planned, ask: { ...repeatable.ask, sample: repeatable.lastSample + 1 } };
}
