import { stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder, unfitFolder } from '../../files/make-folder.js';
import { userError } from '../../files/problems/problem.js';
import { exitCodes, type Io } from '../terminal/io.js';
import { displayPath, unwritable } from '../folders/folders.js';
import { type ConfigPlace, configPlace, nextSteps, starterFiles, workflowFile } from '../starter-files.js';
import { type Options, textOf } from '../options/options.js';
import { jsonText } from '../../report/safe/escape.js';

/** Writes a starter config, suite and workflow. Existing files stay as they are. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const place = configPlace(io.cwd, textOf(options, 'config') ?? 'chatspec.yaml');
  const files = await starterFiles(place);
  for (const { path } of files) await checkPlace(resolve(io.cwd, path));

  const created: string[] = [];
  const kept: string[] = [];
  for (const { path, text } of files) {
    const file = resolve(io.cwd, path);
    const isNew = await writeNew(file, text);
    (isNew ? created : kept).push(displayPath(file, io));
  }
  if (options['json'] === true) {
    io.out(`${jsonText({ created, kept })}\n`);
    return exitCodes.ok;
  }
  for (const file of created) io.out(`created  ${file}\n`);
  for (const file of kept) {
    io.out(`kept     ${file}, which already existed\n`);
    const lack = lackOf(file, place);
    if (lack !== null) io.out(`         (${lack})\n`);
  }
  if (created.length > 0) io.out(nextSteps(place));
  return exitCodes.ok;
}

/** What a file that stays as it is may lack for the config of this place; null: nothing. */
function lackOf(file: string, { folder, option }: ConfigPlace): string | null {
  if (file === '.gitignore')
    return 'it must list .env, which holds keys, and reports/, where journals hold answers as they came, unredacted';
  if (file !== workflowFile || option === '') return null;
  return `its commands need${option}, and the runs are in ${folder}/reports, where it must remove the journals before it caches them`;
}

/** Before the first file is written: throws a UserError where one of them cannot be. */
async function checkPlace(file: string): Promise<void> {
  const above = await unfitFolder(dirname(file));
  const isBarred = above?.is === 'a file';
  if (!isBarred && !(await isFolder(file))) return;
  const why = isBarred ? `${above.path} is a file` : 'it is a folder';
  throw userError(`cannot write to ${file}: ${why}`, 'move it away, then run init again; nothing was written');
}

/** Returns whether the file was written; an existing file is kept. */
async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await makeFolder(dirname(file));
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    const { code, path } = error as { readonly code?: string; readonly path?: string };
    if (code === 'EEXIST' && path === file) return false;
    throw unwritable(error, file);
  }
}

/** A link to a missing file is not a folder; it is kept like any other file. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}
