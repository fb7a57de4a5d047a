import { fileURLToPath } from 'node:url';
import { readYaml } from '../files/yaml/read-yaml.js';
import type { RequestKind } from './request-kind.js';

/** A client library as it was measured. */
export interface MeasuredClient {
  readonly id: string;
  /** Name of the npm package. */
  readonly package: string;
  readonly version: string;
  /** The package beside it that reads the answers, where there are several. */
  readonly via?: string;
  readonly via_version?: string;
  /** The program in the repository that made the calls. */
  readonly program: string;
  /** What was called, with the library's function for it. */
  readonly calls: Readonly<Record<string, string>>;
}

/** What became of a client's calls that met a quirk or an outcome class. */
export interface MetBy {
  readonly works: readonly string[];
  /** By call, of several models the worst: `throws` or `needs ?.` with the error, `wrong value`, `hangs`, or `marks the call as invalid`. */
  readonly breaks?: Readonly<Record<string, string>>;
  /** The calls that the models of the row treat differently: by call and effect (`works` among them), on which models. */
  readonly differs?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export interface Met {
  /** The models of the embedded service that showed it. */
  readonly models: readonly string[];
  /** What the requests that met it asked for, each kind once; empty for one that asks for a plain text. */
  readonly requests: readonly RequestKind[];
  /** By id of the client; without those that never met it. */
  readonly clients: Readonly<Record<string, MetBy>>;
}

/** `fixtures/clients.yaml`: what real client libraries make of quirks and outcome classes. */
export interface ClientTable {
  readonly format: 'chatspec-clients/1';
  /** ISO date. */
  readonly measured: string;
  readonly clients: readonly MeasuredClient[];
  readonly models: readonly string[];
  /** What each call asks for. */
  readonly calls: Readonly<Record<string, string>>;
  readonly quirks: Readonly<Record<string, Met>>;
  readonly classes: Readonly<Record<string, Met>>;
  /** Why no client was asked with the others, by name. */
  readonly unmeasured: Readonly<Record<'quirks' | 'classes', Readonly<Record<string, string>>>>;
}

/** The same two levels up from src/clients and from dist/clients. */
const file = fileURLToPath(new URL('../../fixtures/clients.yaml', import.meta.url));

let table: ClientTable | null = null;

/** The table that ships with the package; read once. */
export function clientTable(): ClientTable {
  return (table ??= readTable());
}

function readTable(): ClientTable {
  const { data, problems } = readYaml(file);
  if (data === null) throw new Error(problems[0]?.message ?? `${file} cannot be read`);
  // A test checks the file against its schema.
  return data as unknown as ClientTable;
}
