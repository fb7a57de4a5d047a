// The imports between the files of a source folder, of types as well: for the lint rules and the figures.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const importPattern = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

const importsOf = (file) =>
  [...readFileSync(file, 'utf8').matchAll(importPattern)].map(([, path]) =>
    resolve(dirname(file), path.replace(/\.js$/, '.ts')),
  );

/**
 * @param {string} folder
 * @returns {string[]} its TypeScript files, tests left out
 */
export const sourceFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

/**
 * @param {string} folder
 * @returns {Map<string, readonly string[]>} each file with the files it imports
 */
export const moduleGraph = (folder) =>
  new Map(sourceFiles(folder).map((file) => [file, [...new Set(importsOf(file))]]));

/**
 * The shortest way from a file back to itself; null where there is none.
 * @param {string} start
 * @param {Map<string, readonly string[]>} graph
 * @returns {string[] | null} from `start` to the file that imports it
 */
export function circleThrough(start, graph) {
  const cameFrom = new Map([[start, null]]);
  for (const file of cameFrom.keys()) {
    for (const next of graph.get(file) ?? []) {
      if (next === start) return wayTo(file, cameFrom);
      if (!cameFrom.has(next)) cameFrom.set(next, file);
    }
  }
  return null;
}

function wayTo(file, cameFrom) {
  const way = [];
  for (let here = file; here !== null; here = cameFrom.get(here)) way.unshift(here);
  return way;
}
