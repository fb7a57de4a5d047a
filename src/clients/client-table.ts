import { fileURLToPath } from 'node:url';
import { readYaml } from '../files/yaml/read-yaml.js';
import { isObject, type Json } from '../json/json.js';

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
  /** By call, the worst: `throws` or `needs ?.` with the error, `wrong value`, `hangs`, `marks the call as invalid`. */
  readonly breaks?: Readonly<Record<string, string>>;
  /** Calls that the models of the row treat differently: by call and effect (`works` too), on which models. */
  readonly differs?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export interface Met {
  /** The models of the embedded service that showed it. */
  readonly models: readonly string[];
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

/** `openai-4` (an id), `openai` (a package: its newest version), or `openai@4`; empty: the name means no client. */
export function clientsNamed({ clients }: Pick<ClientTable, 'clients'>, name: string): readonly MeasuredClient[] {
  const byId = clients.filter(({ id }) => id === name);
  if (byId.length > 0) return byId;
  const [, wanted = name, major] = /^(.+)@(\d+)$/.exec(name) ?? [];
  const ofPackage = clients.filter((client) => client.package === wanted);
  const majors = ofPackage.map(({ version }) => majorOf(version));
  const chosen = major === undefined ? Math.max(...majors) : Number(major);
  return ofPackage.filter(({ version }) => majorOf(version) === chosen);
}

/** Every name that a config may give. */
export function clientNames({ clients }: Pick<ClientTable, 'clients'>): readonly string[] {
  return [
    ...new Set(
      clients.flatMap((client) => [client.package, client.id, `${client.package}@${majorOf(client.version)}`]),
    ),
  ];
}

/** The measured clients that a package.json depends on, in the versions that it asks for. */
export function clientsIn({ clients }: Pick<ClientTable, 'clients'>, manifest: Json): readonly MeasuredClient[] {
  const ranges = dependenciesOf(manifest);
  const wanted = clients.filter(({ package: name, version }) => firstNumber(ranges.get(name)) === majorOf(version));
  // Of the parts that read the answers, those that it depends on, where it says so.
  const viaKnown = wanted.filter(({ via }) => via === undefined || ranges.has(via));
  return wanted.filter(
    (client) => viaKnown.includes(client) || !viaKnown.some((other) => other.package === client.package),
  );
}

function dependenciesOf(manifest: Json): ReadonlyMap<string, Json> {
  if (!isObject(manifest)) return new Map();
  const lists = ['devDependencies', 'optionalDependencies', 'dependencies'].map((name) => manifest[name]);
  return new Map(lists.filter(isObject).flatMap((list) => Object.entries(list)));
}

function majorOf(version: string): number {
  return Number(version.split('.')[0]);
}

/** The major version that a range such as ^6.49.0, ~4.1 or >=5 begins with; null for a tag or an address. */
function firstNumber(range: Json | undefined): number | null {
  const number = typeof range === 'string' ? /^(?:npm:.*@)?[\^~>=v\s]*(\d+)(?:[.\s]|$)/.exec(range)?.[1] : undefined;
  return number === undefined ? null : Number(number);
}
