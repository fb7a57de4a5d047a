import { isObject, type Json } from '../../json/json.js';
import type { SeededRandom } from '../profiles/seeded-random.js';
import { valueFromSources, type Sources } from '../values/value-from-sources.js';
import { nearestConforming, generateValue } from '../values/generate-value.js';
import { parseJson } from './quoted-text.js';
import { checkOf } from '../values/schema-check.js';

/** What a document is made from. */
export interface DocumentTask {
  /** The schema of the request. */
  readonly schema: Json;
  /** The part of the schema that the model enforces. */
  readonly enforced: Json;
  /** The text to repeat; null when the conversation asks for none. */
  readonly textToRepeat: string | null;
  readonly sources: Sources;
}

/**
 * The document's text: the text to repeat when the schema allows it, else the known values in the schema's shape,
 * else any conforming document. null when no conforming document was found.
 */
export async function composeDocument(task: DocumentTask, random: SeededRandom): Promise<string | null> {
  const { schema, enforced, textToRepeat, sources } = task;
  const seed = random.seed('document');
  if (textToRepeat !== null) {
    const value = parseJson(textToRepeat);
    if (value !== undefined) {
      const check = checkOf(enforced);
      if (check(value).length === 0) return textToRepeat;
      return documentText(await nearestConforming(value, enforced, seed));
    }
  }
  const filled = valueFromSources(schema, sources);
  return documentText(
    filled === undefined ? await generateValue(schema, seed) : await nearestConforming(filled, schema, seed),
  );
}

/** Any document that conforms; null when none was found. */
export async function makeUpDocument(enforced: Json, random: SeededRandom): Promise<string | null> {
  return documentText(await generateValue(enforced, random.seed('document')));
}

function documentText(made: { readonly value: Json } | null): string | null {
  return made === null ? null : JSON.stringify(made.value);
}

/** An object without a schema: the text to repeat, else the keys that the prompt names, else the known values. */
export function composeObject(textToRepeat: string | null, { objects, text }: Sources): string {
  if (textToRepeat !== null && isObject(parseJson(textToRepeat))) return textToRepeat;
  const known = Object.assign({}, ...objects.filter(isObject).toReversed()) as Record<string, Json>;
  const named = namedKeys(text);
  if (named.length === 0) return JSON.stringify(Object.keys(known).length > 0 ? known : { status: 'ok' });
  return JSON.stringify(Object.fromEntries(named.map((key) => [key, known[key] ?? placeholder(key)])));
}

const notKeys: ReadonlySet<string> = new Set([
  'json',
  'json_object',
  'json_schema',
  'object',
  'string',
  'number',
  'true',
  'false',
  'null',
]);

/** The list after the word "keys" (or "fields" and the like), else the words in quotes or backticks, which may be values too. */
function namedKeys(text: string): readonly string[] {
  const quoted = [...text.matchAll(/["'`]([A-Za-z_]\w{0,40})["'`]/g)].map(([, key]) => key ?? '');
  const listed =
    /\b(?:keys?|fields?|members?|properties)\b[\s:]*((?:\w+(?: \([^)]*\))?(?:,? and |, ))*\w+)/i.exec(text)?.[1] ?? '';
  const keys = listed === '' ? quoted : listed.replaceAll(/\([^)]*\)/g, '').split(/,? and |, /);
  return [...new Set(keys.map((key) => key.trim()))].filter((key) => /^[A-Za-z_]\w*$/.test(key) && !notKeys.has(key));
}

function placeholder(key: string): Json {
  if (/score|confidence|probability|ratio/i.test(key)) return 0.9;
  if (/count|total|quantity|number|amount/i.test(key)) return 1;
  return key === 'status' ? 'ok' : 'sample';
}
