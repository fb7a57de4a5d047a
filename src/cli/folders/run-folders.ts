import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { isJudgement } from '../../cell/verdict.js';
import { loadConfig, readEnvironment } from '../../config/index.js';
import { userError, UserError } from '../../files/problems/problem.js';
import { JournalError } from '../../journal/journal-error.js';
import { readSummary } from '../../report/history/read-history.js';
import { verdictIn } from '../../report/history/run-summary.js';
import { compareTexts } from '../../json/compare-texts.js';
import { startOf } from '../options/recorded-options.js';
import { textOf } from '../options/options.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';
import { latestFolder } from '../../assemble/run-place.js';

/** What a run folder says of its run. */
export interface FoundRun {
  readonly folder: string;
  /** The id of the run; a judgement repeated has that of the run that it judges. */
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Whether everything was asked, of all models, and not only what another run left open. */
  readonly whole: boolean;
  /** Whether it has a report, which history reads; a run that was killed has none. */
  readonly reported: boolean;
  /** Whether it judged any cell. */
  readonly measured: boolean;
  /** Whether it ended red. */
  readonly deviated: boolean;
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
async function findRuns(config: Config): Promise<FoundRuns> {
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

/** Those of the config that the options name. Throws a UserError. */
export async function recordedRuns(options: Options, io: Io): Promise<FoundRuns> {
  return findRuns(await configOf(options, io));
}

/** Only the config: a mistake in a suite does not keep a disk full. Throws a UserError. */
async function configOf(options: Options, io: Io): Promise<Config> {
  const file = resolve(io.cwd, textOf(options, 'config') ?? 'chatspec.yaml');
  const { env } = await readEnvironment([io.cwd, dirname(file)], io.env);
  const { readable, problems } = await loadConfig(file, env);
  if (readable === null) throw new UserError(problems);
  return readable;
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
    const { id, started_at: startedAt, complete, shard, partial } = summary.run;
    const measured = Object.values(summary.cells).some((cell) => isJudgement(verdictIn(cell)));
    const deviated = summary.exit_code === 1;
    return { run: id, startedAt, whole: complete && !shard && partial !== true, reported: true, measured, deviated };
  }
  try {
    const started = await startOf(folder);
    if (started === null) return null;
    const found = { run: started.run, startedAt: started.at, whole: false };
    return { ...found, reported: false, measured: false, deviated: false };
  } catch (error) {
    if (error instanceof JournalError) return 'unreadable';
    throw error;
  }
}
