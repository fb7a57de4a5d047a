import { realpathSync, statSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { didYouMean, nearest } from '../../files/problems/nearest.js';
import type { Place, Problem } from '../../files/problems/problem.js';

/** A suite entry of the config: `builtin:NAME`, a path, or a pattern with `*`, `**` and `?`. */
export interface SuiteEntry {
  readonly pattern: string;
  readonly place: Place;
}

export interface SuiteFileName {
  readonly file: string;
  readonly builtin: boolean;
}

/** The suites that ship with the package, at the same distance from src/suite/read and from dist/suite/read. */
const shipped = fileURLToPath(new URL('../../../suites', import.meta.url));
/** The names of the built-in sets of suites, as in `builtin:core`. */
export const builtinSets: readonly string[] = ['core', 'extended', 'json-schema-test-suite'];
/** Their newest version. `builtin:core` is the newest; `builtin:core@1` never changes what it asks or expects. */
const newestVersion = 1;

/** `builtin:core@1` for `builtin:core`; other entries as they are. */
export function versioned(pattern: string): string {
  return pattern.startsWith('builtin:') && !pattern.includes('@') ? `${pattern}@${newestVersion}` : pattern;
}

/** The files that the entries name, each once, in the order of the entries and of their names. */
export async function findSuiteFiles(
  entries: readonly SuiteEntry[],
  baseFolder: string,
): Promise<{ files: SuiteFileName[]; problems: Problem[] }> {
  const files = new Map<string, SuiteFileName>();
  const problems: Problem[] = [];
  for (const entry of entries) {
    const found = entry.pattern.startsWith('builtin:') ? await builtin(entry) : await matching(entry, baseFolder);
    if (!Array.isArray(found)) {
      problems.push(found);
      continue;
    }
    for (const file of found) {
      const real = realpathSync.native(file.file);
      if (!files.has(real)) files.set(real, file);
    }
  }
  return { files: [...files.values()], problems };
}

async function builtin({ pattern, place }: SuiteEntry): Promise<SuiteFileName[] | Problem> {
  const [name = '', version = `${newestVersion}`] = pattern.slice('builtin:'.length).split('@');
  if (!builtinSets.includes(name)) {
    const near = nearest(name, builtinSets);
    const hint = near === null ? didYouMean(name, builtinSets, 'built-in suites') : `did you mean "builtin:${near}"?`;
    return refusal(place, `there are no built-in suites called "${name}"`, hint);
  }
  if (version !== `${newestVersion}`) {
    return refusal(
      place,
      `there is no version "${version}" of the built-in suites`,
      `write builtin:${name}@${newestVersion}`,
    );
  }
  const files = await builtinFiles(name);
  if (files.length === 0) return refusal(place, `${pattern} is not part of this installation`, 'reinstall chatspec');
  return files.map((file) => ({ file, builtin: true }));
}

/** The files of a built-in set of suites, in the order of their names. */
export async function builtinFiles(name: string): Promise<string[]> {
  const folder = join(shipped, name);
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((file) => /\.ya?ml$/.test(file))
    .sort()
    .map((file) => join(folder, file));
}

async function matching({ pattern, place }: SuiteEntry, baseFolder: string): Promise<SuiteFileName[] | Problem> {
  const literal = resolve(baseFolder, pattern);
  const stats = statsOf(literal);
  // A name with brackets is a pattern only when there is no file of that name.
  if (stats?.isDirectory() === true) {
    return refusal(place, `${pattern} is a folder`, `write ${pattern.replace(/\/*$/, '')}/*.yaml for the files in it`);
  }
  if (stats !== null) return [{ file: literal, builtin: false }];
  const { glob } = await import('tinyglobby');
  const found = await glob(pattern, {
    cwd: baseFolder,
    absolute: true,
    expandDirectories: false,
    ignore: ['**/node_modules/**'],
  });
  if (found.length > 0) return found.sort().map((file) => ({ file: resolve(file), builtin: false }));
  const message = /[*?]/.test(pattern) ? `${pattern} matches no file` : `there is no file ${pattern}`;
  const near = builtinSets.includes(pattern) ? pattern : nearest(pattern, builtinSets);
  const hint = near === null ? `paths are relative to ${baseFolder}` : `did you mean "builtin:${near}"?`;
  return refusal(place, message, hint);
}

/** null where there is nothing, or nothing that can be seen. */
function statsOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function refusal(place: Place, message: string, hint: string | undefined): Problem {
  return { severity: 'error', message, place, ...(hint === undefined ? {} : { hint }) };
}
