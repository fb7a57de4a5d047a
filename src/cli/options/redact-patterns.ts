import { resolve } from 'node:path';
import { existsSync } from 'node:fs';
import type { Io } from '../terminal/io.js';
import { textOf } from './options.js';
import type { Options } from '../verb.js';

/** The config's `redact` patterns; none without a config, since a run folder can be read anywhere. */
export async function redactPatterns(options: Options, io: Io): Promise<readonly string[]> {
  const file = resolve(io.cwd, textOf(options, 'config') ?? 'chatspec.yaml');
  if (!existsSync(file)) return [];
  const { loadConfig } = await import('../../config/index.js');
  return (await loadConfig(file, io.env)).config?.redact ?? [];
}
