import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from '../../files/source.js';
import { readJson, readYaml } from '../../files/yaml/read-yaml.js';
import { finiteJson } from '../../json/json-text.js';
import type { Json } from '../../json/json.js';

/** The data of the built-in suites as JSON, which the build writes: to read YAML takes ten times as long. */
const prepared = fileURLToPath(new URL('../../suites', import.meta.url));

/** A built-in suite file; its YAML is read where somebody asks for a place in it, or where nothing was built. */
export function readBuiltinSuite(file: string): SourceFile {
  const json = join(prepared, basename(dirname(file)), basename(file).replace(/\.yaml$/, '.json'));
  return existsSync(json) ? placedLater(file, json, readYaml) : readYaml(file);
}

/** A JSON file of the package, in which nothing can be wrong. */
export function readBuiltinJson(file: string): SourceFile {
  return placedLater(file, file, readJson);
}

function placedLater(file: string, json: string, read: (file: string) => SourceFile): SourceFile {
  let whole: SourceFile | null = null;
  return {
    file,
    problems: [],
    data: finiteJson(readFileSync(json, 'utf8')) as Json,
    spotOf: (path, part) => {
      whole ??= read(file);
      return whole.spotOf(path, part);
    },
  };
}
