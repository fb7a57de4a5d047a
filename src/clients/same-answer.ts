import type { Json } from '../json/json.js';
import { isSameJson } from '../json/merge-patch.js';

/** Quirks that put something in front of the text; a careful reader takes it off. */
const inFront = new Set(['think_tags_in_content', 'tool_call_markup_in_content']);

/** Whether an answer with this quirk says what the right one says. */
export function saysTheSame(quirk: string, value: Json, right: Json): boolean {
  if (inFront.has(quirk) && typeof value === 'string' && typeof right === 'string')
    return right !== '' && value.endsWith(right);
  return isSameJson(value, right);
}
