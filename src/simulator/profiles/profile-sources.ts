import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseYaml, readYaml } from '../../files/yaml/read-yaml.js';
import type { SourceFile } from '../../files/source.js';
import type { Fault, Profile, ThinkingTraits, Traits } from './profile.js';

/** A model as it is written; see docs/simulator.md. */
export interface WrittenProfile extends Partial<Pick<Profile, 'summary' | 'source' | 'demo'>> {
  readonly id: string;
  /** Id of the profile whose traits and faults it has as well, such as `sim-reference`. */
  readonly extends?: string;
  readonly traits?: Partial<Omit<Traits, 'thinking'>> & { readonly thinking?: Partial<ThinkingTraits> };
  readonly faults?: readonly (Partial<Fault> & Pick<Fault, 'do'>)[];
}

/** A folder, a YAML file, YAML text, or the profiles themselves. */
export type ProfileInput = string | URL | WrittenProfile | { readonly profiles: readonly WrittenProfile[] };

/** Profiles as they were written, and the folders in which their recorded answers lie. */
export interface ProfileSources {
  readonly sources: readonly SourceFile[];
  readonly folders: readonly string[];
}

/** The folder of the package's profiles. */
export const ownProfiles = fileURLToPath(new URL('../../../fixtures/profiles/', import.meta.url));

export function isPackaged(file: string): boolean {
  return resolve(file).startsWith(ownProfiles);
}

/** Lies beside the package's profiles and says how each must be judged, which does not concern the service. */
const labelsFile = 'labels.yaml';

/** Reads what {@link ProfileInput} names. Problems are among the sources; rejects where a folder cannot be read. */
export async function profileSources(inputs: readonly ProfileInput[]): Promise<ProfileSources> {
  const read = await Promise.all(inputs.map(sourcesOf));
  return { sources: read.flatMap(({ sources }) => sources), folders: read.flatMap(({ folders }) => folders) };
}

async function sourcesOf(input: ProfileInput, index: number): Promise<ProfileSources> {
  if (typeof input === 'string' && isYaml(input)) return fromText(input, index);
  if (typeof input === 'string') return fromPath(resolve(input));
  if (input instanceof URL) return fromPath(fileURLToPath(input));
  return fromText(JSON.stringify('profiles' in input ? input : { profiles: [input] }, null, 2), index);
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
  return { sources: files.map((name) => readYaml(join(path, name))), folders: [path] };
}
