import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { nearest } from '../../files/problems/nearest.js';

/** The nearest folder at or above the file that holds a chatspec.yaml or a package.json; else `fallback`. */
export function projectFolderOf(file: string, fallback: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    for (const name of ['chatspec.yaml', 'package.json']) {
      if (isFile(join(folder, name))) return folder;
    }
    if (dirname(folder) === folder) return fallback;
  }
}

type ProjectFile =
  { readonly ok: true; readonly file: string } | { readonly ok: false; readonly why: 'outside' | 'missing' };

/** The real file behind a path, if it is in the project folder; symbolic links to other places are refused. */
export function projectFile(path: string, project: string): ProjectFile {
  try {
    const file = realpathSync.native(path);
    return isInside(file, realpathSync.native(project)) ? { ok: true, file } : { ok: false, why: 'outside' };
  } catch {
    return { ok: false, why: isInside(path, project) ? 'missing' : 'outside' };
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !way.startsWith('..\\') && !isAbsolute(way);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** What to do about a path, relative to a folder, that leads to no file of the project. */
export function missingFileHint(path: string, folder: string): string {
  try {
    const near = nearest(basename(path), readdirSync(dirname(resolve(folder, path))));
    if (near !== null) return `did you mean "${path.slice(0, path.length - basename(path).length)}${near}"?`;
  } catch {
    // The folder is missing, too.
  }
  return `the path is relative to ${folder}`;
}
