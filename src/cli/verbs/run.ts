import { namesInConfig } from '../../config/config.js';
import { plannedTargets } from '../../assemble/connect.js';
import type { RunReporter } from '../../assemble/execute-plan.js';
import { type OpenedRun, runProject } from '../../assemble/run-project.js';
import { userError } from '../../files/problems/problem.js';
import { JournalError } from '../../journal/journal-error.js';
import { compressJournal, hasJournal } from '../../journal/journal.js';
import { answerPaces, stampOf } from '../../report/history/read-history.js';
import { redactor } from '../../report/safe/redact.js';
import { folderError } from '../terminal/errors.js';
import { askedHistory, checkNames, checkOut, newRunFolder, refuseOtherRun } from '../folders/folders.js';
import { failOnOf, fileFormatsOf, type Options } from '../options/options.js';
import { configGiven, decidingOptions } from '../options/recorded-options.js';
import { checkCredentials } from '../runs/load-inputs.js';
import { nothingToAsk, type PlannedRun, plannedRun } from '../runs/planned-run.js';
import { printOlderLatest, printReport, printWithoutPrevious, shownHere, verbosityOf } from '../runs/write-report.js';
import { exitCodes, type Io, printData, printProblems, untilInterrupted, displayPath } from '../terminal/io.js';
import { openProgress } from '../terminal/progress.js';

/**
 * Plans, asks, judges, decides and reports. A signal stops the asking at any time; what is being written is finished.
 */
export function run(_args: readonly string[], given: Options, terminal: Io): Promise<number> {
  // Errors are thrown, and printed by whoever catches them.
  const io: Io = given['quiet'] === true ? { ...terminal, err: () => undefined } : terminal;
  return untilInterrupted(io, (signal) => runUntil(signal, given, io));
}

async function runUntil(signal: AbortSignal, given: Options, io: Io): Promise<number> {
  const failOn = failOnOf(given);
  const formats = fileFormatsOf(given);
  const { quiet, verbose } = given;
  if (quiet === true && verbose === true) {
    throw userError('--quiet and --verbose contradict each other', 'leave one out');
  }
  await askedHistory(given, io);
  await checkOut(given, io);
  const planned = await plannedRun(given, io);
  const { project, warnings, options, plan, shard, concurrency, budget, resumed } = planned;
  const { config, env } = project;
  const targets = plannedTargets(config, plan);
  const nothing = nothingToAsk(plan);
  if (options['dryRun'] === true) {
    printProblems(warnings, io);
    const paces = await answerPaces(project.config);
    return (await import('./list.js')).show(plan, { project, budget, options, paces }, io);
  }
  // An error is printed alone.
  if (nothing === null) checkCredentials(targets, env, io);
  printProblems(warnings, io);
  if (nothing !== null) {
    printData(io, options, { nothing_to_ask: nothing }, () => `${nothing}\n`);
    return exitCodes.ok;
  }

  const folder = resumed ?? newRunFolder(config, options, io, stampOf(new Date()));
  await checkNames(folder, formats);
  if (resumed === null && !hasJournal(folder)) await refuseOtherRun(folder, null);
  let isOpen = false;
  const ended = await runProject(project, {
    plan,
    folder,
    resume: resumed !== null,
    formats,
    concurrency,
    budget,
    signal,
    reporters: (opened) => {
      isOpen = true;
      return [progressOf(planned, opened, given, io)];
    },
    given: { ...decidingOptions(options), ...configGiven(options) },
    failOn,
    render: shownHere(folder, io),
    onUnreadable: (error) => printWithoutPrevious(error, io),
    shard: shard ?? undefined,
    history: await askedHistory(options, io),
  }).catch((error: unknown) => {
    throw isOpen ? error : folderError(error);
  });

  const { report, recorded } = ended;
  if (report.run.requests === recorded?.count) {
    const why = report.run.stops.length > 0 ? 'the run had to stop again' : 'every answer had been recorded';
    io.err(`chatspec: nothing was sent: ${why}\n`);
  }
  if (given['compress'] === true) await compress(folder, report.run.complete, io);
  await printReport(ended, options, io);
  if (shard === null) await printOlderLatest(config, folder, report, io);
  if (config.baseline === null) io.err('chatspec: the config has no baseline, so nothing is compared\n');
  return ended.exitCode;
}

function progressOf(planned: PlannedRun, { folder, recorded }: OpenedRun, given: Options, io: Io): RunReporter {
  const { project, plan, budget, shard } = planned;
  const wasFinished = recorded !== null && recorded.finished !== null && (recorded.finished.stopped ?? []).length === 0;
  if (wasFinished) {
    io.err(`chatspec: the run in ${displayPath(folder, io)} is complete; what it recorded is not asked again\n`);
  }
  return openProgress(
    {
      ...(recorded !== null && { recorded: { count: recorded.count, lost: recorded.lost.length } }),
      plan,
      budget,
      share: shard === null ? 1 : 1 / shard.of,
      redact: redactor(project.config.redact, project.keys, namesInConfig(project.config)),
      verbosity: verbosityOf(given),
    },
    io,
  );
}

/** The journal stays valid without the report: a full disk keeps it as it is. */
async function compress(folder: string, complete: boolean, io: Io): Promise<void> {
  const why = !complete
    ? 'the run can be resumed'
    : await compressJournal(folder).then(
        () => null,
        (error: unknown) => (error instanceof JournalError ? error.message : Promise.reject(error as Error)),
      );
  if (why !== null) io.err(`chatspec: the journal is not compressed: ${why}\n`);
}
