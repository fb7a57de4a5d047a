import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Problem } from '../files/problems/problem.js';
import { readText } from '../files/read-text.js';
import type { Environment } from './credentials.js';

/**
 * The environment plus the variables of `.env` in the folders, each of which may be missing. The environment takes
 * precedence over the files, and a later folder over an earlier one.
 */
export function readEnvironment(
  folders: readonly string[],
  env: Environment,
): Promise<{ readonly env: Environment; readonly problems: readonly Problem[] }> {
  const read = [...new Set(folders)].map((folder) => readText(join(folder, '.env')));
  const problems = read.flatMap((file) => (file.ok || file.missing ? [] : [file.problem]));
  const texts = read.flatMap((file) => (file.ok ? [file.text] : []));
  const all = Object.assign({}, ...texts.map((text) => parseEnv(text)), env) as Environment;
  return Promise.resolve({ env: all, problems });
}
