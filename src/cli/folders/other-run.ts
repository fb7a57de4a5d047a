import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UserError, userError } from '../../files/problems/problem.js';
import { hasJournal } from '../../journal/journal.js';
import { readSummary } from '../../report/history/read-history.js';
import { hasReport } from '../../report/run-folder.js';

/**
 * Whether a folder is that of another run, so that nothing may be written over its files. A run that was pruned has no
 * journal any more, but its report and summary; `report --format json --out` writes a report alone.
 * @param run the id of the run whose files are to be written; null: a new one
 */
export async function holdsOtherRun(folder: string, run: string | null): Promise<boolean> {
  if (hasJournal(folder)) return true;
  if (!hasReport(folder)) return false;
  const summary = await readSummary(folder, { ofReport: false });
  return summary !== null && (summary === 'unreadable' || summary.run.id !== run);
}

/** The refusal to write to such a folder. */
export function holdsRun(folder: string, option: 'out' | 'site' = 'out'): UserError {
  return userError(`${folder} holds a recorded run, which stays as it is`, `name another folder with --${option}`);
}

/** Throws a UserError for a folder in which nothing but the journal of its run is missing, which a new one must not explain. */
export async function refusePruned(folder: string, run: string | null): Promise<void> {
  if (hasJournal(folder) || !(await holdsOtherRun(folder, run))) return;
  throw userError(`${folder} already holds a run; choose another folder`, '--out names another folder');
}

/** Whether two paths lead to the same folder, also by a link. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [real, otherReal] = await Promise.all([one, other].map((path) => realpath(path).catch(() => resolve(path))));
  return real === otherReal;
}
