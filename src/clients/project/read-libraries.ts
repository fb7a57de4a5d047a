import { XMLParser } from 'fast-xml-parser';
import { parse as parseToml } from 'smol-toml';
import { isObject, type Json, type JsonObject, parsedJson } from '../../json/json.js';
import { goName, pypiName, type Library } from './library.js';

/** Reads the text of one kind of file; what it cannot read it takes for empty. Runs nothing. */
export type LibraryReader = (text: string) => readonly Library[];

const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Of a text that cannot be parsed nothing is known. */
function orEmpty(parse: (text: string) => unknown): (text: string) => JsonObject {
  return (text) => {
    try {
      return objectIn(parse(text));
    } catch {
      return {};
    }
  };
}

const fromToml = orEmpty(parseToml);
const fromJson = orEmpty(parsedJson);

const asked = (ecosystem: Library['ecosystem'], name: string, version: string): Library => ({
  ecosystem,
  name,
  version: version.trim(),
  locked: false,
  direct: true,
});

/** A package's own `package.json`, in the folder where it is installed. */
export const installedPackage: LibraryReader = (text) => {
  const { name, version } = fromJson(text);
  const found = asked('npm', textIn(name), textIn(version));
  return found.version === '' ? [] : [{ ...found, locked: true, direct: null }];
};

export const packageJson: LibraryReader = (text) => {
  const manifest = fromJson(text);
  const lists = ['devDependencies', 'optionalDependencies', 'dependencies'].map((name) => objectIn(manifest[name]));
  const ranges = new Map(lists.flatMap((list) => Object.entries(list)));
  return [...ranges].map(([name, range]) => asked('npm', name, textIn(range)));
};

/** `name[extra] >=1,<2 ; marker`: PEP 508. */
function requirement(line: string): readonly Library[] {
  const [, name, rest = ''] = /^\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$/s.exec(line) ?? [];
  if (name === undefined) return [];
  const [specifier = ''] = rest.split(/[;#]|\s--/);
  const version = specifier.replaceAll(/^\(|\)\s*$|\\\s*$/g, '').trim();
  if (!/^(?:===?|[<>]=?|!=|~=|@|$)/.test(version)) return [];
  const [, pinned] = /^===?\s*([^\s,*]+)$/.exec(version) ?? [];
  const found = asked('pypi', pypiName(name), version.startsWith('@') ? '' : (pinned ?? version));
  return [{ ...found, locked: pinned !== undefined, direct: null }];
}

export const requirementsTxt: LibraryReader = (text) =>
  text
    .replaceAll(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .filter((line) => !/^\s*(?:#|-|$)/.test(line))
    .flatMap(requirement);

/** Poetry writes a table: by name a version, or one among other things. */
const poetryTable = (table: unknown): readonly Library[] =>
  Object.entries(objectIn(table)).flatMap(([name, value]) =>
    name === 'python'
      ? []
      : [asked('pypi', pypiName(name), textIn(isObject(value ?? null) ? objectIn(value)['version'] : value))],
  );

export const pyprojectToml: LibraryReader = (text) => {
  const data = fromToml(text);
  const [project, tool] = [objectIn(data['project']), objectIn(data['tool'])];
  const poetry = objectIn(tool['poetry']);
  const lists = [
    project['dependencies'],
    objectIn(tool['uv'])['dev-dependencies'],
    ...Object.values(objectIn(project['optional-dependencies'])),
    ...Object.values(objectIn(data['dependency-groups'])),
    ...Object.values(objectIn(objectIn(tool['pdm'])['dev-dependencies'])),
  ];
  return [
    ...lists.flatMap(listIn).flatMap((line) => requirement(textIn(line))),
    ...[poetry['dependencies'], poetry['dev-dependencies']].flatMap(poetryTable),
    ...Object.values(objectIn(poetry['group'])).flatMap((group) => poetryTable(objectIn(group)['dependencies'])),
  ].map((library) => ({ ...library, direct: true }));
};

/** `uv.lock`, `poetry.lock`, `pdm.lock` and `pylock.toml`, which has `packages`: all that is installed. */
export const pythonLock: LibraryReader = (text) => {
  const lock = fromToml(text);
  return listIn(lock['package'] ?? lock['packages']).flatMap((item) => {
    const { name, version } = objectIn(item);
    const found = asked('pypi', pypiName(textIn(name)), textIn(version));
    return found.name === '' || found.version === '' ? [] : [{ ...found, locked: true, direct: null }];
  });
};

export const pipfileLock: LibraryReader = (text) => {
  const lock = fromJson(text);
  return ['develop', 'default'].flatMap((part) =>
    Object.entries(objectIn(lock[part])).map(([name, item]) => ({
      ...asked('pypi', pypiName(name), textIn(objectIn(item)['version']).replace(/^==/, '')),
      locked: true,
      direct: null,
    })),
  );
};

export const goMod: LibraryReader = (text) => {
  const lines = text.replaceAll(/require\s*\(([^)]*)\)/g, (_, block: string) =>
    block.replaceAll(/^\s*(?=\S)/gm, 'require '),
  );
  return [...lines.matchAll(/^\s*require\s+"?([^\s"]+)"?\s+v(\S+)(.*)$/gm)].map(
    ([, path = '', version = '', rest = '']) => ({
      ...asked('go', goName(path), version),
      locked: true,
      direct: !rest.includes('// indirect'),
    }),
  );
};

const xml = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'dependency' });
const fromXml = orEmpty((text) => xml.parse(text) as unknown);

export const pomXml: LibraryReader = (text) => {
  const project = objectIn(fromXml(text)['project']);
  const properties = objectIn(project['properties']);
  const filled = (value: unknown): string =>
    textIn(value).replaceAll(/\$\{([^}]+)\}/g, (whole, name: string) => textIn(properties[name]) || whole);
  const inside = (owner: unknown): readonly Json[] => listIn(objectIn(objectIn(owner)['dependencies'])['dependency']);
  const managed = new Map(
    inside(project['dependencyManagement']).map((item) => [keyOf(item), objectIn(item)['version']]),
  );
  return inside(project).map((item) => {
    const version = filled(objectIn(item)['version'] ?? managed.get(keyOf(item)));
    const isFixed = /^\d/.test(version);
    return { ...asked('maven', keyOf(item), isFixed ? version : ''), locked: isFixed };
  });
};

