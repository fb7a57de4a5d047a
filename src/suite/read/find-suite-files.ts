import { existsSync, realpathSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { didYouMean, nearest } from '../../files/problems/nearest.js';
import { problemAtSpot, type Place, type Problem } from '../../files/problems/problem.js';

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
const builtinSets: readonly string[] = ['core', 'extended', 'json-schema-test-suite'];

/**
 * The newest version of a set: `builtin:core` is the newest, and a version that was released never changes what it asks
 * or expects. The folder core is version 1 of that set; core@2 holds the files that version 2 adds, or has in place of
 * earlier ones of the same name.
 */
function newestVersion(set: string): number {
  let version = 1;
  while (existsSync(folderOfVersion(set, version + 1))) version += 1;
  return version;
}

function folderOfVersion(set: string, version: number): string {
  return join(shipped, version === 1 ? set : `${set}@${version}`);
}

/** `builtin:core@2` for `builtin:core`, the newest; other entries as they are. */
export function versioned(pattern: string): string {
  const set = pattern.slice('builtin:'.length);
  return pattern.startsWith('builtin:') && builtinSets.includes(set) ? `${pattern}@${newestVersion(set)}` : pattern;
}

/** The files that the entries name, each once, in the order of the entries and of their names. */
export async function findSuiteFiles(
  entries: readonly SuiteEntry[],
  baseFolder: string,
): Promise<{ files: SuiteFileName[]; problems: Problem[] }> {
  const files = new Map<string, SuiteFileName>();
  const problems: Problem[] = [];
  for (const { pattern, place } of entries) {
    const builtin = pattern.startsWith('builtin:');
    const found = builtin ? await filesOfSet(pattern) : await filesMatching(pattern, baseFolder);
    if (!Array.isArray(found)) {
      problems.push(problemAtSpot({ place, text: '' }, ...found.refused));
    } else {
      for (const file of found) {
        const real = realpathSync.native(file);
        if (!files.has(real)) files.set(real, { file, builtin });
      }
    }
  }
  return { files: [...files.values()], problems };
}

/** Files, or a message and a hint. */
type FoundSuiteFiles = string[] | { readonly refused: readonly [string, string | undefined] };

async function filesOfSet(pattern: string): Promise<FoundSuiteFiles> {
  const [name = '', version] = pattern.slice('builtin:'.length).split('@');
  if (!builtinSets.includes(name)) {
    const near = nearest(name, builtinSets);
    const hint = near === null ? didYouMean(name, builtinSets, 'built-in suites') : `did you mean "builtin:${near}"?`;
    return { refused: [`there are no built-in suites called "${name}"`, hint] };
  }
  const versions = Array.from({ length: newestVersion(name) }, (_, index) => `${index + 1}`);
  if (version === undefined || versions.includes(version)) {
    return builtinFiles(name, Number(version ?? versions.length));
  }
  const message = `there is no version "${version}" of the built-in suites`;
  return { refused: [message, `write builtin:${name}@${versions.join(` or builtin:${name}@`)}`] };
}

/** The files of a built-in set of suites, in the order of their names; default: of its newest version. */
export async function builtinFiles(set: string, version: number = newestVersion(set)): Promise<string[]> {
  const files = new Map<string, string>();
  for (let step = 1; step <= version; step += 1) {
    const folder = folderOfVersion(set, step);
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((file) => /\.ya?ml$/.test(file))) files.set(name, join(folder, name));
  }
  return [...files.keys()].sort().map((name) => files.get(name) ?? name);
}

async function filesMatching(pattern: string, cwd: string): Promise<FoundSuiteFiles> {
  const literal = resolve(cwd, pattern);
  // A name with brackets is a pattern only when there is no file of that name.
  const stats = await stat(literal).catch(() => null);
  if (stats?.isDirectory() === true) {
    return { refused: [`${pattern} is a folder`, `write ${pattern.replace(/\/*$/, '')}/*.yaml for the files in it`] };
  }
  if (stats !== null) return [literal];
  const { glob } = await import('tinyglobby');
  const options = { cwd, absolute: true, expandDirectories: false, ignore: ['**/node_modules/**'] };
  const found = await glob(pattern, options);
  if (found.length > 0) return found.sort().map((file) => resolve(file));
  const message = /[*?]/.test(pattern) ? `${pattern} matches no file` : `there is no file ${pattern}`;
  const near = builtinSets.includes(pattern) ? pattern : nearest(pattern, builtinSets);
  return { refused: [message, near === null ? `paths are relative to ${cwd}` : `did you mean "builtin:${near}"?`] };
}
