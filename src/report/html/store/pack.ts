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
  /** Until compressing has kept up with what was added, so that texts do not pile up; null: it has. */
  readonly behind: () => Promise<unknown> | null;
  /** All blocks, in order. Nothing may be added afterwards. */
  readonly blocks: () => Promise<readonly Block[]>;
}

/** Characters of JSON in a block: what the browser decodes to show one item takes a few milliseconds. */
const blockSize = 192 * 1024;
/** How many blocks are compressed at a time. */
const mostWaiting = 2;
/** Bytes that a character takes at most. */
const widest = 3;

/** A list of values that is compressed block by block while it grows, so that it takes little memory. */
export function openPack(first = 0): Pack {
  const closed: Promise<Block>[] = [];
  let [from, count, room, size, waiting] = [first, 0, blockSize, 0, 0];
  // Texts go into bytes at once: as strings they would wait, be joined and be copied again.
  let bytes = Buffer.alloc(0);
  let length = 0;
  const write = (text: string) => {
    const needed = length + text.length * widest + 1;
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, blockSize + blockSize / 4));
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
    length += bytes.write(text, length);
  };
  const close = () => {
    if (count === 0) return;
    write(']');
    const [number, amount, block] = [from, count, bytes.subarray(0, length)];
    waiting += 1;
    closed.push(
      compressed(block, { level: 3 }).then((packed) => {
        const data = packed.toString('base64');
        size += data.length;
        waiting -= 1;
        return { from: number, count: amount, data };
      }),
    );
    [from, count, room, length] = [from + count, 0, blockSize, 0];
    bytes = Buffer.alloc(0);
  };
  return {
    add(value) {
      const text = JSON.stringify(value);
      if (text.length > room) close();
      room -= text.length;
      write(count === 0 ? '[' : ',');
      write(text);
      count += 1;
      return from + count - 1;
    },
    size: () => size,
    behind: () => (waiting <= mostWaiting ? null : (closed.at(-mostWaiting) ?? null)),
    blocks() {
      close();
      return Promise.all(closed);
    },
  };
}
