import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { finiteJson, type Json } from '../../json/json.js';
import { remembered } from '../../json/remembered.js';
import type { SourceFile } from '../problems/problem.js';
import { readJson, readYaml } from './read-yaml.js';

const packageFolder = fileURLToPath(new URL('../../../', import.meta.url));
/** The data of the package's YAML files as JSON, which the build writes: to read YAML takes ten times as long. */
const prepared = fileURLToPath(new URL('../../', import.meta.url));

/** More than the package has. */
const mostFiles = 200;

/** A YAML file of the package; read as YAML where somebody asks for a place in it, or where nothing was built. */
export const readShippedYaml = remembered(mostFiles, (file: string): SourceFile => {
  const json = join(prepared, relative(packageFolder, file)).replace(/\.yaml$/, '.json');
  return existsSync(json) ? placedLater(file, json, readYaml) : readYaml(file);
});

/** A JSON file of the package, in which nothing can be wrong. */
export const readShippedJson = remembered(mostFiles, (file: string): SourceFile => placedLater(file, file, readJson));

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
