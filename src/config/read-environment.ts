import { join } from 'node:path';
import type { Problem } from '../files/problems/problem.js';
import { readText } from '../files/read-text.js';
import type { Environment } from './credentials.js';

/** The environment plus the variables of `.env` in the folder. The environment takes precedence; `.env` may be missing. */
export async function readEnvironment(
  folder: string,
  env: Environment,
): Promise<{ readonly env: Environment; readonly problems: readonly Problem[] }> {
  const read = await readText(join(folder, '.env'));
  if (!read.ok) return { env, problems: read.missing ? [] : [read.problem] };
  const { parse } = await import('dotenv');
  return { env: { ...parse(read.text), ...env }, problems: [] };
}
