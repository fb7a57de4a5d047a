import { access, link, open, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { createReadStream, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { makeFolder } from '../files/make-folder.js';
import { openRegular, readRegular } from '../files/regular-file.js';
import { unfinishedName } from '../files/write-whole.js';
import { eitherOf, inflated, openInflated } from './compressed.js';

/** An open journal. */
export interface AppendFile {
  /** Returns once the text has left the process. Throws what the file system says. */
  append(text: string): void;
  /** Resolves once what was appended would survive a power cut. */
  sync(): Promise<void>;
  /** Cuts the file to this many bytes. */
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** The file operations of a journal, which tests replace to simulate a full or a read-only disk. */
export interface JournalFiles {
  makeFolder(folder: string): Promise<void>;
  /** Opens for appending. `exclusive`: rejects with EEXIST when the file exists. */
  openAppend(file: string, exclusive: boolean): Promise<AppendFile>;
  /** Writes a new file, which appears only once it is complete; rejects with EEXIST when it exists. */
  createText(file: string, text: string): Promise<void>;
  readText(file: string): Promise<string>;
  /**
   * Up to the end of its last whole line: what follows is torn, and could be longer than the memory. A file that was
   * compressed is read all the same, here and in the next.
   */
  readBytes(file: string): AsyncIterable<Buffer>;
  /** Opens for reading at any place. */
  openRead(file: string): Promise<FileHandle>;
  /** Gives a file another name, replacing what has that name. */
  rename(file: string, name: string): Promise<void>;
  /** Writes a text of the same length over that of a file, which is never seen empty; its age begins anew. */
  rewrite(file: string, text: string): Promise<void>;
  /** Milliseconds since the file was written, also by another machine. */
  ageOf(file: string): Promise<number>;
  remove(file: string): Promise<void>;
}

/** Errors of file systems that have no hard links. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

const atOnce = 256 * 1024;

/** The byte behind the last line break of a file, looked for from its end; 0 when it has none. */
async function endOfLastLine(file: string): Promise<number> {
  const handle = await openRegular(file);
  try {
    const bytes = Buffer.alloc(atOnce);
    for (let end = (await handle.stat()).size; end > 0;) {
      const from = Math.max(0, end - atOnce);
      const { bytesRead } = await handle.read(bytes, 0, end - from, from);
      const found = bytes.subarray(0, bytesRead).lastIndexOf(10);
      if (found >= 0) return from + found + 1;
      end = from;
    }
    return 0;
  } finally {
    await handle.close();
  }
}

async function wholeLinesIn(file: string): Promise<AsyncIterable<Buffer>> {
  const end = await endOfLastLine(file);
  if (end === 0) return Readable.from([]);
  return createReadStream(file, { highWaterMark: atOnce, end: end - 1 }) as AsyncIterable<Buffer>;
}

const encoder = new TextEncoder();

/**
 * Appends without a thread in between, which takes longer to begin than the system to keep a copy. Bytes are made in one
 * place again and again: those of the largest answers would fill the memory together.
 */
function appender(fd: number): (text: string) => void {
  const room = new Uint8Array(65_536);
  return (text) => {
    for (let at = 0; at < text.length;) {
      // As many units as there are bytes: where that parts a pair, its half has no room left, and comes with the next piece.
      const { read, written } = encoder.encodeInto(text.slice(at, at + room.length), room);
      at += read;
      // A disk that fills up takes a part, and refuses the rest.
      for (let from = 0; from < written;) from += writeSync(fd, room, from, written - from);
    }
  };
}

export const journalFiles: JournalFiles = {
  async makeFolder(folder) {
    await makeFolder(folder);
  },
  async openAppend(file, exclusive) {
    const handle = await open(file, exclusive ? 'ax' : 'a');
    return {
      append: appender(handle.fd),
      sync: () => handle.datasync(),
      truncate: (length) => handle.truncate(length),
      close: () => handle.close(),
    };
  },
  async createText(file, text) {
    const whole = unfinishedName(file);
    await writeFile(whole, text, { flag: 'wx' });
    try {
      await link(whole, file);
    } catch (error) {
      // On a file system without links a reader may see the file empty for a moment.
      if (!withoutLinks.has((error as { code?: string }).code ?? '')) throw error;
      await writeFile(file, text, { flag: 'wx' });
    } finally {
      await rm(whole, { force: true });
    }
  },
  readText: readRegular,
  async *readBytes(file) {
    yield* await eitherOf(file, wholeLinesIn, async (compressed) => {
      await access(compressed);
      return inflated(compressed);
    });
  },
  openRead: (file) => eitherOf(file, (plain) => open(plain, 'r'), openInflated),
  rename,
  async rewrite(file, text) {
    const handle = await open(file, 'r+');
    try {
      await handle.write(text, 0);
    } finally {
      await handle.close();
    }
  },
  async ageOf(file) {
    const { mtimeMs } = await stat(file);
    // A disk that machines share has a clock of its own, which a file written now shows.
    const now = unfinishedName(file);
    try {
      await writeFile(now, '', { flag: 'wx' });
      return (await stat(now)).mtimeMs - mtimeMs;
    } finally {
      await rm(now, { force: true });
    }
  },
  remove: (file) => rm(file, { force: true }),
};
