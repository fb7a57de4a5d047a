import { isObject, type Json } from '../json/json.js';
import type { ClientTable, MeasuredClient } from './client-table.js';

/** `openai-4` (an id), `openai` (a package: its newest version), or `openai@4`; empty for a name that means no client. */
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
