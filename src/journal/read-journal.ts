import { isObject } from '../json/json.js';
import type { JournalLine } from './event.js';
import { JournalError, journalError } from './journal-error.js';
import { journalFiles, type JournalFiles } from './journal-files.js';

/** A line with its place in the file, in bytes. */
export interface PlacedLine {
  readonly line: JournalLine;
  readonly offset: number;
  readonly length: number;
}

/** The lines of a journal, one at a time. A torn last line, the mark of a killed run, is dropped. */
export async function* readJournal(file: string, files: JournalFiles = journalFiles): AsyncGenerator<JournalLine> {
  for await (const { line } of readPlacedLines(file, files)) yield line;
}

/** As readJournal, with the place of each line. What lies behind the last of them is torn. */
export async function* readPlacedLines(file: string, files: JournalFiles): AsyncGenerator<PlacedLine> {
  let offset = 0;
  let number = 0;
  for await (const bytes of wholeLines(file, files)) {
    number += 1;
    const length = bytes.length + 1;
    const line = parsed(bytes, `${file}:${number}`);
    if (line !== null) yield { line, offset, length };
    offset += length;
  }
}

async function* wholeLines(file: string, files: JournalFiles): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  try {
    for await (const chunk of files.readBytes(file)) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        parts.push(chunk.subarray(from, end));
        yield Buffer.concat(parts);
        parts = [];
        from = end + 1;
      }
      parts.push(chunk.subarray(from));
    }
  } catch (error) {
    throw journalError(error, file);
  }
}

/** Null for a kind of line that a later version may have added. */
function parsed(bytes: Buffer, place: string): JournalLine | null {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8')) as unknown;
  } catch (error) {
    throw new JournalError('damaged', `${place} is not JSON: the journal was changed by something else`, {
      cause: error,
    });
  }
  if (!isObject(value)) throw new JournalError('damaged', `${place} is no event of a journal`);
  switch (value['type']) {
    case 'run_started':
    case 'exchange':
    case 'run_finished':
      return value as unknown as JournalLine;
    default:
      return null;
  }
}
