import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';

/** An open journal. */
export interface AppendFile {
  append(text: string): Promise<void>;
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
  readBytes(file: string): AsyncIterable<Buffer>;
  remove(file: string): Promise<void>;
}

/** Errors of file systems that have no hard links. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

export const journalFiles: JournalFiles = {
  async makeFolder(folder) {
    await mkdir(folder, { recursive: true });
  },
  async openAppend(file, exclusive) {
    const handle = await open(file, exclusive ? 'ax' : 'a');
    return {
      append: (text) => handle.appendFile(text, 'utf8'),
      sync: () => handle.datasync(),
      truncate: (length) => handle.truncate(length),
      close: () => handle.close(),
    };
  },
  async createText(file, text) {
    const whole = `${file}.${randomUUID()}`;
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
  readText: (file) => readFile(file, 'utf8'),
  readBytes: (file) => createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>,
  remove: (file) => rm(file, { force: true }),
};
