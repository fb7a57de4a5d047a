import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  problemAt,
  hasErrors,
  type Problem,
  type Path,
  type Source,
  type SourceFile,
} from '../../files/problems/problem.js';
import { expandedSize, readYaml } from '../../files/yaml/read-yaml.js';
import { isObject, type Json, type JsonObject, at, pointerSteps } from '../../json/json.js';
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

/** State that all `$ref`s of a suite share. */
interface RefContext {
  /** Folder outside of which no file is read. */
  readonly project: string;
  readonly files: ReferencedFiles;
  readonly problems: Problem[];
  /** Values that were replaced, by file and pointer. */
  readonly replaced: Map<string, Json>;
  readonly targets: Map<string, SourceFile | null>;
}

/** Where a value stands. */
interface ValuePlace {
  readonly file: SourceFile;
  readonly path: Path;
  /** Inside an object with an `$id`. */
  readonly based: boolean;
  /** The references that led here, the suite first. */
  readonly chain: readonly string[];
}

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
  const context: RefContext = { project, files, problems, replaced: new Map(), targets: new Map() };
  const place = { file: suite, path: [], based: false, chain: [`${suite.file}#`] };
  const data = resolvedValue(suite.data, place, context);
  if (expandedSize(data) > largestExpansion) {
    const message = 'the $refs of this file expand to far too much data';
    return { source: suite, problems: [...problems, problemAt(suite, [], message, 'use fewer, or smaller files')] };
  }
  const fileOf: RefFiles = (from, path) => context.targets.get(targetKey(from, path)) ?? null;
  return { source: { data, spotOf: spotsThrough(suite, fileOf) }, problems };
}

const targetKey = ({ file }: SourceFile, path: string): string => `${file}\n${path}`;

function resolvedValue(value: Json, place: ValuePlace, context: RefContext): Json {
  // Only the suite's own texts are templates: what a file brings is data.
  if (typeof value === 'string') return place.chain.length > 1 ? dataText(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const { path, based } = place;
  const reference = referenceOf(value, based);
  if (reference?.kind === 'wrong') return reportRef(place, context, reference.message, reference.hint);
  if (reference?.kind === 'file') {
    const target = fileAt(reference.path, place, context);
    return target === null ? null : referencedValue(target, reference.pointer, place, context);
  }
  const picture = isObject(value) && Object.keys(value).length === 1 ? value['$data'] : undefined;
  if (typeof picture === 'string') return pictureAt(picture, place, context);
  const inside = { ...place, based: based || (isObject(value) && typeof value['$id'] === 'string') };
  const members = Object.entries(value as JsonObject).map(
    ([step, member]) => [step, resolvedValue(member, { ...inside, path: [...path, step] }, context)] as const,
  );
  if (members.every(([step, member]) => member === (value as JsonObject)[step])) return value;
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/** The part of a file that a `$ref` leads to. */
function referencedValue(target: SourceFile, pointer: string, place: ValuePlace, context: RefContext): Json {
  const id = `${target.file}#${pointer}`;
  const before = context.replaced.get(id);
  if (before !== undefined) return before;
  const { chain } = place;
  if (chain.includes(id)) {
    const names = [...chain.slice(chain.indexOf(id)), id].map((link) => link.replace(/#$/, ''));
    return reportRef(place, context, 'this $ref leads back to itself', `it goes ${names.join(' -> ')}`);
  }
  if (chain.length > longestChain) {
    return reportRef(place, context, `more than ${longestChain} files are nested here`, 'join some of them');
  }
  const path = pointerSteps(pointer);
  const part = at(target.data, path);
  if (part === undefined) {
    return reportRef(place, context, `there is nothing at #${pointer} in that file`, 'check the part after #');
  }
  const value = resolvedValue(part, { file: target, path, based: false, chain: [...chain, id] }, context);
  context.replaced.set(id, value);
  return value;
}

function fileAt(path: string, place: ValuePlace, context: RefContext): SourceFile | null {
  const { project, files, targets } = context;
  const key = targetKey(place.file, path);
  const before = targets.get(key);
  if (before !== undefined) return before;
  const found = readReferencedFile(place.file, path, project, files);
  const file =
    'refused' in found ? reportRef(place, context, `the $ref "${path}" ${found.refused}`, found.hint) : found;
  targets.set(key, file);
  return file;
}

function pictureAt(name: string, { file, path }: ValuePlace, { project, problems }: RefContext): Json {
  const found = fileInProject(name, dirname(file.file), project);
  const picture = found.ok ? pictureUrl(found.file) : null;
  if (picture?.ok === true) return picture.url;
  const refused = picture?.refused ?? (found.ok ? '' : outsideTexts[found.why]);
  const hint = found.ok ? 'a picture is a png, jpeg, webp or gif of at most 1 MB' : found.hint;
  problems.push(problemAt(file, [...path, '$data'], `the $data "${name}" ${refused}`, hint));
  return null;
}

/** How the files of pictures begin that services take. */
const beginnings: readonly (readonly [mime: string, begins: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];

/** 1 MB. */
const largestPicture = 1_000_000;

type Picture = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly refused: string };

/** A picture as a data URL. Its bytes say of what kind it is. Never throws. */
export function pictureUrl(file: string): Picture {
  try {
    const { size } = statSync(file);
    if (size > largestPicture) return { ok: false, refused: `is ${size} bytes large, more than ${largestPicture}` };
    const bytes = readFileSync(file);
    const begin = bytes.toString('latin1', 0, 12);
    const mime = beginnings.find(([, begins]) => begins.test(begin))?.[0];
    if (mime === undefined) return { ok: false, refused: 'is no picture of the kinds png, jpeg, webp and gif' };
    return { ok: true, url: `data:${mime};base64,${bytes.toString('base64')}` };
  } catch {
    return { ok: false, refused: 'cannot be read' };
  }
}

function reportRef({ file, path }: ValuePlace, { problems }: RefContext, message: string, hint: string): null {
  problems.push(problemAt(file, [...path, '$ref'], message, hint));
  return null;
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

/** A `$ref`, read: a file that replaces it, or a mistake. */
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
