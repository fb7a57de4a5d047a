import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { excerpt } from '../../chat/excerpt.js';
import { JournalError } from '../journal-error.js';
import { pointerSteps } from '../../json/pointer.js';

/**
 * A line of the file whose `value` stands for itself wherever a later line refers to its id, so that requests, schemas,
 * headers and answers that repeat are written once. A definition may refer to earlier ones.
 */
export interface Definition {
  readonly type: 'defined';
  readonly id: string;
  readonly value: Json;
  readonly stored?: StoredParts;
  /** No later line refers to the definitions before this one, so a reader can let go of them. */
  readonly anew?: true;
}

/** By JSON Pointer: the id of the definition that belongs there. The line has null in its place. */
export type StoredParts = Readonly<Record<string, string>>;

/** What a line of the file refers to: nothing, in most. Throws a JournalError where another program wrote it. */
export function storedIn(line: JsonObject, place: string): readonly (readonly [pointer: string, id: string])[] {
  const { stored = {} } = line;
  if (isObject(stored)) {
    const parts = Object.entries(stored);
    if (parts.every((part): part is [string, string] => typeof part[1] === 'string')) return parts;
  }
  throw new JournalError('damaged', `${place} is not a journal event: "stored" has another form`);
}

/**
 * Puts a part where its line, which was just parsed, has null. Throws a JournalError where it has something else.
 * @param part undefined: no line defines it
 */
export function fill(
  line: JsonObject,
  [pointer, id]: readonly [string, string],
  part: Json | undefined,
  place: string,
): void {
  if (part === undefined) {
    throw new JournalError('damaged', `${place} refers to "${excerpt(id, 100)}", which no line before it defines`);
  }
  const steps = pointer.startsWith('/') ? pointerSteps(pointer) : [];
  const last = steps.pop();
  let here: Json | undefined = line[line['type'] === 'defined' ? 'value' : 'exchange'];
  for (const step of steps) here = own(here, step);
  if (last === undefined || own(here, last) !== null) {
    throw new JournalError(
      'damaged',
      `${place} is not a journal event: it has no place for "${excerpt(pointer, 100)}"`,
    );
  }
  (here as Record<string, Json>)[last] = part;
}

/** An event as it was before its parts were stored: it may be written again, into another file. */
export function asWritten(line: JsonObject): JsonObject {
  if (line['stored'] === undefined) return line;
  const event = { ...line };
  delete (event as Record<string, Json>)['stored'];
  return event;
}

function own(value: Json | undefined, step: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as JsonObject)[step];
}
