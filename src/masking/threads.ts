import { isObject, type Json } from '../json/json.js';

/** Pieces of text that a reader may put together, in order. */
export interface Thread {
  readonly texts: string[];
  /** The number of each piece, counted over all documents of a body. */
  readonly pieces: number[];
}

interface Node extends Thread {
  readonly children: Map<string, Node>;
  latest: string;
}

/** Texts with the same place in the documents of a body. */
export interface Threads {
  /** Adds a document; returns how many pieces it has. */
  readonly add: (document: Json) => number;
  readonly all: () => readonly Thread[];
  /** Every member name, once. */
  readonly names: ReadonlySet<string>;
}

/** Names under which services send the same: readers join what stands under them. */
const sameMeaning: Readonly<Record<string, string>> = {
  message: 'delta',
  text: 'content',
  reasoning: 'reasoning_content',
  thinking: 'reasoning_content',
};

/** A text that comes again and again (an id, the name of the model) is part of a thread once. */
const shortestRepeated = 4;

/** More ways to name one place than any answer needs; they bound the time for a hostile one. */
const mostNames = 32;

/**
 * Collects the texts of documents by place. Which texts belong together depends on the reader: an item of a list may be
 * named by its position, its `index`, its `id` or its `type`, or lists may simply be joined, so each text belongs to a
 * thread for each of these ways. A number counts as its digits, and one that is the code of a character as that, too.
 */
export function openThreads(): Threads {
  const root = nodeOf();
  const byLastName = nodeOf();
  const threads: Thread[] = [];
  const names = new Set<string>();
  let count = 0;

  function nodeOf(): Node {
    return { texts: [], pieces: [], children: new Map(), latest: '' };
  }
  const child = (node: Node, name: string): Node => {
    const known = node.children.get(name);
    if (known !== undefined) return known;
    const made = nodeOf();
    node.children.set(name, made);
    return made;
  };
  const put = (node: Node, text: string, piece: number): void => {
    if (node.pieces.length === 0) threads.push(node);
    node.texts.push(text);
    node.pieces.push(piece);
  };
  const leaf = (text: string, nodes: readonly Node[], lasts: readonly Node[], code: number | null): void => {
    const piece = count;
    count += 1;
    const [first] = nodes;
    if (text === '' || first === undefined) return;
    if (text === first.latest && text.length >= shortestRepeated) return;
    first.latest = text;
    for (const node of nodes) put(node, text, piece);
    for (const node of lasts) put(node, text, piece);
    if (code === null) return;
    for (const node of [...nodes, ...lasts]) put(child(node, 'codes'), String.fromCharCode(code), piece);
  };

  /**
   * @param nodes the places of the value, one for each way to name it; the first names every item by its position
   * @param lasts the same by the last name alone, for each choice and for all
   */
  const walk = (value: Json, nodes: readonly Node[], lasts: readonly Node[], choice: string): void => {
    if (typeof value === 'string') leaf(value, nodes, lasts, null);
    else if (typeof value === 'number') leaf(String(value), nodes, lasts, isCode(value) ? value : null);
    else if (Array.isArray(value)) {
      for (const [position, item] of (value as readonly Json[]).entries()) {
        const labels = labelsOf(item, position);
        const ways = [...new Set([...labels.flatMap((label) => nodes.map((node) => child(node, label))), ...nodes])];
        walk(item, ways.slice(0, mostNames), lasts, choice === '' ? (labels[1] ?? labels[0] ?? '') : choice);
      }
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        names.add(name);
        const meaning = sameMeaning[name] ?? name;
        const last = child(byLastName, meaning);
        walk(
          value[name] ?? null,
          nodes.map((node) => child(node, meaning)),
          [last, child(last, choice)],
          choice,
        );
      }
    }
  };
  return {
    add: (document) => {
      const before = count;
      walk(document, [root], [], '');
      return count - before;
    },
    all: () => threads,
    names,
  };
}

const isCode = (value: number): boolean => Number.isInteger(value) && value >= 32 && value < 127;

/** How an item of a list may be named: by its position first. */
function labelsOf(item: Json, position: number): string[] {
  const labels = [`#${position}`];
  if (!isObject(item)) return labels;
  const { index, id, type } = item;
  if (typeof index === 'number') labels.push(`index ${index}`);
  if (typeof id === 'string') labels.push(`id ${id}`);
  if (typeof type === 'string') labels.push(`type ${type}`);
  return labels;
}

/**
 * The same document with the pieces replaced for which there is an edit. It counts pieces as {@link openThreads} does.
 * @param from the number of its first piece
 */
export function rewritten(
  document: Json,
  from: number,
  edit: (piece: number, text: string) => string,
  rename: (name: string) => string,
): Json {
  let count = from;
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return edit(count++, value);
    if (typeof value === 'number') {
      const text = String(value);
      const shown = edit(count++, text);
      // A list of codes stays a list of numbers: 42 is an asterisk.
      return shown === text ? value : isCode(value) ? 42 : shown;
    }
    if (Array.isArray(value)) return (value as readonly Json[]).map(walk);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), walk(member)]));
  };
  return walk(document);
}
