import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { userError } from '../../files/problems/problem.js';
import { redactor } from '../../report/text/redact.js';
import { type Format, formats, type RenderContext } from '../../report/render.js';
import { renderers } from '../../report/renderers.js';
import { fileNames, readReport, writeRunFolder } from '../../report/run-folder.js';
import { exitCodes } from '../errors/exit-codes.js';
import { exchangesIn } from '../../journal/find-exchanges.js';
import { shown } from '../folders/folders.js';
import type { Io } from '../terminal/io.js';
import { listOf, textOf } from '../options/options.js';
import { redactPatterns } from '../options/redact-patterns.js';
import type { Options } from '../verb.js';
import { unwritable, writableFolder } from '../folders/writable.js';

/** Renders a run again, sending nothing: to the terminal, or as files. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const source = resolve(io.cwd, args[0] ?? '');
  const wanted = formatsOf(options);
  const report = await readReport(source);
  const folder = resolve(io.cwd, textOf(options, 'out') ?? source);
  const redact = redactor(await redactPatterns(options, io));
  const context: RenderContext = {
    redact,
    exchanges: exchangesIn(source),
    failures: [],
    folder: shown(source, io),
    color: io.color,
    columns: io.columns,
  };
  if (wanted.includes('terminal')) io.out(await renderers.terminal(report, context));
  if (wanted.includes('failures')) io.out(redact(await readFile(join(source, fileNames.failures), 'utf8')));
  const files = wanted.filter((format) => format !== 'terminal' && format !== 'failures');
  if (options['json'] === true) io.out(await renderers.json(report, context));
  if (files.length > 0) {
    await writableFolder(folder);
    await writeRunFolder(folder, report, context, files).catch((error: unknown) => {
      throw unwritable(error, folder);
    });
    for (const format of files) io.err(`${shown(join(folder, fileNames[format]), io)}\n`);
  }
  return exitCodes.ok;
}

function formatsOf(options: Options): readonly Format[] {
  const asked = listOf(options, 'format') ?? (options['json'] === true ? [] : ['terminal']);
  const unknown = asked.filter((name) => !(formats as readonly string[]).includes(name));
  if (unknown.length === 0) return formats.filter((name) => asked.includes(name));
  const message = `--format takes a list of ${formats.join(', ')}, not "${unknown.join(',')}"`;
  throw userError(message);
}
