import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { isObject, type Json } from '../../json/json.js';
import type { Path } from '../source.js';
import { prebuiltPlace, toPrebuilt, type PrebuiltYaml } from './prebuilt-yaml.js';
import { parseYaml } from './read-yaml.js';

function* pathsIn(value: Json, path: Path): Generator<Path> {
  yield path;
  if (Array.isArray(value)) {
    for (const [index, member] of (value as Json[]).entries()) yield* pathsIn(member, [...path, index]);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* pathsIn(member, [...path, name]);
  }
}

/** Of a text that no build has read, since it ends with a line of its own. */
const parsed = (text: string, file: string) => parseYaml(`${text}\n# ${file}\n`, file);
const kept = (source: ReturnType<typeof parseYaml>) => JSON.parse(JSON.stringify(toPrebuilt(source))) as PrebuiltYaml;

describe('what the build keeps of a YAML file', () => {
  const files = globSync(['suites/**/*.yaml', 'fixtures/profiles/*.yaml'], {
    cwd: new URL('../../../', import.meta.url),
  });

  test.each(files)('is the data and every place of %s', (file) => {
    const source = parsed(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'), file);
    const prebuilt = kept(source);
    expect(prebuilt.data).toEqual(source.data);
    for (const path of pathsIn(source.data, [])) {
      for (const part of ['value', 'key'] as const) {
        const { line, column } = source.placeOf(path, part);
        expect(prebuiltPlace(prebuilt, path, part), path.join('.')).toEqual({ line, column });
      }
    }
  });

  test.each([
    ['an alias', 'a: &x { b: [1, 2] }\nc: *x'],
    ['an empty value', 'a:\nb: ~\nc: [ , ]'],
    ['keys that are numbers', '{ 2: b, 1: { 10: c, 9: d }, x: e }'],
    ['names of the prototype', 'constructor: 1\n__proto__: { a: 2 }\ntoString: []'],
    ['a value alone', 'text'],
  ])('is the same for %s', (_, text) => {
    const source = parsed(text, 'a.yaml');
    const prebuilt = kept(source);
    for (const path of pathsIn(source.data, [])) {
      const { line, column } = source.placeOf(path);
      expect(prebuiltPlace(prebuilt, path, 'value'), path.join('.')).toEqual({ line, column });
    }
  });

  test('has no place for what is not there', () => {
    const prebuilt = kept(parsed('a: { b: [1] }', 'a.yaml'));
    for (const path of [['x'], ['a', 'x'], ['a', 'b', 1], ['a', 'b', 0, 0], [0]]) {
      expect(prebuiltPlace(prebuilt, path, 'value')).toBeNull();
    }
  });
});
