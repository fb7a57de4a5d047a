import type { Learned } from '../../baseline/learned.js';
import type { PreviousRun } from '../../journal/previous-run.js';
import type { CellStanding } from './apparent-standing.js';
import { type Known, learnedFrom } from './known-after.js';
import { learnedSince, type SinceAccepted } from './since-accepted.js';

/** Which cells raised an alarm, and the rows of trials that the next run may go on with. */
export function alarmsToldNext(
  cells: readonly (CellStanding & { readonly key: string })[],
): Pick<PreviousRun, 'confirmed' | 'drops'> {
  const confirmed = cells.filter(
    ({ standing, unsettled, waits, drop }) => standing === 'regression' && (!unsettled || waits === true || drop),
  );
  return {
    confirmed: new Set(confirmed.map(({ key }) => key)),
    drops: new Map(
      cells.flatMap(({ key, drop, passes_in_a_row: row }) => {
        const fresh = drop ?? (row === undefined ? undefined : { passed: row, total: row });
        return fresh ? [[key, fresh] as const] : [];
      }),
    ),
  };
}

/** What is learned of a cell, as the next run uses it; null: nothing beyond the baseline. */
export function learnedToldNext(
  { known, since_accepted: since }: { readonly known?: Known | null; readonly since_accepted?: SinceAccepted | null },
  stands: CellStanding,
): Learned | null {
  if (known) return learnedFrom(known, stands);
  return since ? learnedSince(since, stands) : null;
}
