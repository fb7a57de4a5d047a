import { join } from 'node:path';
import type { Problem } from '../files/problems/problem.js';
import { readText } from '../files/read-text.js';
import type { Environment } from './credentials.js';

/**
 * The environment plus the variables of `.env` in the folders, each of which may be missing. The environment takes
 * precedence over the files, and a later folder over an earlier one.
 */
export async function readEnvironment(
  folders: readonly string[],
  env: Environment,
): Promise<{ readonly env: Environment; readonly problems: readonly Problem[] }> {
  const read = [...new Set(folders)].map((folder) => readText(join(folder, '.env')));
  const problems = read.flatMap((file) => (file.ok || file.missing ? [] : [file.problem]));
  const texts = read.flatMap((file) => (file.ok ? [file.text] : []));
  if (texts.length === 0) return { env, problems };
  const { parse } = await import('dotenv');
  return { env: Object.assign({}, ...texts.map((text) => parse(text)), env) as Environment, problems };
}
