import { deflateRawSync } from 'node:zlib';

/** A run of numbered items, as the page holds it: JSON, compressed, in base64. */
export interface Block {
  /** The number of its first item. */
  readonly from: number;
  readonly count: number;
  readonly data: string;
}

export interface Pack {
  /** Keeps a text, or an object that is plain JSON, and returns its number. */
  readonly add: (value: string | object) => number;
  /** The same of a value that may be there already: it is kept once. */
  readonly once: (value: object) => number;
  /** Characters of the blocks that are compressed so far. */
  readonly size: () => number;
  /** All blocks, in order. Nothing may be added afterwards. */
  readonly blocks: () => readonly Block[];
}

/** Characters of JSON in a block: what the browser decodes to show one item takes a few milliseconds. */
const blockSize = 192 * 1024;
/** Bytes that a character takes at most. */
const widest = 3;

/**
 * A list of values that is compressed block by block while it grows, so that it takes little memory. An object stands in
 * its block as the number of its list of names, then its values: thousands have the same names. A block is compressed at
 * once, since that takes less than to hand it to a thread.
 */
export function openPack(first = 0): Pack {
  const closed: Block[] = [];
  const lists: (readonly string[])[] = [];
  let [from, count, room, size] = [first, 0, blockSize, 0];
  // Texts go into bytes at once: as strings they would wait, be joined and be copied again.
  let bytes = Buffer.allocUnsafe(blockSize + blockSize / 4);
  let length = 0;
  const write = (text: string) => {
    const needed = length + text.length * widest;
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(needed + blockSize / 4);
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
    length += bytes.write(text, length);
  };
  const close = () => {
    if (count === 0) return;
    write(`],"names":${JSON.stringify(lists)}}`);
    // Level 3: the higher ones make a page hardly smaller.
    const data = deflateRawSync(bytes.subarray(0, length), { level: 3 }).toString('base64');
    closed.push({ from, count, data });
    size += data.length;
    [from, count, room, length] = [from + count, 0, blockSize, 0];
  };
  const listed = (value: object): readonly unknown[] => {
    const names = Object.keys(value);
    const known = lists.findIndex(
      (list) => list.length === names.length && list.every((name, at) => name === names[at]),
    );
    const number = known === -1 ? lists.push(names) - 1 : known;
    return [number, ...(Object.values(value) as unknown[])];
  };
  const keep = (text: string): number => {
    if (text.length > room) close();
    room -= text.length;
    write(count === 0 ? '{"items":[' : ',');
    write(text);
    count += 1;
    return from + count - 1;
  };
  const kept = new Map<string, number>();
  return {
    add: (value) => keep(JSON.stringify(typeof value === 'string' ? value : listed(value))),
    once(value) {
      const text = JSON.stringify(listed(value));
      const number = kept.get(text) ?? keep(text);
      kept.set(text, number);
      return number;
    },
    size: () => size,
    blocks() {
      close();
      return closed;
    },
  };
}
