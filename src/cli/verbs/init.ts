import { stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder, unfitFolder } from '../../files/make-folder.js';
import { userError } from '../../files/problems/problem.js';
import { displayPath, unwritable } from '../folders/folders.js';
import { type Options, textOf } from '../options/options.js';
import { starterFiles } from '../starter-files.js';
import { exitCodes, type Io, printData } from '../terminal/io.js';

/** Writes a starter config, suite and workflow. Existing files stay as they are. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const { files, next } = await starterFiles(io.cwd, textOf(options, 'config') ?? 'chatspec.yaml');
  for (const { path } of files) await checkPlace(resolve(io.cwd, path));
  const created: string[] = [];
  const kept: string[] = [];
  for (const { path, text } of files) {
    const file = resolve(io.cwd, path);
    ((await writeNew(file, text)) ? created : kept).push(displayPath(file, io));
  }
  const lines = [
    ...created.map((file) => `created  ${file}\n`),
    ...kept.map((file) => `kept     ${file}, which already existed\n`),
    ...(kept.includes('.gitignore') ? ['         it must list .env, which holds keys, and reports/\n'] : []),
  ];
  printData(io, options, { created, kept }, () => `${lines.join('')}${created.length > 0 ? next : ''}`);
  return exitCodes.ok;
}

/** Before the first file is written: throws a UserError where one of them cannot be. */
async function checkPlace(file: string): Promise<void> {
  const above = await unfitFolder(dirname(file));
  const found = await stat(file).catch(() => null);
  const isBarred = above?.is === 'a file';
  if (!isBarred && found?.isDirectory() !== true) return;
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
