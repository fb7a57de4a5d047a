import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { didYouMean, listedNames } from '../../files/problems/nearest.js';
import { type Problem, userError } from '../../files/problems/problem.js';
import type { RunStarted } from '../../journal/event.js';
import { journalName } from '../../journal/journal.js';
import { readJournal } from '../../journal/read-journal.js';
import { exitCode } from '../../matrix/run-exit-code.js';
import type { Report } from '../../matrix/report-format.js';
import type { Plan } from '../../plan/plan.js';
import { hasReport, readReport } from '../../report/run-folder.js';
import { countedNoun } from '../../report/words/facts.js';
import { shellWord } from '../../report/safe/shell.js';
import { checkOut, refuseOtherRun } from '../folders/folders.js';
import { failOnOf, fileFormatsOf, type Options, optionText } from '../options/options.js';
import {
  filterOptions,
  overRecorded,
  overRecordedSource,
  printTakenOptions,
  recordedOptions,
  requireJournal,
} from '../options/recorded-options.js';
import { checkRecordedOptions, namingJournal } from '../runs/check-recorded.js';
import { type Inputs, loadInputs, planInputs } from '../runs/load-inputs.js';
import { printReport, rejudgeRun, unreadableReport } from '../runs/write-report.js';
import { type Io, printProblems, displayPath } from '../terminal/io.js';

/** Judges the recorded exchanges again by today's suites and rules. The run folder itself stays as it is. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const failOn = failOnOf(options);
  await checkOut(options, io);
  const given = resolve(io.cwd, args[0] ?? '');
  // `reports/latest` is a link: the new report goes beside the run, not beside the link.
  const source = await realpath(given).catch(() => given);
  const folder = resolve(io.cwd, optionText(options, 'out') ?? `${source}-rejudged`);
  const started = await requireJournal(source);
  // The report would be replaced by one that its journal does not explain, or that today's config has made smaller.
  await refuseOtherRun(folder, started?.run ?? null);
  if (started === null) {
    const file = join(displayPath(source, io), journalName);
    throw userError(`${file} is empty: the run was killed before it asked anything`, 'start it again: chatspec run');
  }
  await checkRecordedOptions(started, displayPath(source, io));
  const inputs = await loadInputs(overRecordedSource(started, options), io, started.listed);
  const { project } = inputs;
  const plan = await planLike(source, started, inputs, options, io);
  const exit = { failOn, interrupted: false, maxUnmeasured: project.config.maxUnmeasured, shard: false };
  const written = await rejudgeRun(source, { plan, project, folder, formats: fileFormatsOf({}), exit }, io);
  await printReport(written, options, io);
  return exitCode(written.report, exit);
}

/**
 * The plan of the recorded run by today's suites: with its options, unless others are given, and only with the cells of
 * its report, since a cell that it never planned is not missing.
 */
async function planLike(source: string, started: RunStarted, inputs: Inputs, given: Options, io: Io): Promise<Plan> {
  const unread: Problem[] = [];
  // A killed run has no report; one that cannot be read counts for none.
  const report = !hasReport(source)
    ? null
    : await readReport(source).catch((error: unknown) => {
        unread.push(...unreadableReport(error, 'the journal says what was asked, and is judged again'));
        return null;
      });
  const recorded = recordedOptions(started);
  const isFiltered = report === null || filterOptions.some((name) => given[name] !== undefined);
  const again = started.lastFailed;
  const lacking = await unknownModels(source, report, inputs.project.config);
  const { plan, warnings } = namingJournal(recorded, given, source, () =>
    planInputs(inputs, overRecorded(recorded, given), isFiltered ? again : undefined),
  );
  printProblems([...unread, ...warnings, ...lacking], io);
  printTakenOptions(recorded, given, io);
  const reported = new Set(report?.cells.map(({ key }) => key));
  const cells = isFiltered ? plan.cells : plan.cells.filter(({ cell }) => reported.has(cell.key));
  if (cells.length === 0 && reported.size > 0) {
    throw userError(
      `today's suites and config plan none of the ${countedNoun(reported.size, 'cell')} that were recorded in ${source}`,
      listedNames('it has', [...reported], `chatspec report ${shellWord(source)} --json`),
    );
  }
  return { ...plan, cells, plannedCells: started.plannedCells, ...(again && { lastFailed: again }) };
}

/**
 * Warns of recorded models that the config lacks, since their answers are not judged again. Throws a UserError if it
 * lacks all of them.
 */
async function unknownModels(
  folder: string,
  report: Report | null,
  { targets }: Pick<Config, 'targets'>,
): Promise<readonly Problem[]> {
  const recorded = new Set(report?.models.map(({ id }) => id));
  if (report === null) {
    for await (const line of readJournal(join(folder, journalName))) {
      if (line.type === 'exchange') recorded.add(line.model);
    }
  }
  const known = targets.flatMap(({ models }) => models.map(({ key }) => key));
  const lacking = [...recorded].filter((id) => !known.includes(id));
  if (lacking.length > 0 && lacking.length === recorded.size) {
    const hint = [listedNames('it has', lacking), listedNames('the config has', known)].join('\n    ');
    throw userError(`the config has no model that was recorded in ${folder}`, hint);
  }
  return lacking.flatMap((id) => {
    const message = `the config has no model "${id}", so what was recorded of it is not judged again`;
    const { problems } = userError(message, didYouMean(id, known, 'it has'));
    return problems.map((problem) => ({ ...problem, severity: 'warning' }));
  });
}
