import { dirname, resolve } from 'node:path';
import { problemAt } from '../../files/problems/problem-at.js';
import { hasErrors, type Problem } from '../../files/problems/problem.js';
import { readJson } from '../../files/read-json.js';
import type { Path, Source, SourceFile } from '../../files/source.js';
import { largestExpansion, expandedSize, readYaml } from '../../files/yaml/read-yaml.js';
import { isObject, type Json } from '../../json/json.js';
import { at, pointerSteps } from '../../json/pointer.js';
import { missingFileHint, projectFile } from '../read/project-folder.js';

/** Nobody nests files deeper; keeps the recursion bounded. */
const longestChain = 24;

/** The file that a path leads to, relative to another file; null: it cannot be used. */
type RefFiles = (from: SourceFile, path: string) => SourceFile | null;

/**
 * The suite with every file `$ref` replaced by what it leads to. Places are in the file that really contains a value.
 * A `$ref` that cannot be replaced gives one problem, and becomes null.
 * @param project folder outside of which no file is read
 * @param cache files are read once for all suites
 */
export function resolveRefs(
  suite: SourceFile,
  project: string,
  cache: Map<string, SourceFile>,
): { source: Source; problems: Problem[] } {
  const problems: Problem[] = [];
  const known = new Map<string, Json>();
  const targets = new Map<string, SourceFile | null>();
  const keyOf = (from: SourceFile, path: string): string => `${from.file}\n${path}`;
  const files: RefFiles = (from, path) => targets.get(keyOf(from, path)) ?? null;

  const fileAt = (from: SourceFile, path: string, place: Path): SourceFile | null => {
    const key = keyOf(from, path);
    if (!targets.has(key)) {
      const found = read(from, path, project, cache);
      targets.set(key, 'refused' in found ? null : found);
      if ('refused' in found) problems.push(problemAt(from, place, `the $ref "${path}" ${found.refused}`, found.hint));
    }
    return targets.get(key) ?? null;
  };

  const resolved = (value: Json, file: SourceFile, path: Path, based: boolean, chain: readonly string[]): Json => {
    const reference = referenceOf(value, based);
    const place = [...path, '$ref'];
    if (reference?.kind === 'wrong') {
      problems.push(problemAt(file, place, reference.message, reference.hint));
      return null;
    }
    if (reference?.kind === 'file') {
      const target = fileAt(file, reference.path, place);
      return target === null ? null : replaced(target, reference.pointer, { file, path: place }, chain);
    }
    let changed = false;
    const members: [string, Json][] = [];
    for (const [step, member, inside] of eachMember(value, based)) {
      const now = resolved(member, file, [...path, step], inside, chain);
      changed ||= now !== member;
      members.push([String(step), now]);
    }
    if (!changed) return value;
    return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
  };

  const replaced = (
    target: SourceFile,
    pointer: string,
    by: { readonly file: SourceFile; readonly path: Path },
    chain: readonly string[],
  ): Json => {
    const id = `${target.file}#${pointer}`;
    const before = known.get(id);
    if (before !== undefined) return before;
    const report = (message: string, hint: string) => void problems.push(problemAt(by.file, by.path, message, hint));
    if (chain.includes(id)) {
      const names = [...chain.slice(chain.indexOf(id)), id];
      report('this $ref leads back to itself', `it goes ${names.map((link) => link.replace(/#$/, '')).join(' -> ')}`);
      return null;
    }
    if (chain.length > longestChain) {
      report(`more than ${longestChain} files are nested here`, 'join some of them');
      return null;
    }
    const part = at(target.data, pointerSteps(pointer));
    if (part === undefined) {
      report(`there is nothing at #${pointer} in that file`, 'check the part after #');
      return null;
    }
    const value = resolved(part, target, pointerSteps(pointer), false, [...chain, id]);
    known.set(id, value);
    return value;
  };

  const data = resolved(suite.data, suite, [], false, [`${suite.file}#`]);
  if (expandedSize(data) > largestExpansion * 5) {
    problems.push(
      problemAt(suite, [], 'the $refs of this file expand to far too much data', 'use fewer, or smaller files'),
    );
    return { source: { data: null, spotOf: suite.spotOf }, problems };
  }
  return { source: { data, spotOf: spotsThrough(suite, files) }, problems };
}

