import { isObject, type Json } from '../json/json.js';

/** Pieces of text that a reader may put together, in order. */
export interface Thread {
  readonly texts: string[];
  /** The number of each piece, counted over all documents of a body. */
  readonly pieces: number[];
}

/** There may be many for a hostile answer, so each is made as small as it can be. */
interface Node {
  thread: Thread | null;
  children: Map<string, Node> | null;
  latest: string;
}

/** Texts with the same place in the documents of a body. */
export interface Threads {
  /** How many pieces each document has. */
  readonly counts: readonly number[];
  readonly all: readonly Thread[];
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
 * thread for each of these ways that tells it apart. A number counts as its digits, and one that is the code of a
 * character as that, too.
 */
export function threadsOf(documents: readonly Json[]): Threads {
  const lists = listPlacesOf(documents);
  const root = nodeOf();
  const byLastName = nodeOf();
  const all: Thread[] = [];
  const names = new Set<string>();
  let count = 0;

  const put = (node: Node, text: string, piece: number): void => {
    if (node.thread === null) all.push((node.thread = { texts: [], pieces: [] }));
    node.thread.texts.push(text);
    node.thread.pieces.push(piece);
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
  const walk = (
    value: Json,
    place: ListPlace,
    nodes: readonly Node[],
    lasts: readonly Node[],
    choice: string,
  ): void => {
    if (typeof value === 'string') leaf(value, nodes, lasts, null);
    else if (typeof value === 'number') leaf(String(value), nodes, lasts, isCode(value) ? value : null);
    else if (Array.isArray(value)) {
      for (const [position, item] of (value as readonly Json[]).entries()) {
        const ways = place.hasSeveral || place.telling.size > 0 ? waysTo(item, position, place, nodes) : nodes;
        const within = choice === '' ? choiceOf(item, position) : choice;
        walk(item, place, ways, lasts, within);
      }
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        names.add(name);
        const meaning = sameMeaning[name] ?? name;
        const last = child(byLastName, meaning);
        const named = nodes.map((node) => child(node, meaning));
        walk(value[name] ?? null, placeIn(place, meaning), named, [last, child(last, choice)], choice);
      }
    }
  };
  const counts = documents.map((document) => {
    const before = count;
    walk(document, lists, [root], [], '');
    return count - before;
  });
  return { counts, all, names };
}

/** The places of an item: each name that tells it apart in each place of its list, and these themselves. */
function waysTo(item: Json, position: number, place: ListPlace, nodes: readonly Node[]): readonly Node[] {
  const labels = [
    ...(place.hasSeveral ? [`#${position}`] : []),
    ...labelsOf(item).filter((one) => place.telling.has(one)),
  ];
  const named = labels.flatMap((label) => nodes.map((node) => child(node, label)));
  return [...new Set([...named, ...nodes])].slice(0, mostNames);
}

/** A choice is told from others by the first of its names. */
function choiceOf(item: Json, position: number): string {
  return labelsOf(item)[0] ?? `#${position}`;
}

function nodeOf(): Node {
  return { thread: null, children: null, latest: '' };
}

function child(node: Node, name: string): Node {
  node.children ??= new Map();
  const known = node.children.get(name);
  if (known !== undefined) return known;
  const made = nodeOf();
  node.children.set(name, made);
  return made;
}

/** The lists that stand in one place, by member names alone, of all documents. */
interface ListPlace {
  readonly members: Map<string, ListPlace>;
  /** Some list has several items: otherwise the position tells nothing apart. */
  hasSeveral: boolean;
  /**
   * The names whose items come with others between them. The texts of any other name stand side by side where the lists
   * are joined, and need no thread of their own.
   */
  readonly telling: Set<string>;
  readonly known: Set<string>;
  /** What named the item before. */
  readonly latest: Record<Naming, string | number | undefined>;
}

function listPlacesOf(documents: readonly Json[]): ListPlace {
  const root = listPlace();
  const walk = (value: Json, place: ListPlace): void => {
    if (Array.isArray(value)) {
      const items = value as readonly Json[];
      place.hasSeveral ||= items.length > 1;
      for (const item of items) {
        learn(place, item);
        walk(item, place);
      }
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        const member = value[name] ?? null;
        if (typeof member === 'object' && member !== null) walk(member, placeIn(place, sameMeaning[name] ?? name));
      }
    }
  };
  for (const document of documents) walk(document, root);
  return root;
}

function listPlace(): ListPlace {
  return {
    members: new Map(),
    hasSeveral: false,
    telling: new Set(),
    known: new Set(),
    latest: { index: undefined, id: undefined, type: undefined },
  };
}

function placeIn(place: ListPlace, name: string): ListPlace {
  const known = place.members.get(name);
  if (known !== undefined) return known;
  const made = listPlace();
  place.members.set(name, made);
  return made;
}

function learn({ latest, known, telling }: ListPlace, item: Json): void {
  for (const naming of namings) {
    const name = nameOf(item, naming);
    if (name === latest[naming]) continue;
    latest[naming] = name;
    if (name === undefined) continue;
    const label = `${naming} ${name}`;
    if (known.has(label)) telling.add(label);
    else known.add(label);
  }
}

const isCode = (value: number): boolean => Number.isInteger(value) && value >= 32 && value < 127;

/** By what an item of a list may be named besides its position. */
const namings = ['index', 'id', 'type'] as const;
type Naming = (typeof namings)[number];

function nameOf(item: Json, naming: Naming): string | number | undefined {
  if (!isObject(item)) return undefined;
  const name = item[naming];
  return typeof name === (naming === 'index' ? 'number' : 'string') ? (name as string | number) : undefined;
}

function labelsOf(item: Json): string[] {
  return namings.flatMap((naming) => {
    const name = nameOf(item, naming);
    return name === undefined ? [] : [`${naming} ${name}`];
  });
}

/**
 * The same document with the pieces replaced for which there is an edit. It counts pieces as {@link threadsOf} does.
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
