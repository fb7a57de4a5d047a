import { readFileSync } from 'node:fs';
import { isObject, type Json } from '../../json/json.js';
import { prebuiltOf } from '../prebuilt.js';
import type { Path, SourceFile } from '../source.js';

/** The endings of what the build makes of YAML and JSON files. */
export const prebuiltYamlEnding = '.yaml.json';

/** Line and column of a value, then of its key, then the same for each of its members in their order. */
type PlaceTree = readonly [number, number, number, number, ...PlaceTree[]];

/** A file of the package as the build has read it: to parse it again would take the longest part of a short command. */
export interface PrebuiltYaml {
  readonly data: Json;
  readonly places: PlaceTree;
}

/** What the build made of exactly this text; null without it. */
export function prebuiltYaml(text: string): PrebuiltYaml | null {
  const file = prebuiltOf(text, prebuiltYamlEnding);
  return file === null ? null : (JSON.parse(readFileSync(file, 'utf8')) as PrebuiltYaml);
}

/** What the build keeps of a file that it has read without a problem. */
export function toPrebuilt({ data, placeOf }: SourceFile): PrebuiltYaml {
  const placesBelow = (value: Json, path: Path): PlaceTree => {
    const [own, key] = [placeOf(path), placeOf(path, 'key')];
    const members = stepsIn(value).map(([step, member]) => placesBelow(member, [...path, step]));
    return [own.line, own.column, key.line, key.column, ...members];
  };
  return { data, places: placesBelow(data, []) };
}

/** Line and column of a value or of its key; null where the path leads to nothing. */
export function prebuiltPlace(
  { data, places }: PrebuiltYaml,
  path: Path,
  part: 'key' | 'value',
): { readonly line: number; readonly column: number } | null {
  let [value, tree]: [Json, PlaceTree] = [data, places];
  for (const step of path) {
    const members = stepsIn(value);
    const index = members.findIndex(([name]) => String(name) === String(step));
    const [member, below] = [members[index], tree[index + 4]];
    if (member === undefined || typeof below !== 'object') return null;
    [value, tree] = [member[1], below];
  }
  const [line, column, keyLine, keyColumn] = tree;
  return part === 'key' ? { line: keyLine, column: keyColumn } : { line, column };
}

function stepsIn(value: Json): readonly (readonly [string | number, Json])[] {
  if (Array.isArray(value)) return (value as readonly Json[]).map((member, index) => [index, member]);
  return isObject(value) ? Object.entries(value) : [];
}
