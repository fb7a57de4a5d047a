import { fileURLToPath } from 'node:url';
import { readShippedYaml } from '../files/yaml/read-shipped.js';
import { ecosystems, type Ecosystem, type Library } from './project/library.js';

/** A client library as it was measured. */
export interface MeasuredClient {
  readonly id: string;
  readonly ecosystem: Ecosystem;
  /** The name in the registry of its ecosystem. */
  readonly package: string;
  readonly version: string;
  /** The package beside it that reads the answers, where there are several. */
  readonly via?: string;
  readonly via_version?: string;
  /** The program in the repository that made the calls. */
  readonly program: string;
  /** Each call, with the library's function for it. */
  readonly calls: Readonly<Record<string, string>>;
}

/** The fate of a client's calls that met a quirk or an outcome class. */
export interface MetBy {
  readonly works: readonly string[];
  /**
   * By call, the worst: `throws`, `your code throws` or `needs ?.` with the error, `wrong value`, `hangs`, `marks the
   * call as invalid`, `asks again`.
   */
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
  /** The request of each call, in words. */
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
  const { data, problems } = readShippedYaml(file);
  if (data === null) throw new Error(problems[0]?.message ?? `${file} cannot be read`);
  // A test checks the file against its schema.
  return data as unknown as ClientTable;
}

type Clients = Pick<ClientTable, 'clients'>;

/**
 * `openai-4` (an id), `npm:openai` (a package: its newest version), `npm:openai@4`; without its ecosystem, a package of
 * every one that has it. Empty: the name means no client.
 */
export function clientsNamed({ clients }: Clients, name: string): readonly MeasuredClient[] {
  const byId = clients.filter(({ id }) => id === name);
  if (byId.length > 0) return byId;
  const [, ecosystem, plain = ''] = prefixed.exec(name) ?? [];
  const [, wanted = plain, major] = /^(.+)@(\d+)$/.exec(plain) ?? [];
  const ofPackage = clients.filter(
    (client) => client.package === wanted && (ecosystem === undefined || client.ecosystem === ecosystem),
  );
  return ecosystemsOf(ofPackage).flatMap((one) => {
    const own = ofPackage.filter((client) => client.ecosystem === one);
    const chosen = major === undefined ? Math.max(...own.map(({ version }) => majorOf(version))) : Number(major);
    return own.filter(({ version }) => majorOf(version) === chosen);
  });
}

const prefixed = new RegExp(`^(?:(${ecosystems.join('|')}):)?(.*)$`);

/** Where they come from, each once. */
export function ecosystemsOf(clients: readonly MeasuredClient[]): readonly Ecosystem[] {
  return ecosystems.filter((one) => clients.some(({ ecosystem }) => ecosystem === one));
}

/** Every name that a config may give; of the ecosystem that a name begins with, where it does. */
export function clientNames({ clients }: Clients, like = ''): readonly string[] {
  const [, ecosystem] = prefixed.exec(like) ?? [];
  const own = clients.filter((client) => ecosystem === undefined || client.ecosystem === ecosystem);
  const names = own.flatMap((client) => {
    const name = `${client.ecosystem}:${client.package}`;
    return [
      name,
      `${name}@${majorOf(client.version)}`,
      ...(ecosystem === undefined ? [client.package, client.id] : []),
    ];
  });
  return [...new Set(names)];
}

/**
 * The clients that a name of the config means. Of one that several ecosystems have, those of the ecosystem that the
 * project's files name it in; where they do not settle it, of all of them.
 */
export function clientsMeant(table: Clients, name: string, libraries: readonly Library[]): readonly MeasuredClient[] {
  const named = clientsNamed(table, name);
  const used = named.filter((client) => libraries.some((library) => isOf(client, library)));
  return ecosystemsOf(used).length === 1 ? used : named;
}

const isOf = (client: MeasuredClient, { ecosystem, name }: Library): boolean =>
  client.ecosystem === ecosystem && client.package === name;

/** The measured clients that a project uses, in the versions that it has or asks for. */
export function clientsIn({ clients }: Clients, libraries: readonly Library[]): readonly MeasuredClient[] {
  const own = libraries.filter(
    ({ ecosystem, direct }) => direct === true || (direct === null && !tells(libraries, ecosystem)),
  );
  const wanted = clients.filter((client) =>
    own.some((library) => isOf(client, library) && hasVersion(client, library)),
  );
  // Of the parts that read the answers, those that it depends on, where it says so.
  const has = (via: string): boolean => libraries.some(({ ecosystem, name }) => ecosystem === 'npm' && name === via);
  const viaKnown = wanted.filter(({ via }) => via === undefined || has(via));
  return wanted.filter(
    (client) => viaKnown.includes(client) || !viaKnown.some((other) => isSamePackage(other, client)),
  );
}

const isSamePackage = (one: MeasuredClient, other: MeasuredClient): boolean =>
  one.ecosystem === other.ecosystem && one.package === other.package;

/** Whether the files of an ecosystem say what the project itself asks for. */
const tells = (libraries: readonly Library[], ecosystem: Ecosystem): boolean =>
  libraries.some((library) => library.ecosystem === ecosystem && library.direct === true);

/** Whether a measured version stands for the one that a project has: its major version is the same, or asked for. */
function hasVersion({ version }: MeasuredClient, library: Library): boolean {
  if (library.ecosystem === 'npm') return firstNumber(library.version) === majorOf(version);
  if (library.locked) return majorOf(library.version) === majorOf(version);
  return allows(library.version, version);
}

/** Whether a specifier such as `>=1.2,<4`, `~=3.1` or `^3` takes some version with this major number. */
function allows(specifier: string, version: string): boolean {
  return specifier.split(',').every((bounds) => {
    const [, operator = '==', number, minor = '0'] =
      /^\s*(===?|~=|>=?|<=?|!=|\^|~)?\s*v?(\d+)(?:\.(\d+))?/.exec(bounds) ?? [];
    if (number === undefined || operator === '!=') return true;
    const [found, bound] = [majorOf(version), Number(number)];
    if (operator.startsWith('>')) return found >= bound;
    if (operator === '<' && Number(minor) === 0) return found < bound;
    return operator.startsWith('<') ? found <= bound : found === bound;
  });
}

function majorOf(version: string): number {
  return Number(version.split('.')[0]);
}

/** The major version that a range such as ^6.49.0, ~4.1 or >=5 begins with; null for a tag or an address. */
function firstNumber(range: string): number | null {
  const number = /^(?:npm:.*@)?[\^~>=v\s]*(\d+)(?:[.\s]|$)/.exec(range)?.[1];
  return number === undefined ? null : Number(number);
}
