import { dirname } from 'node:path';
import { problemAt } from '../../files/problems/problem-at.js';
import { hasErrors, type Problem } from '../../files/problems/problem.js';
import { expandedSize, readYaml } from '../../files/yaml/read-yaml.js';
import { pictureUrl } from '../../files/picture.js';
import type { Path, Source, SourceFile } from '../../files/source.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { at, pointerSteps } from '../../json/pointer.js';
import { dataText } from './literal-text.js';
import { fileInProject } from '../read/project-folder.js';

/** Values of a suite whose `$ref`s are written out. */
const largestExpansion = 1_000_000;
/** Nobody nests files deeper; keeps the recursion bounded. */
const longestChain = 24;

interface ReferencedFiles {
  /** By path. */
  readonly known: Map<string, SourceFile>;
  readonly readJson: (file: string) => SourceFile;
}

/** The file that a path leads to, relative to another file; null: it cannot be used. */
type RefFiles = (from: SourceFile, path: string) => SourceFile | null;

/**
 * The suite with every file `$ref` replaced by what it leads to. Places are in the file that really contains a value.
 * A `$ref` that cannot be replaced gives one problem, and becomes null.
 * @param project folder outside of which no file is read
 * @param files are read once for all suites
 */
export function resolveRefs(
  suite: SourceFile,
  project: string,
  files: ReferencedFiles,
): { source: Source; problems: Problem[] } {
  const problems: Problem[] = [];
  const known = new Map<string, Json>();
  const targets = new Map<string, SourceFile | null>();
  const report = (file: SourceFile, path: Path, message: string, hint: string): null => {
    problems.push(problemAt(file, [...path, '$ref'], message, hint));
    return null;
  };

  const fileAt = (from: SourceFile, path: string, place: Path): SourceFile | null => {
    const key = `${from.file}\n${path}`;
    const before = targets.get(key);
    if (before !== undefined) return before;
    const found = readReferencedFile(from, path, project, files);
    const file = 'refused' in found ? report(from, place, `the $ref "${path}" ${found.refused}`, found.hint) : found;
    targets.set(key, file);
    return file;
  };

  const pictureAt = (from: SourceFile, name: string, place: Path): Json => {
    const found = fileInProject(name, dirname(from.file), project);
    const picture = found.ok ? pictureUrl(found.file) : null;
    if (picture?.ok === true) return picture.url;
    const refused = picture?.refused ?? (found.ok ? '' : outsideTexts[found.why]);
    const hint = found.ok ? 'a picture is a png, jpeg, webp or gif of at most 1 MB' : found.hint;
    problems.push(problemAt(from, [...place, '$data'], `the $data "${name}" ${refused}`, hint));
    return null;
  };

  /** @param based inside an object with an `$id` */
  const resolved = (value: Json, file: SourceFile, path: Path, based: boolean, chain: readonly string[]): Json => {
    // Only the suite's own texts are templates: what a file brings is data.
    if (typeof value === 'string') return chain.length > 1 ? dataText(value) : value;
    if (typeof value !== 'object' || value === null) return value;
    const reference = referenceOf(value, based);
    if (reference?.kind === 'wrong') return report(file, path, reference.message, reference.hint);
    if (reference?.kind === 'file') {
      const target = fileAt(file, reference.path, path);
      return target === null ? null : replaced(target, reference.pointer, { file, path }, chain);
    }
    const picture = isObject(value) && Object.keys(value).length === 1 ? value['$data'] : undefined;
    if (typeof picture === 'string') return pictureAt(file, picture, path);
    const inside = based || (isObject(value) && typeof value['$id'] === 'string');
    const members = Object.entries(value as JsonObject).map(
      ([step, member]) => [step, resolved(member, file, [...path, step], inside, chain)] as const,
    );
    if (members.every(([step, member]) => member === (value as JsonObject)[step])) return value;
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
    if (chain.includes(id)) {
      const names = [...chain.slice(chain.indexOf(id)), id].map((link) => link.replace(/#$/, ''));
      return report(by.file, by.path, 'this $ref leads back to itself', `it goes ${names.join(' -> ')}`);
    }
    if (chain.length > longestChain) {
      return report(by.file, by.path, `more than ${longestChain} files are nested here`, 'join some of them');
    }
    const part = at(target.data, pointerSteps(pointer));
    if (part === undefined) {
      return report(by.file, by.path, `there is nothing at #${pointer} in that file`, 'check the part after #');
    }
    const value = resolved(part, target, pointerSteps(pointer), false, [...chain, id]);
    known.set(id, value);
    return value;
  };

  const data = resolved(suite.data, suite, [], false, [`${suite.file}#`]);
  if (expandedSize(data) > largestExpansion) {
    const message = 'the $refs of this file expand to far too much data';
    return { source: suite, problems: [...problems, problemAt(suite, [], message, 'use fewer, or smaller files')] };
  }
  const fileOf: RefFiles = (from, path) => targets.get(`${from.file}\n${path}`) ?? null;
  return { source: { data, spotOf: spotsThrough(suite, fileOf) }, problems };
}

/** Finds places by following a path from file to file, in the way in which the values were put together. */
function spotsThrough(suite: SourceFile, files: RefFiles): Source['spotOf'] {
  return (path, part = 'value') => {
    let [file, way]: [SourceFile, string[]] = [suite, []];
    const enter = (): void => {
      // `based` makes no difference here: it is about references that are not files.
      for (let links = 0; links <= longestChain; links++) {
        const reference = referenceOf(at(file.data, way) ?? null, true);
        const next = reference?.kind === 'file' ? files(file, reference.path) : null;
        if (next === null || reference?.kind !== 'file') return;
        way = pointerSteps(reference.pointer);
        file = next;
      }
    };
    for (const step of path) {
      enter();
      way.push(String(step));
    }
    if (part === 'value') enter();
    return file.spotOf(way, part);
  };
}

const outsideTexts = { outside: 'leaves the project', missing: 'leads to no file' } as const;

/** Reads the file that a path leads to, or says why it cannot be used. */
function readReferencedFile(
  from: SourceFile,
  path: string,
  project: string,
  files: ReferencedFiles,
): SourceFile | { readonly refused: string; readonly hint: string } {
  const found = fileInProject(path, dirname(from.file), project);
  if (!found.ok) {
    return { refused: outsideTexts[found.why], hint: found.hint };
  }
  const isJson = found.file.toLowerCase().endsWith('.json');
  const file = files.known.get(found.file) ?? (isJson ? files.readJson(found.file) : readYaml(found.file));
  files.known.set(found.file, file);
  if (!hasErrors(file.problems)) return file;
  const wrong = file.problems.find(({ severity }) => severity === 'error');
  const place = wrong?.place ? ` (line ${wrong.place.line}, column ${wrong.place.column} of that file)` : '';
  return { refused: `cannot be used: ${wrong?.message ?? ''}${place}`, hint: wrong?.hint ?? 'fix that file' };
}

/** What a `$ref` is: a file that replaces it, or a mistake. */
type Reference =
  | { readonly kind: 'file'; readonly path: string; readonly pointer: string }
  | { readonly kind: 'wrong'; readonly message: string; readonly hint: string };

/**
 * The `$ref` of a value; null when it has none, or one of JSON Schema. `based`: the value is inside an object with an
 * `$id`, which gives names such as `node.json` a meaning in JSON Schema.
 */
function referenceOf(value: Json, based: boolean): Reference | null {
  const ref = isObject(value) && Object.hasOwn(value, '$ref') ? value['$ref'] : null;
  // A property may be called $ref: then its value is a schema.
  if (typeof ref !== 'string') return null;
  const wrong = (why: string, hint: string): Reference => ({
    kind: 'wrong',
    message: `the $ref "${ref}" ${why}`,
    hint,
  });
  if (!/^\.\.?\//.test(ref)) {
    if (/^(\/|file:|[A-Za-z]:[\\/])/.test(ref)) {
      return wrong('is not a relative path', 'write a path that begins with ./ or ../, from this file');
    }
    if (based || !/^[^:#]+\.(json|ya?ml)$/.test(ref)) return null;
    return wrong('names no file', `a path begins with ./ or ../: did you mean "./${ref}"?`);
  }
  if (Object.keys(value as JsonObject).length > 1) {
    return wrong('has members beside it', 'a file replaces the whole object: leave only $ref here');
  }
  const [path = '', pointer = ''] = ref.split('#', 2);
  if (!/^[^\0]*\.(json|ya?ml)$/i.test(path)) return wrong('names no .json, .yaml or .yml file', 'check the path');
  if (pointer !== '' && !pointer.startsWith('/')) {
    return wrong('cannot be read', 'after # a JSON Pointer is expected: #/a/b');
  }
  return { kind: 'file', path, pointer };
}
