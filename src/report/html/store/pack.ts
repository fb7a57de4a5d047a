import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';

const compressed = promisify(deflateRaw);

/** A run of numbered items, as the page holds it: JSON, compressed, in base64. */
export interface Block {
  /** The number of its first item. */
  readonly from: number;
  readonly count: number;
  readonly data: string;
}

export interface Pack {
  /** Keeps a value that is plain JSON, and returns its number. */
  readonly add: (value: unknown) => number;
  /** Characters of the blocks that are compressed so far. */
  readonly size: () => number;
  /** All blocks, in order. Nothing may be added afterwards. */
  readonly blocks: () => Promise<readonly Block[]>;
}

/** Characters of JSON in a block: what the browser decodes to show one item takes a few milliseconds. */
const blockSize = 192 * 1024;

/** A list of values that is compressed block by block while it grows, so that it takes little memory. */
export function openPack(first = 0): Pack {
  const closed: Promise<Block>[] = [];
  let items: string[] = [];
  let [from, room, size] = [first, blockSize, 0];
  const close = () => {
    if (items.length === 0) return;
    const [number, count, text] = [from, items.length, `[${items.join(',')}]`];
    closed.push(
      compressed(text, { level: 4 }).then((bytes) => {
        const data = bytes.toString('base64');
        size += data.length;
        return { from: number, count, data };
      }),
    );
    [items, from, room] = [[], from + count, blockSize];
  };
  return {
    add(value) {
      const text = JSON.stringify(value);
      if (text.length > room) close();
      room -= text.length;
      return from + items.push(text) - 1;
    },
    size: () => size,
    blocks() {
      close();
      return Promise.all(closed);
    },
  };
}
