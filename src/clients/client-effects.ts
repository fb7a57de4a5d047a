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
      return own === undefined ? [] : [{ client, effect: combinedEffect(own) }];
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
function nameOf({ package: name, version }: MeasuredClient): string {
  return `${name} ${version.split('.').slice(0, 2).join('.')}`;
}

function withPart({ via }: MeasuredClient): string {
  return via === undefined ? '' : ` with ${via}`;
}

/** null: every call works. Where the models of the row differ and one works, it "sometimes throws". */
function combinedEffect({ breaks = {}, differs = {} }: MetBy): string | null {
  const effects = Object.entries(breaks).flatMap(([call, text]) => {
    const { works, ...others } = differs[call] ?? { [effectKind(text)]: [] };
    return Object.keys(others).map((kind) => (works === undefined ? kind : `sometimes ${kind}`));
  });
  const told = [...new Set(effects)].filter((effect) => !isWithin(effect, effects)).sort();
  return told.length === 0 ? null : told.join(' or ');
}

/** What always happens happens sometimes, too; and where the library throws, careful code does not help. */
function isWithin(effect: string, all: readonly string[]): boolean {
  if (effect.startsWith('sometimes ')) return all.includes(effect.slice('sometimes '.length));
  return effect === 'needs ?.' && all.includes('throws');
}

/** What became of a call, without the error: `throws TypeError: no` -> `throws`. */
export function effectKind(text: string): string {
  return text.startsWith('throws') ? 'throws' : (text.split(':')[0] ?? text);
}
