import { posix, relative, resolve, sep } from 'node:path';
import { configOption } from '../../report/words/shell-word.js';

/** Where the config of a new project stands, as seen from the folder in which its commands are typed. */
export interface ConfigPlace {
  /** As a command names it, with slashes. */
  readonly file: string;
  /** Its folder, beside which runs and suites stand; `.` for the folder of the commands. */
  readonly folder: string;
  /** What every command needs in order to find it; empty for the usual one. */
  readonly option: string;
}

export function configPlace(cwd: string, named: string): ConfigPlace {
  const file = relative(cwd, resolve(cwd, named)).split(sep).join('/');
  return { file, folder: posix.dirname(file), option: configOption(file) };
}
