import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../../config/config.js';
import { userError } from '../../files/problems/problem.js';
import { JournalError } from '../../journal/journal-error.js';
import { readSummary } from '../../report/history/read-history.js';
import { compareTexts } from '../../json/compare-texts.js';
import { startOf } from '../options/recorded-options.js';
import { latestFolder } from '../../assemble/run-place.js';

/** What a run folder says of its run. */
export interface FoundRun {
  readonly folder: string;
  /** The id of the run; a judgement repeated has that of the run that it judges. */
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Whether everything was asked, of all models. */
  readonly whole: boolean;
  /** Whether it has a report, which history reads; a run that was killed has none. */
  readonly reported: boolean;
  readonly latest: boolean;
}

export interface FoundRuns {
  /** The folder that holds the run folders. */
  readonly under: string;
  /** The newest first. */
  readonly runs: readonly FoundRun[];
  /** Folders with a report or a journal that cannot be read. */
  readonly unreadable: readonly string[];
}

const stamp = '{stamp}';

/**
 * The run folders where the config's `out` puts them. Folders that hold no run, and links, are left out. Throws a UserError
 * where `out` names one folder for all runs.
 */
export async function findRuns(config: Config): Promise<FoundRuns> {
  const { under, isName, below } = placeOf(config.out);
  const latest = await realpath(latestFolder(config)).catch(() => null);
  const entries = await readdir(under, { withFileTypes: true }).catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw error;
  });
  const runs: FoundRun[] = [];
  const unreadable: string[] = [];
  for (const entry of entries.filter((one) => one.isDirectory() && isName(one.name))) {
    const folder = join(under, entry.name, below);
    const found = await runIn(folder);
    if (found === 'unreadable') unreadable.push(folder);
    else if (found !== null) runs.push({ ...found, folder, latest: latest !== null && (await isSame(folder, latest)) });
  }
  runs.sort((a, b) => compareTexts(b.startedAt, a.startedAt) || compareTexts(b.folder, a.folder));
  return { under, runs, unreadable };
}

async function isSame(folder: string, real: string): Promise<boolean> {
  return (await realpath(folder).catch(() => folder)) === real;
}

/** `reports/runs/{stamp}`: any folder in reports/runs, since a run may be named with `--out`. */
function placeOf(out: string): { under: string; isName: (name: string) => boolean; below: string } {
  if (!out.includes(stamp)) {
    const message = `out of the config names one folder, ${out}, and not one for each run`;
    throw userError(message, `put ${stamp} into out, such as reports/runs/${stamp}`);
  }
  let under = out;
  let below = '';
  for (; under.includes(stamp); under = dirname(under)) below = join(basename(under), below);
  const [first = '', ...others] = below.split(/[\\/]/).filter((part) => part !== '');
  const [before = '', ...rest] = first.split(stamp);
  const after = rest.at(-1) ?? '';
  if (others.some((part) => part.includes(stamp))) {
    throw userError(
      `out of the config, ${out}, has ${stamp} in several folders`,
      'write it once, as reports/runs/{stamp}',
    );
  }
  const isName = (name: string): boolean =>
    name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
  return { under, isName, below: join(...others) };
}

async function runIn(folder: string): Promise<Omit<FoundRun, 'folder' | 'latest'> | 'unreadable' | null> {
  const summary = await readSummary(folder);
  if (summary === 'unreadable') return summary;
  if (summary !== null) {
    const { id, started_at: startedAt, complete, shard } = summary.run;
    return { run: id, startedAt, whole: complete && !shard, reported: true };
  }
  try {
    const started = await startOf(folder);
    return started === null ? null : { run: started.run, startedAt: started.at, whole: false, reported: false };
  } catch (error) {
    if (error instanceof JournalError) return 'unreadable';
    throw error;
  }
}
