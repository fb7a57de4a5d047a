import { connect, plannedTargets } from '../../assemble/connect.js';
import { executePlan } from '../../assemble/execute-plan.js';
import { userError } from '../../files/problems/problem.js';
import { JournalError } from '../../journal/journal-error.js';
import { compressJournal, createJournal, type Journal, resumeJournal } from '../../journal/journal.js';
import { type PreviousRun, recordedPrevious } from '../../journal/previous-run.js';
import type { RecordedExchanges } from '../../journal/recorded-exchanges.js';
import { exitCode } from '../../matrix/run-exit-code.js';
import { diskSpool } from '../../report/gather/failure-spool.js';
import type { FileFormat } from '../../report/render.js';
import { fileFormats } from '../../report/report-formats.js';
import { openGathering } from '../../report/gather/gather.js';
import { redactor } from '../../report/safe/redact.js';
import { jsonText } from '../../report/safe/visible-json.js';
import { folderError } from '../errors/error-exit.js';
import { exitCodes } from '../errors/exit-codes.js';
import { pointLatestTo, pointLatestToResumed, stampOf } from '../../assemble/run-place.js';
import { displayPath, newRunFolder } from '../folders/folders.js';
import { checkHistory } from '../folders/history-of.js';
import { refusePruned } from '../folders/other-run.js';
import { checkNames, checkOut } from '../folders/writable.js';
import { fileFormatsOf } from '../options/formats.js';
import { failOnOf } from '../options/options.js';
import { configGiven, givenOptions } from '../options/recorded-options.js';
import { checkCredentials } from '../runs/check-credentials.js';
import { nothingToAsk } from '../runs/last-failed.js';
import { previousRun } from '../runs/previous-run.js';
import { type PlannedRun, plannedRun } from '../runs/planned-run.js';
import { printReport, writeReport } from '../runs/write-report.js';
import type { Io } from '../terminal/io.js';
import { printProblems } from '../terminal/print-problems.js';
import { openProgress, type Verbosity } from '../terminal/progress/progress.js';
import { systemClock } from '../../run/clock.js';
import { untilInterrupted } from '../terminal/until-interrupted.js';
import type { Options } from '../verb.js';

/** Plans, asks, judges, decides and reports. A signal stops the asking at any time; what is being written is finished. */
export function run(_args: readonly string[], given: Options, terminal: Io): Promise<number> {
  // Errors are thrown, and printed by whoever catches them.
  const io: Io = given['quiet'] === true ? { ...terminal, err: () => undefined } : terminal;
  return untilInterrupted(io, (signal) => runUntil(signal, given, io));
}

/** Throws a UserError if both are given. */
function verbosityOf({ quiet, verbose }: Options): Verbosity {
  if (quiet === true && verbose === true)
    throw userError('--quiet and --verbose contradict each other', 'leave one out');
  return quiet === true ? 'quiet' : verbose === true ? 'verbose' : 'usual';
}

async function runUntil(signal: AbortSignal, given: Options, io: Io): Promise<number> {
  const failOn = failOnOf(given);
  const formats = fileFormatsOf(given);
  const verbosity = verbosityOf(given);
  await checkHistory(given, io);
  await checkOut(given, io);
  const planned = await plannedRun(given, io);
  const { project, warnings, options, plan, shard, concurrency, budget } = planned;
  const { config, env } = project;
  const dryRun = options['dryRun'] === true;
  const targets = plannedTargets(config, plan);
  const nothing = nothingToAsk(plan);
  // An error is printed alone.
  if (nothing === null && !dryRun) checkCredentials(targets, env, io);
  printProblems(warnings, io);
  if (nothing !== null && !dryRun) {
    io.out(options['json'] === true ? `${jsonText({ nothing_to_ask: nothing })}\n` : `${nothing}\n`);
    return exitCodes.ok;
  }
  if (dryRun) return (await import('./list.js')).show(plan, { project, budget, options }, io);

  const connections = await connect(targets, env, { seed: plan.seed, concurrency });
  let opened: OpenRun;
  let interrupted: boolean;
  const gathering = openGathering(diskSpool(() => opened.folder));
  try {
    opened = await openRun(planned, formats, io);
    const { journal, recorded, previous } = opened;
    if (recorded !== null && isComplete(recorded)) {
      io.err(
        `chatspec: the run in ${displayPath(opened.folder, io)} is complete; what it recorded is not asked again\n`,
      );
    }
    const progress = await openProgress(
      {
        ...(recorded !== null && { recorded: { count: recorded.count, lost: recorded.lost.length } }),
        ...{ plan, budget, share: shard === null ? 1 : 1 / shard.of, now: () => systemClock.now() },
        targets: [...connections.targets.values()].map((target) => target.config),
        accounts: new Map([...connections.targets].map(([name, { account = name }]) => [name, account])),
      },
      verbosity,
      redactor(config.redact, project.keys),
      io,
    );
    await executePlan(plan, {
      watchBudget: progress.watchBudget,
      ...{ targets: connections.targets, budget, journal, recorded, signal },
      reporters: [gathering, progress],
      run: { shard, options: { ...givenOptions(options), ...configGiven(options) }, previous },
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
  return exitCode(report, exit);
}

/** What was asked stays valid without: a full disk keeps the journal as it is. */
async function compress(folder: string, complete: boolean, io: Io): Promise<void> {
  const kept = (why: string): void => io.err(`chatspec: the journal is not compressed: ${why}\n`);
  if (!complete) {
    kept('the run can be resumed');
    return;
  }
  try {
    await compressJournal(folder);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    kept(error.message);
  }
}

/** Whether a run ended by itself, with everything asked. */
function isComplete({ finished }: RecordedExchanges): boolean {
  return finished !== null && (finished.stopped ?? []).length === 0;
}

/** Where a run writes, and what it knows about earlier runs. */
interface OpenRun {
  readonly folder: string;
  readonly journal: Journal;
  readonly recorded: RecordedExchanges | null;
  readonly previous: PreviousRun | null;
}

/** Makes the folder of a new run, or opens that of the run to resume. Throws a UserError when it cannot be used. */
async function openRun(planned: PlannedRun, formats: readonly FileFormat[] | undefined, io: Io): Promise<OpenRun> {
  const { project, resumed, shard } = planned;
  const opened = await openFolder(planned, formats, io).catch((error: unknown) => {
    throw folderError(error);
  });
  const started = resumed?.started ?? null;
  const previous = started === null ? await previousRun(project.config, opened.folder, io) : recordedPrevious(started);
  // The next run must not be compared with a single shard.
  if (shard === null) {
    const { config } = project;
    if (started === null) await pointLatestTo(config, opened.folder);
    else await pointLatestToResumed(config, opened.folder, started.at);
  }
  return { ...opened, previous };
}

async function openFolder(
  { project, options, resumed, plan }: PlannedRun,
  formats: readonly FileFormat[] = fileFormats,
  io: Io,
): Promise<Pick<OpenRun, 'folder' | 'journal' | 'recorded'>> {
  const folder = resumed?.folder ?? newRunFolder(project.config, options, io, stampOf(new Date()));
  await checkNames(folder, formats);
  if (resumed !== null) return { folder, ...(await resumeJournal(folder, plan.digest)) };
  await refusePruned(folder, null);
  return { folder, journal: await createJournal(folder), recorded: null };
}
