import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../files/make-folder.js';
import { exitCodes } from '../errors/exit-codes.js';
import { displayPath } from '../folders/folders.js';
import type { Io } from '../terminal/io.js';
import { textOf } from '../options/options.js';
import { jsonText } from '../../report/safe/visible-json.js';
import { configOption } from '../../report/view/shell-word.js';
import type { Options } from '../verb.js';
import { unwritable } from '../folders/writable.js';

const usualConfig = 'chatspec.yaml';

const starter = new URL('../../../fixtures/starter/', import.meta.url);

/** Files of a new project, by their names in the package. A config looks for its suites relative to itself. */
const files = (config: string): readonly (readonly [string, string])[] => [
  ['chatspec.yaml', config],
  ['suite.yaml', join(dirname(config), 'suites', 'first.yaml')],
  ['workflow.yml', join('.github', 'workflows', 'chatspec.yml')],
  ['gitignore', '.gitignore'],
];

/** Writes a starter config, suite and workflow. Existing files stay as they are. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const created: string[] = [];
  const kept: string[] = [];
  const config = textOf(options, 'config') ?? usualConfig;
  for (const [name, path] of files(config)) {
    const file = resolve(io.cwd, path);
    const isNew = await writeNew(file, await readFile(new URL(name, starter)));
    (isNew ? created : kept).push(displayPath(file, io));
  }
  if (options['json'] === true) {
    io.out(`${jsonText({ created, kept })}\n`);
    return exitCodes.ok;
  }
  for (const file of created) io.out(`created  ${file}\n`);
  for (const file of kept) io.out(`kept     ${file}, which already existed\n`);
  if (kept.includes('.gitignore')) io.out('         (check that it lists .env and reports/)\n');
  if (created.length > 0) io.out(nextSteps(config));
  if (created.length > 0 && config !== usualConfig)
    io.out(`Add${configOption(config)} to each command, also in the workflow.\n`);
  return exitCodes.ok;
}

function nextSteps(config: string): string {
  const more = configOption(config);
  const commands: readonly (readonly [string, string])[] = [
    ['run --tags smoke', 'the matrix of the embedded service'],
    ['run --tags nightly', 'what the workflow asks every night'],
    ['baseline accept reports/latest', "expect today's results from now on"],
  ];
  const width = Math.max(...commands.map(([command]) => command.length)) + more.length + 3;
  const [smoke = '', ...others] = commands.map(
    ([command, meaning]) => `npx --no chatspec ${`${command}${more}`.padEnd(width)}${meaning}\n`,
  );
  const doctor = `set base_url, api_key_env and models in the config, then npx --no chatspec doctor${more}\n`;
  return `\n${[`Next: ${smoke}`, ...[doctor, ...others].map((line) => `      ${line}`)].join('')}`;
}

/** Returns whether the file was written; an existing file is kept. */
async function writeNew(file: string, content: Buffer): Promise<boolean> {
  try {
    await makeFolder(dirname(file));
    await writeFile(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as { code?: string; path?: string }).code === 'EEXIST' && (error as { path?: string }).path === file) {
      if (!(await isFolder(file))) return false;
      throw unwritable({ code: 'EISDIR' }, file);
    }
    throw unwritable(error, file);
  }
}

/** A link to a missing file is not a folder; it is kept like any other file. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}
