import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { didYouMean } from '../../files/problems/nearest.js';
import {
  problemAt,
  hasErrors,
  UserError,
  type Problem,
  type Path,
  type SourceFile,
} from '../../files/problems/problem.js';
import { schemaMisfits, type SchemaMisfit } from '../../files/schema-problems.js';
import { readShippedYaml } from '../../files/yaml/read-shipped.js';
import { parseYaml, readYaml } from '../../files/yaml/read-yaml.js';
import { isObject, type Json, type JsonObject, parsedJson, writtenJson } from '../../json/json.js';
import { once } from '../../json/remembered.js';
import { checkOf } from '../values/conforming-value.js';
import traits from './default-traits.json' with { type: 'json' };
import type { Fault, Profile, Traits } from './profile.js';

/** A model as it is written; see docs/simulator.md. */
export interface WrittenProfile extends Partial<Pick<Profile, 'summary' | 'source' | 'demo'>> {
  readonly id: string;
  /** Id of the profile whose traits and faults it has as well, such as `sim-reference`. */
  readonly extends?: string;
  readonly traits?: Partial<Omit<Traits, 'thinking'>> & { readonly thinking?: Partial<Traits['thinking']> };
  readonly faults?: readonly (Partial<Fault> & Pick<Fault, 'do'>)[];
}

/** A folder, a YAML file, YAML text, or the profiles themselves. */
export type ProfileInput = string | URL | WrittenProfile | { readonly profiles: readonly WrittenProfile[] };

/** Profiles as they were written, and the folders in which their recorded answers lie. */
interface ProfileSources {
  readonly sources: readonly SourceFile[];
  readonly folders: readonly string[];
}

/** The folder of the package's profiles. */
export const ownProfiles = fileURLToPath(new URL('../../../fixtures/profiles/', import.meta.url));

function isPackaged(file: string): boolean {
  return resolve(file).startsWith(ownProfiles);
}

/** Lies beside the package's profiles and says how each must be judged, which does not concern the service. */
const labelsFile = 'labels.yaml';

/** Reads what {@link ProfileInput} names. Problems are among the sources; rejects where a folder cannot be read. */
async function profileSources(inputs: readonly ProfileInput[]): Promise<ProfileSources> {
  const read = await Promise.all(inputs.map(sourcesOf));
  return { sources: read.flatMap(({ sources }) => sources), folders: read.flatMap(({ folders }) => folders) };
}

async function sourcesOf(input: ProfileInput, index: number): Promise<ProfileSources> {
  if (typeof input === 'string' && isYaml(input)) return fromText(input, index);
  if (typeof input === 'string') return fromPath(resolve(input));
  if (input instanceof URL) return fromPath(fileURLToPath(input));
  return fromText(writtenJson('profiles' in input ? input : { profiles: [input] }, 2), index);
}

/** A path holds neither a line break nor a colon before a blank. */
function isYaml(text: string): boolean {
  return text.includes('\n') || /^\s*(?:profiles:\s|\{)/.test(text);
}

function fromText(text: string, index: number): ProfileSources {
  return { sources: [parseYaml(text, `profiles given as text or data (${index + 1})`)], folders: [process.cwd()] };
}

async function fromPath(path: string): Promise<ProfileSources> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return { sources: [readYaml(path)], folders: [dirname(path)] };
  const files = (await readdir(path)).filter((name) => /\.ya?ml$/.test(name) && name !== labelsFile).sort();
  const sources = files
    .map((name) => join(path, name))
    .map((file) => (isPackaged(file) ? readShippedYaml : readYaml)(file));
  return { sources, folders: [path] };
}

/** A model without faults, which thinks only when asked to. */
const defaultTraits = traits as Traits;

interface PlacedProfile {
  readonly data: JsonObject;
  readonly source: SourceFile;
  readonly path: Path;
}

/**
 * Reads profiles, by id, and tells the folders in which their recorded answers lie. Throws a UserError with all
 * problems and their places.
 */
export async function loadProfiles(inputs: readonly ProfileInput[]) {
  const { sources, folders } = await profileSources(inputs);
  return { profiles: profilesIn(sources), folders };
}

