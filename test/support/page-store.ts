import { inflateRawSync } from 'node:zlib';
import type { Block } from '../../src/report/html/store/pack.js';
import type { Rope } from '../../src/report/html/store/text-shelf.js';

/** What is compressed in a page, read without a browser. */
export interface PageStore {
  readonly item: (number: number) => unknown;
  readonly text: (rope: Rope, gap?: string) => string;
  /** Every text in it, as it is. */
  readonly all: string;
}

export function storeOf(blocks: readonly Block[]): PageStore {
  const decoded = blocks.map(({ from, data }) => {
    const text = inflateRawSync(Buffer.from(data, 'base64')).toString('utf8');
    const { items, names } = JSON.parse(text) as { items: (string | [number, ...unknown[]])[]; names: string[][] };
    return { from, items: items.map((one) => (typeof one === 'string' ? one : named(one, names))) };
  });
  const item = (number: number): unknown => {
    const block = decoded.find(({ from, items }) => number >= from && number < from + items.length);
    if (block === undefined) throw new Error(`the page has no item ${number}`);
    return block.items[number - block.from];
  };
  const text = (rope: Rope, gap = ''): string =>
    rope
      .map((piece) => {
        if (typeof piece === 'string') return piece;
        if (typeof piece === 'number') return item(piece) as string;
        if (piece[0] < 0) return gap;
        return (item(piece[0]) as string).replaceAll('\n', `\n${' '.repeat(piece[1])}`);
      })
      .join('');
  return { item, text, all: decoded.flatMap(({ items }) => items.map(plain)).join('\n') };
}

function named([list, ...values]: [number, ...unknown[]], names: readonly string[][]): object {
  return Object.fromEntries((names[list] ?? []).map((name, at) => [name, values[at]]));
}

/** The strings of a value, and the names of its members. */
function plain(item: unknown): string {
  if (typeof item === 'string') return item;
  if (Array.isArray(item)) return item.map(plain).join('\n');
  if (typeof item !== 'object' || item === null) return String(item);
  return Object.entries(item)
    .map(([name, member]) => `${name} ${plain(member)}`)
    .join('\n');
}

export function storeIn(html: string): PageStore {
  const packs = html.matchAll(/<template class="pack" data-from="(\d+)" data-count="(\d+)">([^<]*)<\/template>/g);
  return storeOf(
    [...packs].map(([, from, count, data = '']) => ({
      from: Number(from),
      count: Number(count),
      data: data.replaceAll('&#x3D;', '='),
    })),
  );
}

/** What the drawer of a cell shows: its card, and requests and responses as text. */
export function drawerOf(html: string, key: string): { readonly card: Card; readonly texts: readonly string[] } {
  const store = storeIn(html);
  const index = store.item(200_000_000) as { models: string[]; names: string[]; cells: number[][] };
  const cell = index.cells.find(([name = -1, model = -1]) => `${index.names[name]}@${index.models[model]}` === key);
  if (cell === undefined) throw new Error(`the page has no cell ${key}`);
  const [number = -1, ...exchanges] = cell.slice(7);
  const card = store.item(number) as Card;
  const texts = exchanges.map((number) => {
    const one = store.item(number) as Record<'body' | 'headers', Rope> & { request: number; model: string };
    const { body, curl } = store.item(one.request) as Record<'body', Rope> & Record<'curl', Rope | null>;
    return [store.text(body, one.model), ...[one.headers, one.body, curl ?? []].map((rope) => store.text(rope))].join(
      '\n',
    );
  });
  return { card, texts };
}

interface Card {
  readonly title: string;
  readonly sentence: string;
  readonly violations: readonly { readonly at: string; readonly message: string }[];
  readonly left: string | null;
}
