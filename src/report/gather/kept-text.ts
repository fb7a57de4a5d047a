import { excerpt } from '../../chat/excerpt.js';
import type { JsonObject } from '../../json/json.js';
import { everything, leftOut } from '../safe/capped.js';

/**
 * Characters that are kept of a text of a service. Reports hold such texts by the hundred, and the journal holds all of
 * each.
 */
const mostKept = 4000;

/** A text of a service as the report keeps it. Cut at the end of a word, since it is redacted later. */
export function kept(text: string): string {
  if (text.length <= mostKept) return text;
  const beginning = excerpt(text, mostKept);
  // A part of a text would keep the whole of it in memory, so it is copied.
  return Buffer.from(`${beginning}${leftOut(text.length - beginning.length + 1)}`).toString();
}

export function keptOrNull(text: string | null): string | null {
  return text === null ? null : kept(text);
}

/** The headers of an answer. */
export function keptValues(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const values = Object.values(headers);
  if (values.every((value) => value.length <= mostKept)) return headers;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, kept(value)]));
}

/** The `usage` of an answer, which is data of any form. */
export function keptUsage(usage: JsonObject | null): JsonObject | null {
  const length = usage === null ? 0 : JSON.stringify(usage).length;
  return length <= mostKept ? usage : { left_out: `${length.toLocaleString('en')} characters; ${everything}` };
}
