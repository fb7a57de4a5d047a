import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { userError } from '../../files/problems/problem.js';
import { compressedName } from '../../journal/compressed.js';
import { journalName } from '../../journal/journal.js';
import { JournalError } from '../../journal/journal-error.js';
import { isInUse, whileLocked } from '../../journal/journal-lock.js';
import { reportFormats } from '../../report/report-formats.js';
import { oneLine } from '../../report/safe/escape.js';
import { countedNoun } from '../../report/words/facts.js';
import { exitCodes, type Io, printData, displayPath } from '../terminal/io.js';
import { recordedRuns, type FoundRun } from '../folders/folders.js';
import { numberOf, type Options } from '../options/options.js';

/**
 * Files that go from a run folder, in this order: `report` makes the reports again from report.json, and `rejudge` all
 * but the journal from the journal, so that it goes last. What stays: the files that history, comparisons and
 * applications read, and the page, to which those of newer runs link and which nobody could make again.
 */
const removable: readonly string[] = [
  ...(['md', 'junit', 'ctrf', 'openmetrics', 'otel', 'failures'] as const).map((name) => reportFormats[name].file),
  compressedName(journalName),
  journalName,
];

/** Why a run folder stays as it is. */
const keepReasons = {
  recent: 'among the newest runs',
  red: 'the newest run with deviations',
  latest: 'reports/latest points to it',
  in_use: 'a run is writing into it',
  unfinished: 'it has no report, and nothing else would be left of it: chatspec run --resume ends it',
  unreadable: 'its files cannot be read',
  failed: 'its files cannot be removed',
} as const;

type KeepReason = keyof typeof keepReasons;

/** One line of what prune did: the public form of `prune --json`. */
interface Pruned {
  readonly folder: string;
  readonly run: string | null;
  readonly started_at: string | null;
  readonly result: 'kept' | 'thinned';
  readonly reason: KeepReason | null;
  readonly removed: readonly string[];
  readonly bytes: number;
}

/** Thins old run folders: the evidence goes, what history and comparisons need stays. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const keep = numberOf(options, 'keep');
  if (keep === undefined) {
    throw userError('prune needs --keep N', 'N is how many of the newest runs stay whole, such as --keep 30');
  }
  const dryRun = options['dryRun'] === true;
  const { under, runs, unreadable } = await recordedRuns(options, io);
  const kept = newest(runs, keep);
  const red = runs.find(({ deviated, reported }) => deviated && reported);
  const pruned: Pruned[] = [];
  for (const one of runs) {
    const result = await prune(one, kept.has(one) ? 'recent' : one === red ? 'red' : null, dryRun);
    pruned.push({ folder: displayPath(one.folder, io), run: one.run, started_at: one.startedAt, ...result });
  }
  for (const folder of unreadable) {
    pruned.push({ folder: displayPath(folder, io), run: null, started_at: null, ...stays('unreadable') });
  }
  const bytes = pruned.reduce((sum, one) => sum + one.bytes, 0);
  const folder = displayPath(under, io);
  const data = { folder, keep, dry_run: dryRun, runs: pruned, freed_bytes: bytes };
  printData(io, options, data, () => pruneReportText(folder, keep, dryRun, pruned, bytes));
  return pruned.some(({ reason }) => reason === 'failed') ? exitCodes.unmeasured : exitCodes.ok;
}

/**
 * The newest whole runs that measured something, with their repeated judgements, and all that began after the oldest of
 * them: what was cut off can still be resumed, and a shard merged, until that many whole runs came after it.
 */
function newest(runs: readonly FoundRun[], keep: number): ReadonlySet<FoundRun> {
  const whole = [...new Set(runs.filter(({ whole, measured }) => whole && measured).map(({ run }) => run))];
  const oldest = runs.find(({ run }) => run === whole[keep - 1])?.startedAt ?? '';
  return new Set(runs.filter(({ startedAt }) => startedAt >= oldest));
}

type Result = Pick<Pruned, 'result' | 'reason' | 'removed' | 'bytes'>;
const stays = (reason: KeepReason): Result => ({ result: 'kept', reason, removed: [], bytes: 0 });

async function prune(
  { folder, latest, reported }: FoundRun,
  reason: KeepReason | null,
  dryRun: boolean,
): Promise<Result> {
  if (reason !== null) return stays(reason);
  if (latest) return stays('latest');
  if (await isInUse(folder)) return stays('in_use');
  if (!reported) return stays('unfinished');
  try {
    return await (dryRun ? thinned(folder, true) : whileLocked(folder, () => thinned(folder, false)));
  } catch (error) {
    if (error instanceof JournalError) return stays(error.reason === 'in_use' ? 'in_use' : 'failed');
    if (error instanceof Error && 'syscall' in error) return stays('failed');
    throw error;
  }
}

/** Links and folders count as nobody's files. */
async function thinned(folder: string, dryRun: boolean): Promise<Result> {
  const removed: string[] = [];
  let bytes = 0;
  for (const name of removable) {
    const file = join(folder, name);
    const found = await lstat(file).catch(() => null);
    if (found === null || !found.isFile()) continue;
    if (!dryRun) await rm(file);
    removed.push(name);
    bytes += found.size;
  }
  return { result: 'thinned', reason: null, removed, bytes };
}

function pruneReportText(
  folder: string,
  keep: number,
  dryRun: boolean,
  runs: readonly Pruned[],
  bytes: number,
): string {
  const [would, freed] = dryRun ? ['would be ', 'would free'] : ['', 'freed'];
  const lines = runs.flatMap(({ folder: name, reason, removed, bytes: size }) => {
    if (removed.length > 0) return [`${would}thinned ${name}: ${fileSizeText(size)}`];
    return reason === null || reason === 'recent' ? [] : [`kept ${name}: ${keepReasons[reason]}`];
  });
  const recent = runs.filter(({ reason }) => reason === 'recent').length;
  const thinned = runs.filter(({ removed }) => removed.length > 0).length;
  const kept = `${recent} of ${countedNoun(runs.length, 'run')} in ${folder} ${recent === 1 ? 'stays' : 'stay'} whole`;
  const last = `--keep ${keep}: ${kept}; ${thinned} ${would}thinned, which ${freed} ${fileSizeText(bytes)}`;
  return [...lines, last].map((line) => `${oneLine(line)}\n`).join('');
}

/** "12.3 MB" */
function fileSizeText(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
