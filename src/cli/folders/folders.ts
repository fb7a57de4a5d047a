import { readlink } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { latestFolder } from '../../assemble/run-place.js';
import type { Config } from '../../config/config.js';
import type { Io } from '../terminal/io.js';
import { textOf } from '../options/options.js';
import type { Options } from '../verb.js';

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

/** A path as people would write it: relative if that is shorter. */
export function displayPath(path: string, io: Io): string {
  const shorter = relative(io.cwd, path);
  return shorter !== '' && shorter.length < path.length ? shorter : path;
}
