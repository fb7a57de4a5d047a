import type { Json } from '../json/json.js';
import type { Place, Problem } from './problems/problem.js';

/** Steps from the root of the data to a value: member names and indexes. */
export type Path = readonly (string | number)[];

/** A place together with the whole text of its file, for the code frame; an empty text gives none. */
export interface Spot {
  readonly place: Place;
  readonly text: string;
}

/** Data that knows where each of its values was written, also when parts of it come from other files. */
export interface Source {
  readonly data: Json;
  /** Where a value is, or what would hold it when it does not exist; with `key`, the name before the value. */
  readonly spotOf: (path: Path, part?: 'key' | 'value') => Spot;
}

/** One file as read. With an error among `problems`, `data` is null. */
export interface SourceFile extends Source {
  readonly file: string;
  readonly problems: readonly Problem[];
}
