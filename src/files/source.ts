import type { Json } from '../json/json.js';
import type { Place } from './problems/place.js';
import type { Problem } from './problems/problem.js';

/** Steps from the root of the data to a value: member names and indexes. */
export type Path = readonly (string | number)[];

/** A spot in a text: where it is, and the text around it for the code frame. */
export interface Spot {
  readonly place: Place;
  readonly text: string;
}

/** Data that knows where each of its values was written, also when parts of it come from other files. */
export interface Source {
  readonly data: Json;
  /** The nearest place that exists: the value itself, else what would hold it. `key`: the name before the value. */
  readonly spotOf: (path: Path, part?: 'key' | 'value') => Spot;
}

/** One file as read. With an error among `problems`, `data` is null. */
export interface SourceFile extends Source {
  readonly file: string;
  readonly placeOf: (path: Path, part?: 'key' | 'value') => Place;
  readonly problems: readonly Problem[];
}