const keyOf = (item: Json): string => `${textIn(objectIn(item)['groupId'])}:${textIn(objectIn(item)['artifactId'])}`;

/** `gradle.lockfile`: `group:artifact:version=configurations`. */
export const gradleLock: LibraryReader = (text) =>
  [...text.matchAll(/^([\w.-]+:[\w.-]+):([^=\s]+)=/gm)].map(([, name = '', version = '']) => ({
    ...asked('maven', name, version),
    locked: true,
    direct: null,
  }));

/** Gradle's catalog, where builds name versions once: `gradle/libs.versions.toml`. */
export const versionCatalog: LibraryReader = (text) => {
  const { versions, libraries } = fromToml(text);
  const rich = (value: unknown): string => {
    const { strictly, require, prefer } = objectIn(value);
    return textIn(value) || textIn(strictly ?? require ?? prefer);
  };
  return Object.values(objectIn(libraries)).flatMap((item) => {
    const { module, group, name, version } = objectIn(item);
    const [ownGroup = '', ownName = '', ownVersion = ''] = textIn(item).split(':');
    const key = textIn(module) || `${textIn(group) || ownGroup}:${textIn(name) || ownName}`;
    const { ref } = objectIn(version);
    const found = ref === undefined ? rich(version) || ownVersion : rich(objectIn(versions)[textIn(ref)]);
    return key === ':' ? [] : [asked('maven', key, found)];
  });
};

/** The coordinates in a build script of Gradle, in either of its languages. */
export const buildGradle: LibraryReader = (text) => {
  const code = text.replaceAll(/\/\*[^]*?\*\/|(?<![:"'])\/\/.*$/gm, '');
  return [...code.matchAll(/(["'])([\w.-]+:[\w.-]+)(?::([\w.+-]+))?(?:@\w+)?\1/g)].map(
    ([, , name = '', version = '']) => ({
      ...asked('maven', name, version),
      locked: /^\d[^+]*$/.test(version),
    }),
  );
};
