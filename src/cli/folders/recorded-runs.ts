import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { latestFolder } from '../../report/history/latest-run.js';
import { isJudgement } from '../../cell/verdict.js';
import { userError } from '../../files/problems/problem.js';
import { compareTexts } from '../../json/compare-texts.js';
import { JournalError } from '../../journal/journal-error.js';
import { readSummary } from '../../report/history/read-history.js';
import { verdictIn } from '../../report/history/run-summary.js';
import { startOf } from '../options/recorded-options.js';
import { loadTargets } from '../runs/load-inputs.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../options/options.js';
import { isSameFolder } from './folders.js';

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

/**
 * The run folders where the config's `out` puts them: any folder beside them too, since a run may be named with `--out`.
 * Folders that hold no run, and links, are left out. Throws a UserError where `out` names one folder for all runs.
 */
export async function recordedRuns(options: Options, io: Io): Promise<FoundRuns> {
  const { config } = await loadTargets(options, io);
  const [, under = '', before = '', after = '', below = ''] =
    /^([^{]*)[\\/]([^\\/{]*)\{stamp\}([^\\/{]*)([^{]*)$/.exec(config.out) ?? [];
  if (under === '') {
    const message = `out of the config names one folder, ${config.out}, and not one for each run`;
    throw userError(message, 'put {stamp} into it once, such as reports/runs/{stamp}');
  }
  const entries = await readdir(under, { withFileTypes: true }).catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw error;
  });
  const isName = (name: string): boolean =>
    name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
  const runs: FoundRun[] = [];
  const unreadable: string[] = [];
  for (const entry of entries.filter((one) => one.isDirectory() && isName(one.name))) {
    const folder = join(under, entry.name, below);
    const found = await runIn(folder);
    if (found === 'unreadable') unreadable.push(folder);
    else if (found !== null) runs.push({ ...found, folder, latest: await isSameFolder(folder, latestFolder(config)) });
  }
  runs.sort((a, b) => compareTexts(b.startedAt, a.startedAt) || compareTexts(b.folder, a.folder));
  return { under, runs, unreadable };
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
    const nothing = { whole: false, reported: false, measured: false, deviated: false };
    return started === null ? null : { run: started.run, startedAt: started.at, ...nothing };
  } catch (error) {
    if (error instanceof JournalError) return 'unreadable';
    throw error;
  }
}
