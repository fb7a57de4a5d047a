import { dirname, join } from 'node:path';
import { type ClientEffects, effectsOn } from '../clients/client-effects.js';
import { clientTable } from '../clients/client-table.js';
import { clientsIn, clientsNamed } from '../clients/named-clients.js';
import type { Config } from '../config/config.js';
import { readText } from '../files/read-text.js';
import type { Json } from '../json/json.js';

/** What quirks do to the clients that a config names, or that the package.json beside it depends on; null without any. */
export function clientEffectsFor({
  file,
  clients: names,
}: Pick<Config, 'file' | 'clients'>): ((quirk: string) => ClientEffects | null) | null {
  const manifest = names === undefined || names === null ? manifestBeside(file) : null;
  if (manifest === null && (names ?? []).length === 0) return null;
  const table = clientTable();
  const clients =
    manifest === null ? (names ?? []).flatMap((name) => clientsNamed(table, name)) : clientsIn(table, manifest);
  return clients.length === 0 ? null : effectsOn(table, [...new Set(clients)]);
}

/** null where there is none, or none that can be read. */
function manifestBeside(file: string): Json {
  const read = readText(join(dirname(file), 'package.json'));
  if (!read.ok) return null;
  try {
    return JSON.parse(read.text) as Json;
  } catch {
    return null;
  }
}
