import { writtenJson } from '../json/json.js';
import { harmText, type ClientEffects, type ClientHarm } from '../chat/client-harm.js';
import { groupBy } from '../json/group-by.js';
import type { ClientTable, MeasuredClient, MetBy } from './client-table.js';

/** The effects of a quirk on these clients; null where none of them met it when they were measured. */
export function effectsOn(
  table: ClientTable,
  clients: readonly MeasuredClient[],
): (quirk: string) => ClientEffects | null {
  return (quirk) => {
    const met = Object.hasOwn(table.quirks, quirk) ? table.quirks[quirk]?.clients : undefined;
    const measured = clients.flatMap((client) => {
      const own = met?.[client.id];
      return own === undefined ? [] : [{ client, effects: combinedEffects(own) }];
    });
    if (measured.length === 0) return null;
    const named = [...groupBy(measured, ({ client }) => clientLabel(client))].flatMap(([name, group]) => {
      const [first] = group;
      const isOne = new Set(group.map(({ effects }) => writtenJson(effects))).size === 1;
      if (isOne && first !== undefined) return [{ client: name, ...first.effects }];
      return group.map(({ client, effects }) => ({ client: `${name}${withPart(client)}`, ...effects }));
    });
    const isHarm = ({ always, sometimes }: ClientHarm): boolean => always.length + sometimes.length > 0;
    const harms = named.filter(isHarm);
    return {
      breaks: harms.map(harmText),
      harms,
      reads: named.filter((one) => !isHarm(one)).map(({ client }) => client),
    };
  };
}

/** `openai 6.49`, `pypi:openai 3.57` */
function clientLabel({ ecosystem, package: name, version }: MeasuredClient): string {
  const origin = ecosystem === 'npm' ? '' : `${ecosystem}:`;
  return `${origin}${name} ${version.split('.').slice(0, 2).join('.')}`;
}

function withPart({ via }: MeasuredClient): string {
  return via === undefined ? '' : ` with ${via}`;
}

/**
 * Empty: every call works. Where the models of the row differ and one works, it happens sometimes. What always happens
 * happens sometimes, too; and where the library throws, careful code does not help.
 */
function combinedEffects({ breaks = {}, differs = {} }: MetBy): Omit<ClientHarm, 'client'> {
  const effects = Object.entries(breaks).flatMap(([call, text]) => {
    const { works, ...others } = differs[call] ?? { [effectKind(text)]: [] };
    return Object.keys(others).map((kind) => ({ kind, isAlways: works === undefined }));
  });
  const kindsThat = (isAlways: boolean): string[] =>
    [...new Set(effects.flatMap((one) => (one.isAlways === isAlways ? [one.kind] : [])))].sort();
  const always = kindsThat(true);
  return {
    always: always.filter((kind) => kind !== 'needs ?.' || !always.some((other) => other.endsWith('throws'))),
    sometimes: kindsThat(false).filter((kind) => !always.includes(kind)),
  };
}

/** The fate of a call, without the error: `throws TypeError: no` -> `throws`. */
export function effectKind(text: string): string {
  return text.startsWith('throws') ? 'throws' : (text.split(':')[0] ?? text);
}
