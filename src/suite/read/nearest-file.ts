import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { nearest } from '../../files/problems/nearest.js';
import { reach } from './project-folder.js';

/** What to do about a path that leads to no file. */
export async function missingFileHint(path: string, folder: string, project: string): Promise<string> {
  const near = await nearestFile(path, folder, project);
  return near === null ? `it is looked for from ${folder}` : `did you mean "${near}"?`;
}

/**
 * The path that a typing slip would turn into this one: each of its folders, and the file, as it is called on disk.
 * null where none is near. Looks at nothing outside of the project.
 * @param path relative, with `/` between its parts, seen from `folder`
 */
async function nearestFile(path: string, folder: string, project: string): Promise<string | null> {
  const found: string[] = [];
  for (const part of path.split('/')) {
    const name = part === '.' || part === '..' ? part : await nearestIn(resolve(folder, ...found), part, project);
    if (name === null) return null;
    found.push(name);
  }
  const near = found.join('/');
  return near === path ? null : near;
}

async function nearestIn(folder: string, part: string, project: string): Promise<string | null> {
  if (!(await reach(folder, project)).ok) return null;
  const names = await readdir(folder).catch((): string[] => []);
  return names.includes(part) ? part : nearest(part, names);
}
