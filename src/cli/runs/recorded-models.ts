import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { listedNames, nearHint, nearNames } from '../../files/problems/nearest.js';
import { type Problem, UserError, userError } from '../../files/problems/problem.js';
import { journalName } from '../../journal/journal.js';
import { readJournal } from '../../journal/read-journal.js';
import type { Report } from '../../matrix/report-format.js';
import { hasReport, readReport } from '../../report/run-folder.js';

/** The report of a run to judge again. A killed run has none. One that cannot be read counts for none, with a warning. */
export async function reportIn(
  folder: string,
): Promise<{ readonly report: Report | null; readonly warnings: readonly Problem[] }> {
  if (!hasReport(folder)) return { report: null, warnings: [] };
  try {
    return { report: await readReport(folder), warnings: [] };
  } catch (error) {
    return { report: null, warnings: unreadableReport(error, 'the journal says what was asked, and is judged again') };
  }
}

/** A report that cannot be read as a warning, with what is done without it. Throws any other error on. */
export function unreadableReport(error: unknown, instead: string): readonly Problem[] {
  if (!(error instanceof UserError)) throw error;
  return error.problems.map(({ message }) => ({
    ...{ severity: 'warning', place: null, message: `${message}; ${instead}` },
  }));
}

/**
 * Warns of recorded models that the config lacks, since their answers are not judged again. Throws a UserError if it lacks
 * all of them.
 */
export async function checkRecordedModels(
  folder: string,
  report: Report | null,
  { targets }: Pick<Config, 'targets'>,
): Promise<readonly Problem[]> {
  const recorded = report === null ? await askedIn(folder) : report.models.map(({ id }) => id);
  const known = targets.flatMap(({ models }) => models.map(({ key }) => key));
  const lacking = recorded.filter((id) => !known.includes(id));
  if (lacking.length === 0) return [];
  if (lacking.length === recorded.length) {
    const hint = [listedNames('it has', recorded), listedNames('the config has', known)].join('\n    ');
    throw userError(`the config has no model that was recorded in ${folder}`, hint);
  }
  return lacking.map((id) => {
    const hint = nearHint(nearNames(id, known), { title: 'the models of the config', names: known });
    const message = `the config has no model "${id}", so what was recorded of it is not judged again`;
    return { severity: 'warning', place: null, message, ...(hint !== undefined && { hint }) };
  });
}

async function askedIn(folder: string): Promise<readonly string[]> {
  const models = new Set<string>();
  for await (const line of readJournal(join(folder, journalName))) if (line.type === 'exchange') models.add(line.model);
  return [...models];
}