function profilesIn(sources: readonly SourceFile[]): ReadonlyMap<string, Profile> {
  const problems: Problem[] = [];
  const written = new Map<string, PlacedProfile>();
  for (const source of sources) {
    const found = [...source.problems, ...(source.data === null ? [] : shapeProblems(source))];
    problems.push(...found);
    if (hasErrors(found)) continue;
    for (const profile of writtenIn(source)) {
      const id = textAt(profile.data, 'id');
      const first = written.get(id);
      // The first one stays, or every profile that extends it would seem to be at fault as well.
      if (first === undefined) {
        written.set(id, profile);
      } else {
        problems.push(takenProblem(id, profile, first));
      }
    }
  }
  problems.push(...[...written.values()].flatMap((profile) => ancestryProblems(profile, written)));
  if (hasErrors(problems)) throw new UserError(problems);
  return new Map([...written].map(([id, profile]) => [id, inherited(profile, written)]));
}

function writtenIn(source: SourceFile): readonly PlacedProfile[] {
  const list = isObject(source.data) ? source.data['profiles'] : [];
  return ((list ?? []) as readonly JsonObject[]).map((data, index) => ({ data, source, path: ['profiles', index] }));
}

function takenProblem(id: string, { source, path }: PlacedProfile, first: PlacedProfile): Problem {
  const { file, line, column } = first.source.spotOf([...first.path, 'id']).place;
  const byWhom = isPackaged(file) ? 'a profile of chatspec' : `the profile at ${file}:${line}:${column}`;
  const hint = `choose another id; \`extends: ${id}\` takes over what that profile does`;
  return problemAt(source, [...path, 'id'], `the id "${id}" is taken by ${byWhom}`, hint);
}

/** The tests have checked the package's own. */
function shapeProblems(source: SourceFile): readonly Problem[] {
  if (isPackaged(source.file)) return [];
  return schemaMisfits(checkOf(profilesFileSchema())(source.data)).map(({ path, part, message, hint }) =>
    problemAt(source, path, message, hint, { part }),
  );
}

function ancestryProblems(profile: PlacedProfile, all: ReadonlyMap<string, PlacedProfile>): readonly Problem[] {
  const id = textAt(profile.data, 'id');
  const seen = new Set<Json>();
  let here: PlacedProfile = profile;
  for (;;) {
    const parent = here.data['extends'];
    if (typeof parent !== 'string') return [];
    const path = [...profile.path, 'extends'];
    const next = all.get(parent);
    if (next === undefined) {
      return [problemAt(profile.source, path, `there is no profile "${parent}"`, didYouMean(parent, all.keys()))];
    }
    if (parent === id) return [problemAt(profile.source, path, 'the profiles extend each other in a circle')];
    // A circle further up is the fault of those that form it.
    if (seen.has(parent)) return [];
    seen.add(parent);
    here = next;
  }
}

/**
 * A profile's traits override those it inherits; its faults come before the inherited ones, and the first that responds
 * wins.
 */
function inherited({ data }: PlacedProfile, all: ReadonlyMap<string, PlacedProfile>): Profile {
  const parent = typeof data['extends'] === 'string' ? all.get(data['extends']) : undefined;
  const base = parent === undefined ? null : inherited(parent, all);
  const own = (data['faults'] ?? []) as unknown as readonly (Partial<Fault> & Pick<Fault, 'do'>)[];
  return {
    id: textAt(data, 'id'),
    summary: textAt(data, 'summary'),
    source: textAt(data, 'source'),
    demo: data['demo'] === true,
    traits: mergeTraits(base?.traits ?? defaultTraits, data['traits'] ?? {}),
    faults: [...own.map((fault) => ({ when: fault.when ?? {}, do: fault.do })), ...(base?.faults ?? [])],
  };
}

function textAt(data: JsonObject, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}

function mergeTraits(base: Traits, changes: Json): Traits {
  const { thinking, ...others } = isObject(changes) ? changes : {};
  // The schema has checked the changes. This is not a merge patch, because null is a value here.
  return {
    ...base,
    ...(others as Partial<Traits>),
    thinking: { ...base.thinking, ...(isObject(thinking) ? (thinking as Partial<Traits['thinking']>) : {}) },
  };
}

const profilesFileSchema = once(
  () =>
    parsedJson(readFileSync(new URL('../../../schemas/profiles.schema.json', import.meta.url), 'utf8')) as JsonObject,
);

/** The first mistake in one fault, in its conditions or its actions; undefined: there is none. */
export function faultProblem(fault: Json): SchemaMisfit | undefined {
  return schemaMisfits(checkOf({ $ref: '#/$defs/fault', $defs: profilesFileSchema()['$defs'] ?? {} })(fault))[0];
}
