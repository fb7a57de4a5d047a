import type { Json, JsonObject } from '../../json/json.js';
import { JournalError } from '../journal-error.js';
import { asWritten, fill, storedIn } from './stored-parts.js';

/** Reads the lines of one file, in their order. */
export interface LineReader {
  /**
   * The event, with everything to which its line refers; null for a definition. Throws a JournalError for a line that
   * refers to what no line before it defines.
   * @param length of the line, in bytes
   * @param place where the line is, for messages
   */
  readonly event: (line: JsonObject, length: number, place: string) => JsonObject | null;
}

/**
 * Bytes of definitions that a reader keeps; chatspec forgets them long before. Each counts with everything to which it
 * refers: written out, a few lines could be larger than any memory.
 */
const mostKept = 200_000_000;

export function lineReader(): LineReader {
  const known = new Map<string, { readonly value: Json; readonly length: number }>();
  let kept = 0;
  return {
    event(line, length, place) {
      let written = length;
      for (const part of storedIn(line, place)) {
        const found = known.get(part[1]);
        fill(line, part, found?.value, place);
        written += found?.length ?? 0;
      }
      if (written > mostKept) throw tooMuch(place);
      if (line['type'] !== 'defined') return asWritten(line);
      const { id, value } = line;
      if (typeof id !== 'string' || value === undefined) {
        throw new JournalError('damaged', `${place} is not a journal event: "id" or "value" is missing`);
      }
      if (line['anew'] === true) {
        known.clear();
        kept = 0;
      }
      kept += length;
      if (kept > mostKept) throw tooMuch(place);
      known.set(id, { value, length: written });
      return null;
    },
  };
}

function tooMuch(place: string): JournalError {
  return new JournalError('damaged', `${place} defines or repeats more than chatspec ever writes`);
}