/** Finds places by following a path from file to file, in the way in which the values were put together. */
function spotsThrough(suite: SourceFile, files: RefFiles): Source['spotOf'] {
  return (path, part = 'value') => {
    let [file, way, value]: [SourceFile, (string | number)[], Json | undefined] = [suite, [], suite.data];
    const enter = (): void => {
      // `based` makes no difference here: it is about references that are not files.
      for (let links = 0; links <= longestChain; links++) {
        const reference = value === undefined ? null : referenceOf(value, true);
        const next = reference?.kind === 'file' ? files(file, reference.path) : null;
        if (next === null || reference?.kind !== 'file') return;
        way = pointerSteps(reference.pointer);
        file = next;
        value = at(file.data, way.map(String));
      }
    };
    for (const step of path) {
      enter();
      way.push(step);
      value = memberAt(value, step);
    }
    if (part === 'value') enter();
    return file.spotOf(way, part);
  };
}

function memberAt(value: Json | undefined, step: string | number): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(step)];
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** Reads the file that a path leads to, or says why it cannot be used. */
function read(
  from: SourceFile,
  path: string,
  project: string,
  cache: Map<string, SourceFile>,
): SourceFile | { readonly refused: string; readonly hint: string } {
  const folder = dirname(from.file);
  const found = projectFile(resolve(folder, path), project);
  if (!found.ok) {
    return found.why === 'outside'
      ? { refused: 'leaves the project', hint: `only files below ${project} may be used` }
      : { refused: 'leads to no file', hint: missingFileHint(path, folder) };
  }
  const isJson = found.file.toLowerCase().endsWith('.json');
  const file = cache.get(found.file) ?? (isJson ? readJson(found.file) : readYaml(found.file));
  cache.set(found.file, file);
  if (!hasErrors(file.problems)) return file;
  const wrong = file.problems.find(({ severity }) => severity === 'error');
  const place = wrong?.place ? ` (line ${wrong.place.line}, column ${wrong.place.column} of that file)` : '';
  return { refused: `cannot be used: ${wrong?.message ?? ''}${place}`, hint: wrong?.hint ?? 'fix that file' };
}

/** What a `$ref` is: a file that replaces it, a reference of JSON Schema, or a mistake. */
type Reference =
  | { readonly kind: 'file'; readonly path: string; readonly pointer: string }
  | { readonly kind: 'schema' }
  | { readonly kind: 'wrong'; readonly message: string; readonly hint: string };

/**
 * The `$ref` of a value; null when it has none. `based`: the value is inside an object with an `$id`, which gives names
 * such as `node.json` a meaning in JSON Schema.
 */
function referenceOf(value: Json, based: boolean): Reference | null {
  if (!isObject(value) || !Object.hasOwn(value, '$ref')) return null;
  const { $ref: ref } = value;
  // A property may be called $ref: then its value is a schema.
  if (typeof ref !== 'string') return null;
  if (/^\.\.?\//.test(ref)) return fileReference(ref, Object.keys(value).length);
  if (ref.startsWith('/') || /^(file:|[A-Za-z]:[\\/])/.test(ref)) {
    return wrong(`the $ref "${ref}" is not a relative path`, 'write a path that begins with ./ or ../, from this file');
  }
  if (!based && /^[^:#]+\.(json|ya?ml)$/.test(ref)) {
    return wrong(`the $ref "${ref}" names no file`, `a path begins with ./ or ../: did you mean "./${ref}"?`);
  }
  return { kind: 'schema' };
}

function fileReference(ref: string, members: number): Reference {
  if (members > 1) {
    return wrong(`the $ref "${ref}" has members beside it`, 'a file replaces the whole object: leave only $ref here');
  }
  const [path = '', pointer = ''] = ref.split('#', 2);
  if (!/\.(json|ya?ml)$/i.test(path))
    return wrong(`the $ref "${ref}" names no .json, .yaml or .yml file`, 'check the path');
  if (path.includes('\0') || (pointer !== '' && !pointer.startsWith('/'))) {
    return wrong(`the $ref ${JSON.stringify(ref)} cannot be read`, 'after # a JSON Pointer is expected: #/a/b');
  }
  return { kind: 'file', path, pointer };
}

function wrong(message: string, hint: string): Reference {
  return { kind: 'wrong', message, hint };
}

/** The members of an object or list, each with its name or index, and whether an `$id` is around it. */
function* eachMember(value: Json, based: boolean): Generator<readonly [step: string | number, Json, boolean]> {
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) yield [index, item, based];
  } else if (isObject(value)) {
    const inside = based || typeof value['$id'] === 'string';
    for (const [name, member] of Object.entries(value)) yield [name, member, inside];
  }
}
