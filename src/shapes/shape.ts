import type { Json, JsonObject } from '../json/json.js';

/** A request as a client sent it. */
export interface CapturedRequest {
  readonly method: string;
  /** With the query; without the host. */
  readonly url: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** null: there was none, or it is not JSON. */
  readonly body: Json;
}

/**
 * What stays the same of a request when ids, dates, prompts and random names differ: an entry of shapes.lock.yaml, the
 * public format `chatspec-shapes/1`.
 */
export interface RequestShape {
  /** For people: `json_schema invoice (strict), streamed`. Not compared. */
  readonly call: string;
  /** `POST /chat/completions` */
  readonly request: string;
  /** By name: the version that the library tells. A change of nothing else is a change of the library alone. */
  readonly libraries: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields by name, with their types; choices, flags and JSON Schemas as they are. */
  readonly body: Json;
  /** By name: SHA-256 of the canonical JSON of each schema. */
  readonly schemas: Readonly<Record<string, string>>;
}

export interface ShapesLock {
  readonly format: 'chatspec-shapes/1';
  readonly shapes: readonly RequestShape[];
}

/** A schema that a library produced, where it stands in a body. */
export interface SentSchema {
  readonly name: string;
  readonly schema: JsonObject;
}
