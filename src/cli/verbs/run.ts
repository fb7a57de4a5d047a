import { connect, plannedTargets } from '../../assemble/connect.js';
import { executePlan } from '../../assemble/execute-plan.js';
import { pointLatestTo, pointLatestToResumed, stampOf } from '../../report/history/read-history.js';
import { userError } from '../../files/problems/problem.js';
import { JournalError } from '../../journal/journal-error.js';
import { compressJournal, createJournal, hasJournal, type Journal, resumeJournal } from '../../journal/journal.js';
import { type PreviousRun, recordedPrevious } from '../../journal/event.js';
import type { RecordedExchanges } from '../../journal/read-journal.js';
import { exitCode } from '../../matrix/run-exit-code.js';
import { diskSpool } from '../../report/gather/failure-spool.js';
import type { FileFormat } from '../../report/render.js';
import { openGathering } from '../../report/gather/gather.js';
import { redactor } from '../../report/safe/redact.js';
import { folderError } from '../errors/errors.js';
import { exitCodes, type Io, printData, printProblems, untilInterrupted } from '../terminal/io.js';
import { askedHistory, checkNames, checkOut, displayPath, newRunFolder, refuseOtherRun } from '../folders/folders.js';
import { failOnOf, fileFormatsOf, type Options } from '../options/options.js';
import { configGiven, decidingOptions } from '../options/recorded-options.js';
import { checkCredentials } from '../runs/load-inputs.js';
import { nothingToAsk, type PlannedRun, plannedRun } from '../runs/planned-run.js';
import { previousRun, printReport, writeReport } from '../runs/write-report.js';
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
  const { project, warnings, options, plan, shard, concurrency, budget } = planned;
  const { config, env } = project;
  const targets = plannedTargets(config, plan);
  const nothing = nothingToAsk(plan);
  if (options['dryRun'] === true) {
    printProblems(warnings, io);
    return (await import('./list.js')).show(plan, { project, budget, options }, io);
  }
  // An error is printed alone.
  if (nothing === null) checkCredentials(targets, env, io);
  printProblems(warnings, io);
  if (nothing !== null) {
    printData(io, options, { nothing_to_ask: nothing }, () => `${nothing}\n`);
    return exitCodes.ok;
  }

  const connections = await connect(targets, env, { seed: plan.seed, concurrency });
  let opened: OpenRun;
  let interrupted: boolean;
  const gathering = openGathering(diskSpool(() => opened.folder));
  try {
    opened = await openRun(planned, formats, io).catch((error: unknown) => {
      throw folderError(error);
    });
    const { journal, recorded, previous } = opened;
    if (recorded !== null && recorded.finished !== null && (recorded.finished.stopped ?? []).length === 0) {
      const folder = displayPath(opened.folder, io);
      io.err(`chatspec: the run in ${folder} is complete; what it recorded is not asked again\n`);
    }
    const progress = openProgress(
      {
        ...(recorded !== null && { recorded: { count: recorded.count, lost: recorded.lost.length } }),
        plan,
        budget,
        share: shard === null ? 1 : 1 / shard.of,
        redact: redactor(config.redact, project.keys),
        verbosity: quiet === true ? 'quiet' : verbose === true ? 'verbose' : 'usual',
      },
      io,
    );
    await executePlan(plan, {
      targets: connections.targets,
      budget,
      journal,
      recorded,
      signal,
      reporters: [gathering, progress],
      run: { shard, options: { ...decidingOptions(options), ...configGiven(options) }, previous },
    });
    interrupted = signal.aborted;
  } finally {
    await connections.close();
  }

  const { folder, previous, recorded } = opened;
  const exit = { failOn, interrupted, maxUnmeasured: config.maxUnmeasured, shard: shard !== null };
  const written = await writeReport({ plan, project, gathering, folder, formats, previous, exit, options }, io);
  const { report } = written;
  if (report.run.requests === recorded?.count) {
    const why = report.run.stops.length > 0 ? 'the run had to stop again' : 'every answer had been recorded';
    io.err(`chatspec: nothing was sent: ${why}\n`);
  }
  if (given['compress'] === true) await compress(folder, report.run.complete, io);
  await printReport(written, options, io);
  if (config.baseline === null) io.err('chatspec: the config has no baseline, so nothing is compared\n');
  return exitCode(report, exit);
}

/** What was asked stays valid without: a full disk keeps the journal as it is. */
async function compress(folder: string, complete: boolean, io: Io): Promise<void> {
  const why = !complete
    ? 'the run can be resumed'
    : await compressJournal(folder).then(
        () => null,
        (error: unknown) => (error instanceof JournalError ? error.message : Promise.reject(error as Error)),
      );
  if (why !== null) io.err(`chatspec: the journal is not compressed: ${why}\n`);
}

/** Where a run writes, and what it knows about earlier runs. */
interface OpenRun {
  readonly folder: string;
  readonly journal: Journal;
  readonly recorded: RecordedExchanges | null;
  readonly previous: PreviousRun | null;
}

/** Makes the folder of a new run, or opens that of the run to resume. */
async function openRun(
  { project: { config }, options, resumed, started, plan, shard }: PlannedRun,
  formats: readonly FileFormat[],
  io: Io,
): Promise<OpenRun> {
  const folder = resumed ?? newRunFolder(config, options, io, stampOf(new Date()));
  await checkNames(folder, formats);
  if (resumed === null && !hasJournal(folder)) await refuseOtherRun(folder, null);
  const opened =
    resumed === null
      ? { journal: await createJournal(folder), recorded: null }
      : await resumeJournal(folder, plan.digest);
  const previous = started === null ? await previousRun(config, folder, io) : recordedPrevious(started);
  // The next run must not be compared with a single shard.
  if (shard === null) {
    if (started === null) {
      await pointLatestTo(config, folder);
    } else {
      await pointLatestToResumed(config, folder, started.at);
    }
  }
  return { folder, ...opened, previous };
}
