import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { nearest } from '../../files/problems/nearest.js';
import { projectFile } from './project-folder.js';

/** What to do about a path that leads to no file. */
export function missingFileHint(path: string, folder: string, project: string): string {
  const near = nearestFile(path, folder, project);
  return near === null ? `the path is relative to ${folder}` : `did you mean "${near}"?`;
}

/**
 * The existing path that this one probably misspells, compared folder by folder; null when none is near. Reads nothing
 * outside the project.
 * @param path relative to `folder`, with `/` between its parts
 */
function nearestFile(path: string, folder: string, project: string): string | null {
  const found: string[] = [];
  for (const part of path.split('/')) {
    const name = part === '.' || part === '..' ? part : nearestIn(resolve(folder, ...found), part, project);
    if (name === null) return null;
    found.push(name);
  }
  const near = found.join('/');
  return near === path ? null : near;
}

function nearestIn(folder: string, part: string, project: string): string | null {
  if (!projectFile(folder, project).ok) return null;
  const names = namesIn(folder);
  return names.includes(part) ? part : nearest(part, names);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
