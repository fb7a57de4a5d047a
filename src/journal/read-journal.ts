import { isObject, type JsonObject } from '../json/json.js';
import type { JournalLine } from './event.js';
import { constants } from 'node:buffer';
import { excerpt } from '../chat/excerpt.js';
import { JournalError, journalError } from './journal-error.js';
import { journalFiles, type JournalFiles } from './journal-files.js';
import { misfitOf } from './line-form.js';
import { pathOf } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';

/** A line and where it is in the file, in bytes. */
export interface PlacedLine {
  readonly line: JournalLine;
  readonly offset: number;
  readonly length: number;
}

/** The lines of a journal, one at a time. Drops a torn last line, which a killed run leaves. Throws a JournalError. */
export async function* readJournal(file: string, files: JournalFiles = journalFiles): AsyncGenerator<JournalLine> {
  checkFirst('readJournal', file, pathOf('a journal'));
  for await (const { line } of readPlacedLines(file, files)) yield line;
}

/** Like readJournal, with the place of each line. Whatever follows the last of them is torn. */
export async function* readPlacedLines(file: string, files: JournalFiles): AsyncGenerator<PlacedLine> {
  let offset = 0;
  let number = 0;
  for await (const bytes of wholeLines(file, files)) {
    number += 1;
    const length = bytes.length + 1;
    const place = `${file}:${number}`;
    const line = eventIn(objectIn(bytes, place), place);
    if ((number === 1) !== (line?.type === 'run_started')) throw misplacedStart(place, number === 1);
    if (line !== null) yield { line, offset, length };
    offset += length;
  }
}

/** A journal begins with the line that says which plan it belongs to, and holds no other such line. */
function misplacedStart(place: string, isFirst: boolean): JournalError {
  const what = isFirst
    ? 'is not the beginning of a run: the journal lacks its first line'
    : 'is the beginning of another run';
  return new JournalError('damaged', `${place} ${what}`);
}

async function* wholeLines(file: string, files: JournalFiles): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of files.readBytes(file)) {
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
        throw new JournalError('damaged', `${file}: it holds a line that is longer than any that chatspec writes`);
      }
    }
  } catch (error) {
    throw journalError(error, file);
  }
}

function objectIn(bytes: Buffer, place: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8')) as unknown;
  } catch (error) {
    throw new JournalError('damaged', `${place} is not JSON: another program changed the journal`, {
      cause: error,
    });
  }
  if (!isObject(value)) throw new JournalError('damaged', `${place} is not a journal event`);
  return value;
}

/** null for a type of line that a later version of chatspec added. */
function eventIn(value: JsonObject, place: string): JournalLine | null {
  const misfit = misfitOf(value);
  if (misfit !== null) {
    const where = JSON.stringify(excerpt(misfit, 100));
    throw new JournalError('damaged', `${place} is not a journal event: ${where} is missing or has another form`);
  }
  switch (value['type']) {
    case 'run_started':
    case 'sent':
    case 'exchange':
    case 'run_finished':
      return value as unknown as JournalLine;
    default:
      return null;
  }
}
