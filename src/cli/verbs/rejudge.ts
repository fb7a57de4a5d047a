import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { listedNames } from '../../files/problems/nearest.js';
import { userError } from '../../files/problems/problem.js';
import type { RunStarted } from '../../journal/event.js';
import { exitCode } from '../../matrix/run-exit-code.js';
import type { Report } from '../../matrix/report-format.js';
import type { AbsentSetting } from '../../plan/cells/absent-settings.js';
import type { Plan } from '../../plan/ticket.js';
import { failOnOf, textOf } from '../options/options.js';
import {
  filters,
  overRecorded,
  printTakenOptions,
  recordedOptions,
  requireJournal,
  startOf,
  withoutFilters,
} from '../options/recorded-options.js';
import { holdsOtherRun, holdsRun } from '../folders/other-run.js';
import { checkOut } from '../folders/writable.js';
import { type Inputs, loadInputs, planFor } from '../runs/load-inputs.js';
import { checkRecordedModels, reportIn } from '../runs/recorded-models.js';
import { rejudgeRun } from '../runs/rejudge-run.js';
import { printReport } from '../runs/write-report.js';
import { count } from '../../report/words/phrases.js';
import { shellWord } from '../../report/words/shell-word.js';
import type { Io } from '../terminal/io.js';
import { printProblems } from '../terminal/print-problems.js';
import type { Options } from '../verb.js';

/** Judges the recorded exchanges again by today's suites and rules. The run folder itself stays as it is. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const failOn = failOnOf(options);
  await checkOut(options, io);
  const source = await realFolder(resolve(io.cwd, args[0] ?? ''));
  const folder = resolve(io.cwd, textOf(options, 'out') ?? `${source}-rejudged`);
  await requireJournal(source);
  const started = await startOf(source);
  // Its report would be replaced by one that its journal does not explain, or that today's config has made smaller.
  if (await holdsOtherRun(folder, started?.run ?? null)) throw holdsRun(folder);
  const inputs = await loadInputs(options, io);
  const { project } = inputs;
  const plan = await planLike({ source, started }, inputs, options, io);
  const exit = { failOn, interrupted: false, maxUnmeasured: project.config.maxUnmeasured, shard: false };
  const written = await rejudgeRun({ plan, project, source, folder, formats: undefined, exit }, io);
  await printReport(written, options, io);
  return exitCode(written.report, exit);
}

/** `reports/latest` is a link: the new report goes beside the run, not beside the link. */
async function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

interface Recorded {
  /** The run folder. */
  readonly source: string;
  /** null: the journal has no first line. */
  readonly started: RunStarted | null;
}

/**
 * The plan of the recorded run by today's suites: with its options, unless others are given, and only with the cells of
 * its report, since a cell that it never planned is not missing.
 */
async function planLike({ source, started }: Recorded, inputs: Inputs, given: Options, io: Io): Promise<Plan> {
  const { report, warnings: unread } = await reportIn(source);
  const recorded = started === null ? {} : recordedOptions(started);
  const chosen = filters.some((name) => given[name] !== undefined);
  // The report lists the cells. A recorded filter may match none of them if probes have been renamed since.
  const taken = report === null && !chosen ? recorded : withoutFilters(recorded);
  const again = started?.lastFailed;
  const isFiltered = chosen || report === null;
  const { plan: planned, warnings } = planFor(inputs, overRecorded(taken, given), isFiltered ? again : undefined);
  printProblems([...unread, ...warnings, ...(await checkRecordedModels(source, report, inputs.project.config))], io);
  printTakenOptions(taken, given, io);
  const plan = again === undefined ? planned : { ...planned, lastFailed: again };
  const plannedCells = started?.plannedCells ?? plan.plannedCells;
  if (report === null || chosen) return { ...plan, plannedCells };
  const reported = new Set(report.cells.map(({ key }) => key));
  const tickets = plan.tickets.filter(({ cell }) => reported.has(cell.key));
  if (tickets.length === 0 && reported.size > 0)
    throw userError(
      `today's suites and config plan none of the ${count(reported.size, 'cell')} that were recorded in ${source}`,
      listedNames('it has', [...reported], `chatspec report ${shellWord(source)} --json`),
    );
  return { ...plan, plannedCells, tickets, absent: plan.absent.flatMap((one) => notAskedIn(report, one) ?? []) };
}

/** Of the probes that lack a setting, those that the run would have asked: its filter left out the others. */
function notAskedIn({ models }: Report, absent: AbsentSetting): AbsentSetting | null {
  const told = models.find(({ id }) => id === absent.model)?.not_asked ?? [];
  const known = told.find(({ settings, label }) => settings === absent.settings && label === absent.label);
  const probes = absent.probes.filter((probe) => known?.probes.includes(probe) === true);
  return probes.length === 0 ? null : { ...absent, probes };
}
