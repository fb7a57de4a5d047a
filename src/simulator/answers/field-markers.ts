import { writtenJson } from '../../json/json-text.js';
import { isObject, type Json } from '../../json/json.js';
import { conformingValue } from '../values/conforming-value.js';
import type { ChatMessage } from '../http/request.js';
import { jsonOrUndefined } from './quoted-text.js';

/** `[[ ## answer ## ]]`, as DSPy asks for its fields. */
const marker = /\[\[ ## (\w+) ## \]\]/g;
const isLastMarker = (name: string): boolean => name === 'completed';

/**
 * The fields that the latest turn wants, each behind its marker, and the marker that ends them; null where it wants none.
 * @param text what a field of words says
 */
export async function markedFields(
  messages: readonly ChatMessage[],
  text: string,
  seed: number,
): Promise<string | null> {
  const turn = messages.findLast(({ role }) => role === 'user')?.text ?? '';
  const wanted = /\boutput fields?\b([\s\S]*)$/i.exec(turn)?.[1] ?? '';
  const names = [...wanted.matchAll(marker)].map(([, name = '']) => name).filter((name) => !isLastMarker(name));
  if (names.length === 0) return null;
  const parts: string[] = [];
  for (const name of new Set(names)) {
    const hint = new RegExp(String.raw`\[\[ ## ${name} ## \]\]\`? \((must [^\n]*?)\)(?:,|\.|$)`, 'm').exec(wanted)?.[1];
    parts.push(`[[ ## ${name} ## ]]\n${await fieldValue(hint ?? '', text, seed)}`);
  }
  return [...parts, '[[ ## completed ## ]]'].join('\n\n');
}

/** By what DSPy says in brackets behind a field that is no text. */
async function fieldValue(hint: string, text: string, seed: number): Promise<string> {
  const listed = /\bone of: (.*)$/.exec(hint)?.[1];
  if (listed !== undefined) return listed.split('; ')[0] ?? '';
  if (/\bPython int\b/.test(hint)) return '3';
  if (/\bPython float\b/.test(hint)) return '0.5';
  if (/\bTrue or False\b/.test(hint)) return 'True';
  const schema = /\bJSON schema: (\{.*\})/.exec(hint)?.[1];
  const parsed: Json | undefined = schema === undefined ? undefined : jsonOrUndefined(schema);
  if (!isObject(parsed)) return text;
  const made = await conformingValue(parsed, seed, true);
  return made === undefined ? text : writtenJson(made);
}
