import { isObject, type Json } from '../../json/json.js';

/** Versions of JSON Schema. Older ones are read as draft 7. */
export type Dialect = '2020' | '2019' | '07';

/** What a schema may be written in, the likeliest first. */
export function dialectsFor(schema: Json): readonly Dialect[] {
  const named = isObject(schema) && Object.hasOwn(schema, '$schema') ? schema['$schema'] : undefined;
  if (typeof named !== 'string' || named.includes('2020-12')) return ['2020', '07'];
  if (named.includes('2019-09')) return ['2019'];
  return ['07', '2020'];
}
