import { groupBy } from '../json/group-by.js';
import type { ClientTable, MeasuredClient, MetBy } from './client-table.js';

/** What a quirk does to clients, in words such as `openai 6.49: throws`. */
export interface ClientEffects {
  readonly breaks: readonly string[];
  /** Those that read it as if nothing was odd: `openai 6.49`. */
  readonly reads: readonly string[];
}

/** What a quirk does to these clients; null where none of them met it when they were measured. */
export function effectsOn(
  table: ClientTable,
  clients: readonly MeasuredClient[],
): (quirk: string) => ClientEffects | null {
  return (quirk) => {
    const met = Object.hasOwn(table.quirks, quirk) ? table.quirks[quirk]?.clients : undefined;
    const told = clients.flatMap((client) => {
      const own = met?.[client.id];
      return own === undefined ? [] : [{ client, effect: effectOf(own) }];
    });
    if (told.length === 0) return null;
    const named = [...groupBy(told, ({ client }) => nameOf(client))].flatMap(([name, group]) => {
      const effects = new Set(group.map(({ effect }) => effect));
      if (effects.size === 1) return [{ name, effect: group[0]?.effect ?? null }];
      return group.map(({ client, effect }) => ({ name: `${name}${withPart(client)}`, effect }));
    });
    return {
      breaks: named.flatMap(({ name, effect }) => (effect === null ? [] : [`${name}: ${effect}`])),
      reads: named.filter(({ effect }) => effect === null).map(({ name }) => name),
    };
  };
}

/** `openai 6.49` */
export function nameOf({ package: name, version }: MeasuredClient): string {
  return `${name} ${version.split('.').slice(0, 2).join('.')}`;
}

function withPart({ via }: MeasuredClient): string {
  return via === undefined ? '' : ` with ${via}`;
}

/** null: every call works. */
function effectOf({ breaks = {} }: MetBy): string | null {
  const effects = Object.values(breaks).map((text) => (text.startsWith('throws') ? 'throws' : text));
  return effects.length === 0 ? null : [...new Set(effects)].sort().join(' or ');
}
