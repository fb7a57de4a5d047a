import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { nearest } from '../../files/problems/nearest.js';

/** The nearest folder at or above the file that holds a chatspec.yaml or a package.json; else `fallback`. */
export function projectFolderOf(file: string, fallback: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (['chatspec.yaml', 'package.json'].some((name) => existsSync(join(folder, name)))) return folder;
    if (dirname(folder) === folder) return fallback;
  }
}

type ProjectFile =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly why: 'outside' | 'missing'; readonly hint: string };

/**
 * The real file behind a path, which is relative to a folder, if it is in the project; symbolic links to other places
 * are refused.
 */
export function fileInProject(path: string, folder: string, project: string): ProjectFile {
  const wanted = resolve(folder, path);
  const outside = { ok: false, why: 'outside', hint: `only files below ${project} may be used` } as const;
  try {
    const file = realpathSync.native(wanted);
    return isInside(file, realpathSync.native(project)) ? { ok: true, file } : outside;
  } catch {
    if (!isInside(wanted, project)) return outside;
    const near = nearest(basename(wanted), folderEntries(dirname(wanted)));
    const meant = `${path.slice(0, path.length - basename(path).length)}${near}`;
    const hint = near === null ? `the path is relative to ${folder}` : `did you mean "${meant}"?`;
    return { ok: false, why: 'missing', hint };
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}

function folderEntries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
