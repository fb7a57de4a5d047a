import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { renderContext } from '../../assemble/make-report.js';
import type { RenderContext } from '../../report/render.js';
import type { Io } from '../terminal/io.js';
import { textOf } from './options.js';
import type { Options } from '../verb.js';

/**
 * How a verb that reads a run folder shows it: by the `redact` patterns of the config, and without the keys that the config
 * names, since a run may be older than a rule of masking. Without a config, what is like a key or an address is masked,
 * since a run folder can be read anywhere.
 */
export async function readingOf(
  options: Options,
  io: Io,
  journalFolder?: string,
): Promise<Pick<RenderContext, 'redact' | 'exchanges'>> {
  const more = journalFolder === undefined ? {} : { journalFolder };
  const file = resolve(io.cwd, textOf(options, 'config') ?? 'chatspec.yaml');
  if (!existsSync(file)) return renderContext(more);
  const { loadConfig, readEnvironment } = await import('../../config/index.js');
  const { env } = await readEnvironment([io.cwd, dirname(file)], io.env);
  const { config, live } = await loadConfig(file, env);
  return renderContext({ ...more, redact: config?.redact ?? [], keys: live });
}
