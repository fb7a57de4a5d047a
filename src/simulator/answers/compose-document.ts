import { isObject, type Json } from '../../json/json.js';
import type { Chance } from '../profiles/chance.js';
import { fill, type Sources } from '../values/fill.js';
import { conforming, generate } from '../values/generate.js';
import { parsed } from './prompt-json.js';
import { checkOf } from '../values/schema-check.js';

/** What a document has to be made from. */
export interface DocumentTask {
  /** What the document should look like. */
  readonly schema: Json;
  /** What the model really enforces: the schema, or less of it. */
  readonly enforced: Json;
  /** The text that was asked to be repeated; null when nothing was. */
  readonly repeat: string | null;
  readonly sources: Sources;
}

/**
 * The document's text: what was asked to be repeated when the constraint lets it through, else the right values in the
 * schema's shape, else any conforming document. null when no conforming document was found.
 */
export async function composeDocument(task: DocumentTask, chance: Chance): Promise<string | null> {
  const { schema, enforced, repeat, sources } = task;
  const seed = chance.seed('document');
  if (repeat !== null) {
    const value = parsed(repeat);
    if (value !== undefined) {
      const check = await checkOf(enforced);
      if (check(value).length === 0) return repeat;
      return written(await conforming(value, enforced, seed));
    }
  }
  const filled = fill(schema, sources);
  return written(filled === undefined ? await generate(schema, seed) : await conforming(filled, schema, seed));
}

function written(made: { readonly value: Json } | null): string | null {
  return made === null ? null : JSON.stringify(made.value);
}

/** A free object: what was asked to be repeated, else the keys that the prompt names, else what is known. */
export function composeObject(repeat: string | null, { objects, text }: Sources): string {
  if (repeat !== null && isObject(parsed(repeat))) return repeat;
  const known = Object.assign({}, ...objects.filter(isObject).toReversed()) as Record<string, Json>;
  const named = namedKeys(text);
  if (named.length === 0) return JSON.stringify(Object.keys(known).length > 0 ? known : { status: 'ok' });
  return JSON.stringify(Object.fromEntries(named.map((key) => [key, known[key] ?? guess(key)])));
}

const idleKeys: ReadonlySet<string> = new Set([
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

/** The list after the word "keys" (or "fields"), else what stands in quotes or backticks, which may be values too. */
function namedKeys(text: string): readonly string[] {
  const quoted = [...text.matchAll(/["'`]([A-Za-z_]\w{0,40})["'`]/g)].map(([, key]) => key ?? '');
  const listed =
    /\b(?:keys?|fields?|members?|properties)\b[\s:]*((?:\w+(?: \([^)]*\))?(?:,? and |, ))*\w+)/i.exec(text)?.[1] ?? '';
  const keys = listed === '' ? quoted : listed.replaceAll(/\([^)]*\)/g, '').split(/,? and |, /);
  return [...new Set(keys.map((key) => key.trim()))].filter((key) => /^[A-Za-z_]\w*$/.test(key) && !idleKeys.has(key));
}

function guess(key: string): Json {
  if (/score|confidence|probability|ratio/i.test(key)) return 0.9;
  if (/count|total|quantity|number|amount/i.test(key)) return 1;
  return key === 'status' ? 'ok' : 'sample';
}
