import { dirname, resolve } from 'node:path';
import { type Problem, hasErrors } from '../../files/problems/problem.js';
import { problemAt } from '../../files/problems/problem-at.js';
import { readJson } from '../../files/read-json.js';
import { readYaml } from '../../files/yaml/read-yaml.js';
import type { Path, SourceFile } from '../../files/source.js';
import type { Json } from '../../json/json.js';
import { missingFileHint, projectFile } from '../read/project-folder.js';
import { eachMember, referenceOf } from './references.js';

/** The file that a path leads to, relative to another file; null when a problem was reported. */
export type RefFiles = (from: SourceFile, path: string) => SourceFile | null;

/** Files are read once for all suites. */
export type FileCache = Map<string, SourceFile>;

/**
 * Reads every file that the suite's `$ref`s lead to, and theirs; a file that cannot be read is a problem at its `$ref`.
 */
export function readRefFiles(
  suite: SourceFile,
  project: string,
  cache: FileCache,
): { files: RefFiles; problems: Problem[] } {
  const targets = new Map<string, SourceFile | null>();
  const problems: Problem[] = [];
  const seen = new Set([suite.file]);
  const open = [suite];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const { path, at } of refsIn(file, problems)) {
      const key = keyOf(file, path);
      if (targets.has(key)) continue;
      const found = target(file, path, at, project, cache);
      targets.set(key, found.file);
      if (found.file === null) problems.push(found.problem);
      else if (!seen.has(found.file.file)) {
        seen.add(found.file.file);
        open.push(found.file);
      }
    }
  }
  return { files: (from, path) => targets.get(keyOf(from, path)) ?? null, problems };
}

function keyOf(from: SourceFile, path: string): string {
  return `${from.file}\n${path}`;
}

function refsIn(file: SourceFile, problems: Problem[]): { path: string; at: Path }[] {
  const refs: { path: string; at: Path }[] = [];
  const walk = (value: Json, at: Path, based: boolean): void => {
    const reference = referenceOf(value, based);
    if (reference?.kind === 'file') refs.push({ path: reference.path, at: [...at, '$ref'] });
    else if (reference?.kind === 'wrong') {
      problems.push(problemAt(file, [...at, '$ref'], reference.message, reference.hint));
    } else for (const [step, member, inside] of eachMember(value, based)) walk(member, [...at, step], inside);
  };
  walk(file.data, [], false);
  return refs;
}

type Target = { readonly file: SourceFile } | { readonly file: null; readonly problem: Problem };

function target(from: SourceFile, path: string, at: Path, project: string, cache: FileCache): Target {
  const refuse = (message: string, hint: string): Target => ({
    file: null,
    problem: problemAt(from, at, message, hint),
  });
  const found = projectFile(resolve(dirname(from.file), path), project);
  if (!found.ok && found.why === 'outside') {
    return refuse(`the $ref "${path}" leaves the project`, `only files below ${project} may be used`);
  }
  if (!found.ok) {
    return refuse(`the $ref "${path}" leads to no file`, missingFileHint(path, dirname(from.file)));
  }
  let file = cache.get(found.file);
  if (file === undefined) {
    file = found.file.toLowerCase().endsWith('.json') ? readJson(found.file) : readYaml(found.file);
    cache.set(found.file, file);
  }
  const wrong = file.problems.find((problem) => problem.severity === 'error');
  if (wrong === undefined || !hasErrors(file.problems)) return { file };
  const place = wrong.place === null ? '' : ` (line ${wrong.place.line}, column ${wrong.place.column} of that file)`;
  return refuse(`the $ref "${path}" cannot be used: ${wrong.message}${place}`, wrong.hint ?? 'fix that file');
}
