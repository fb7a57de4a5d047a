import { mkdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { sweepUnfinished, unfinishedName } from '../../files/write-whole.js';
import type { Io } from '../terminal/io.js';
import { textOf } from '../options/options.js';
import type { Options } from '../verb.js';

/** `2026-11-20T03-17-00-123Z`: sorts by time and is a file name everywhere. */
export function stampOf(now: Date): string {
  return now.toISOString().replace(/[:.]/g, '-');
}

/** The link that always leads to the newest run. */
export function latestFolder(config: Config): string {
  return join(dirname(config.file), 'reports', 'latest');
}

/** The folder of a new run: `--out`, else the config's `out`, with `{stamp}` replaced. */
export function newRunFolder(config: Config, options: Options, io: Io, stamp: string): string {
  const asked = textOf(options, 'out');
  return (asked === undefined ? config.out : resolve(io.cwd, asked)).replaceAll('{stamp}', stamp);
}

/** The folder of the run that `--resume` continues: `--out`, else the newest run. */
export async function resumedFolder(config: Config, options: Options, io: Io): Promise<string> {
  const asked = textOf(options, 'out');
  if (asked !== undefined) return resolve(io.cwd, asked);
  const latest = latestFolder(config);
  try {
    return resolve(dirname(latest), await readlink(latest));
  } catch {
    return latest;
  }
}

/** Points `reports/latest` to the folder. Where links cannot be made, nothing happens: a run does not need it. */
export async function pointLatestTo(config: Config, folder: string): Promise<void> {
  const latest = latestFolder(config);
  if (latest === folder) return;
  const fresh = unfinishedName(latest);
  try {
    await mkdir(dirname(latest), { recursive: true });
    await sweepUnfinished(latest);
    await symlink(relative(dirname(latest), folder), fresh, 'junction');
    await rename(fresh, latest);
  } catch {
    await rm(fresh, { force: true });
  }
}

/** A path as people would write it: relative if that is shorter. */
export function displayPath(path: string, io: Io): string {
  const shorter = relative(io.cwd, path);
  return shorter !== '' && shorter.length < path.length ? shorter : path;
}
