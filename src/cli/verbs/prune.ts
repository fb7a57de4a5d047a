import { userError } from '../../files/problems/problem.js';
import { JournalError } from '../../journal/journal-error.js';
import { isInUse } from '../../journal/journal-lock.js';
import { oneLine } from '../../report/safe/escape.js';
import { jsonText } from '../../report/safe/visible-json.js';
import { count } from '../../report/words/phrases.js';
import { exitCodes } from '../errors/exit-codes.js';
import { displayPath } from '../folders/folders.js';
import { type FoundRun, recordedRuns } from '../folders/run-folders.js';
import { keptFiles, thinFolder, thinningOf } from '../folders/thin-folder.js';
import { wholeNumber } from '../options/options.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';

/** Why a run folder stays as it is. */
const reasons = {
  recent: 'among the newest runs',
  red: 'the newest run with deviations',
  latest: 'reports/latest points to it',
  in_use: 'a run is writing into it',
  unfinished: 'it has no report, and nothing else would be left of it: chatspec run --resume ends it',
  unreadable: 'its files cannot be read',
  failed: 'its files cannot be removed',
} as const;

type Reason = keyof typeof reasons;

/** One line of what prune did: the public form of `prune --json`. */
interface Pruned {
  readonly folder: string;
  readonly run: string | null;
  readonly started_at: string | null;
  readonly result: 'kept' | 'thinned';
  readonly reason: Reason | null;
  readonly removed: readonly string[];
  readonly bytes: number;
}

/** Thins old run folders: the evidence goes, what history and comparisons need stays. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const keep = wholeNumber(options, 'keep', { least: 1 });
  if (keep === undefined) {
    throw userError('prune needs --keep N', 'N is how many of the newest runs stay whole, such as --keep 30');
  }
  const dryRun = options['dryRun'] === true;
  const { under, runs, unreadable } = await recordedRuns(options, io);
  const kept = newest(runs, keep);
  const red = runs.find(({ deviated, reported }) => deviated && reported);
  const pruned: Pruned[] = [];
  for (const one of runs)
    pruned.push(await prune(one, kept.has(one) ? 'recent' : one === red ? 'red' : null, dryRun, io));
  for (const folder of unreadable) {
    pruned.push({ ...asKept(displayPath(folder, io), 'unreadable'), run: null, started_at: null });
  }
  const done = { folder: displayPath(under, io), keep, dry_run: dryRun, runs: pruned };
  if (options['json'] === true) io.out(`${jsonText({ ...done, freed_bytes: freedBy(pruned) })}\n`);
  else print(done, io);
  return pruned.some(({ reason }) => reason === 'failed') ? exitCodes.unmeasured : exitCodes.ok;
}

/**
 * The newest whole runs that measured something, with their repeated judgements, and everything that began after the oldest of them: what was cut
 * off can still be resumed, and a shard merged, until that many whole runs came after it.
 */
function newest(runs: readonly FoundRun[], keep: number): ReadonlySet<FoundRun> {
  const whole = [...new Set(runs.filter(({ whole, measured }) => whole && measured).map(({ run }) => run))].slice(
    0,
    keep,
  );
  const oldest = whole.length < keep ? '' : (runs.find(({ run }) => run === whole.at(-1))?.startedAt ?? '');
  return new Set(runs.filter(({ startedAt }) => startedAt >= oldest));
}

async function prune(found: FoundRun, reason: Reason | null, dryRun: boolean, io: Io): Promise<Pruned> {
  const { folder, run, startedAt } = found;
  const about = { run, started_at: startedAt };
  const stays = (why: Reason): Pruned => ({ ...asKept(displayPath(folder, io), why), ...about });
  if (reason !== null) return stays(reason);
  if (found.latest) return stays('latest');
  if (await isInUse(folder)) return stays('in_use');
  if (!found.reported) return stays('unfinished');
  try {
    const { files, bytes } = await (dryRun ? thinningOf(folder) : thinFolder(folder));
    return { folder: displayPath(folder, io), ...about, result: 'thinned', reason: null, removed: files, bytes };
  } catch (error) {
    if (error instanceof JournalError) return stays(error.reason === 'in_use' ? 'in_use' : 'failed');
    if (error instanceof Error && 'syscall' in error) return stays('failed');
    throw error;
  }
}

const asKept = (folder: string, reason: Reason) => ({ folder, result: 'kept', reason, removed: [], bytes: 0 }) as const;

const freedBy = (pruned: readonly Pruned[]): number => pruned.reduce((sum, { bytes }) => sum + bytes, 0);

function print(
  { folder, keep, dry_run: dryRun, runs }: { folder: string; keep: number; dry_run: boolean; runs: readonly Pruned[] },
  io: Io,
): void {
  const line = (text: string): void => io.out(`${oneLine(text)}\n`);
  const thinned = runs.filter(({ removed }) => removed.length > 0);
  for (const one of thinned) line(`${dryRun ? 'would thin' : 'thinned'} ${one.folder}: ${sizeOf(one.bytes)}`);
  for (const { folder: name, reason } of runs) {
    if (reason !== null && reason !== 'recent') line(`kept ${name}: ${reasons[reason]}`);
  }
  const before = runs.filter(({ result, removed }) => result === 'thinned' && removed.length === 0).length;
  const recent = runs.filter(({ reason }) => reason === 'recent').length;
  const size = sizeOf(freedBy(runs));
  const parts = [
    `${recent} of ${count(runs.length, 'run')} in ${folder} ${recent === 1 ? 'stays' : 'stay'} whole`,
    `${thinned.length} ${dryRun ? `would be thinned, which would free ${size}` : `thinned, which freed ${size}`}`,
    ...(before > 0 ? [`${before} had been thinned before`] : []),
  ];
  line(`--keep ${keep}: ${parts.join('; ')}`);
  if (thinned.length > 0) line(`Of a thinned run, ${keptFiles.join(', ')} stay.`);
}

/** "12.3 MB" */
function sizeOf(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte');
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
