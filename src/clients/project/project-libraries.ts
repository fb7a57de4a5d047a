import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../files/read-text.js';
import type { Library } from './library.js';
import * as read from './read-libraries.js';

/** The files of a project that name its libraries, and how each is read. */
const readers: readonly (readonly [file: RegExp, read: read.LibraryReader])[] = [
  [/^package\.json$/, read.packageJson],
  [/^pyproject\.toml$/, read.pyprojectToml],
  [/^requirements(?:[\w.-]*|\/[\w.-]+)\.(?:txt|in)$/, read.requirementsTxt],
  [/^(?:(?:uv|poetry|pdm)\.lock|pylock(?:\.[\w-]+)?\.toml)$/, read.pythonLock],
  [/^Pipfile\.lock$/, read.pipfileLock],
  [/^go\.mod$/, read.goMod],
  [/^pom\.xml$/, read.pomXml],
  [/^build\.gradle(?:\.kts)?$/, read.buildGradle],
  [/^gradle\.lockfile$/, read.gradleLock],
  [/^gradle\/[\w.-]+\.versions\.toml$/, read.versionCatalog],
];

/** Folders for files of this kind alone. */
const places = ['gradle', 'requirements'];

/**
 * The libraries that the files of a folder name, each once: as it is locked, else as it is asked for. Where a file says
 * what the project itself asks for, that is known of each.
 */
export function librariesIn(folder: string): readonly Library[] {
  const deeper = places.flatMap((place) => filesIn(join(folder, place)).map((file) => `${place}/${file}`));
  const found = [...filesIn(folder), ...deeper].flatMap((file) => {
    const reader = readers.find(([name]) => name.test(file))?.[1];
    const text = reader === undefined ? null : readText(join(folder, file));
    return reader === undefined || text?.ok !== true ? [] : reader(text.text);
  });
  return joined(found).map((library) => asInstalled(folder, library));
}

/** Every package manager of npm's registry writes a lock of its own; what they install says its version alike. */
function asInstalled(folder: string, library: Library): Library {
  if (library.ecosystem !== 'npm') return library;
  const text = readText(join(folder, 'node_modules', library.name, 'package.json'));
  const [installed] = text.ok ? read.installedPackage(text.text) : [];
  return installed === undefined ? library : { ...library, version: installed.version, locked: true };
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** One entry for each library of all files. */
export function joined(found: readonly Library[]): readonly Library[] {
  const byName = new Map<string, Library>();
  for (const library of found) {
    const key = `${library.ecosystem}:${library.name}`;
    const before = byName.get(key);
    byName.set(key, before === undefined ? library : both(before, library));
  }
  return [...byName.values()];
}

function both(one: Library, other: Library): Library {
  // A later list of one manifest counts more; what is locked counts most.
  const counts = one.locked && !other.locked ? one : other;
  return { ...counts, direct: one.direct === true || other.direct === true ? true : counts.direct };
}
