import { constants } from 'node:buffer';
import type { Json } from '../json/json.js';
import type { JournalLine } from './event.js';
import { excerpt } from '../chat/excerpt.js';
import { bytesOf } from './compressed.js';
import { JournalError, journalError } from './journal-error.js';
import { misfitOf } from './line-form.js';
import { pathOf } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';

/** A line and where it is in the file, in bytes. */
interface PlacedLine {
  readonly line: JournalLine;
  readonly offset: number;
  readonly length: number;
}

/** The lines of a journal, one at a time. Drops a torn last line, which a killed run leaves. Throws a JournalError. */
export async function* readJournal(file: string): AsyncGenerator<JournalLine> {
  checkFirst('readJournal', file, pathOf('a journal'));
  for await (const { line } of readPlacedLines(file)) yield line;
}

/** Like readJournal, with the place of each line. Whatever follows the last of them is torn. */
export async function* readPlacedLines(file: string): AsyncGenerator<PlacedLine> {
  let offset = 0;
  let number = 0;
  for await (const bytes of wholeLines(file)) {
    number += 1;
    const line = lineIn(bytes, `${file}:${number}`);
    const starts = line.type === 'run_started';
    if (number === 1 && !starts)
      throw damaged(`${file}:1 is not the beginning of a run: the journal lacks its first line`);
    if (number > 1 && starts) throw damaged(`${file}:${number} is the beginning of another run`);
    const length = bytes.length + 1;
    // A later version may have added types.
    if (types.has(line.type)) yield { line, offset, length };
    offset += length;
  }
}

const types: ReadonlySet<string> = new Set<JournalLine['type']>(['run_started', 'sent', 'exchange', 'run_finished']);

const damaged = (message: string, cause?: unknown): JournalError => new JournalError('damaged', message, { cause });

async function* wholeLines(file: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of bytesOf(file)) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        parts.push(chunk.subarray(from, end));
        yield Buffer.concat(parts);
        parts = [];
        length = 0;
        from = end + 1;
      }
      parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > constants.MAX_STRING_LENGTH) {
        throw damaged(`${file}: it holds a line that is longer than any that chatspec writes`);
      }
    }
  } catch (error) {
    throw journalError(error, file);
  }
}

function lineIn(bytes: Buffer, place: string): JournalLine {
  let line: Json;
  try {
    line = JSON.parse(bytes.toString('utf8')) as Json;
  } catch (error) {
    throw damaged(`${place} is not JSON: another program changed the journal`, error);
  }
  const misfit = misfitOf(line);
  if (misfit === null) return line as unknown as JournalLine;
  const where = JSON.stringify(excerpt(misfit, 100));
  throw damaged(`${place} is not a journal event: ${where} is missing or has another form`);
}
