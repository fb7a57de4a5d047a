import { isObject, jsonOrUndefined, type Json, type JsonObject } from '../../json/json.js';
import type { ChatMessage } from '../http/request.js';

/** `[[ ## answer ## ]]`, as DSPy asks for its fields. */
const marker = /\[\[ ## (\w+) ## \]\]/g;
const isLastMarker = (name: string): boolean => name === 'completed';

/** A document that conforms to a schema; null where none was found. */
type DocumentBySchema = (schema: JsonObject) => Promise<string | null>;

/**
 * The fields that the latest turn wants, each behind its marker, and the marker that ends them; null where it wants none.
 * @param text what a field of words says
 */
export async function markedFields(
  messages: readonly ChatMessage[],
  text: string,
  documentOf: DocumentBySchema,
): Promise<string | null> {
  const turn = messages.findLast(({ role }) => role === 'user')?.text ?? '';
  const wanted = /\boutput fields?\b([\s\S]*)$/i.exec(turn)?.[1] ?? '';
  const names = [...wanted.matchAll(marker)].map(([, name = '']) => name).filter((name) => !isLastMarker(name));
  if (names.length === 0) return null;
  const instructions = messages.filter(({ role }) => role === 'system' || role === 'developer').map((one) => one.text);
  const parts: string[] = [];
  for (const name of new Set(names)) {
    const hint = `${noteOf(name, instructions.join('\n'))}\n${bracketsBehind(name, wanted)}`;
    parts.push(`[[ ## ${name} ## ]]\n${await fieldValue(hint, text, documentOf)}`);
  }
  return [...parts, '[[ ## completed ## ]]'].join('\n\n');
}

/** The instructions' note on a field: `{total}        # note: the value you produce must be a single float value`. */
function noteOf(name: string, instructions: string): string {
  return new RegExp(String.raw`\{${name}\}\s*# note: ([^\n]*)`).exec(instructions)?.[1] ?? '';
}

/** The turn's demand on a field: `[[ ## total ## ]]` (must be formatted as a valid Python float). */
function bracketsBehind(name: string, wanted: string): string {
  return new RegExp(String.raw`\[\[ ## ${name} ## \]\]\`? \((must [^\n]*?)\)(?:,|\.|$)`, 'm').exec(wanted)?.[1] ?? '';
}

/** By what DSPy says of a field that is no text. */
async function fieldValue(hint: string, text: string, documentOf: DocumentBySchema): Promise<string> {
  const listed = /\bone of: (.*)$/m.exec(hint)?.[1];
  if (listed !== undefined) return listed.split('; ')[0] ?? '';
  if (/\bPython int\b|\bsingle int\b/.test(hint)) return '3';
  if (/\bPython float\b|\bsingle float\b/.test(hint)) return '0.5';
  if (/\bTrue or False\b/.test(hint)) return 'True';
  const schema = /\bJSON schema: (\{.*\})/.exec(hint)?.[1];
  const parsed: Json | undefined = schema === undefined ? undefined : jsonOrUndefined(schema);
  return isObject(parsed) ? ((await documentOf(parsed)) ?? text) : text;
}
