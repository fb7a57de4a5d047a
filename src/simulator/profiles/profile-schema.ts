import { readFileSync } from 'node:fs';
import type { ErrorObject } from 'ajv';
import { didYouMean } from '../../files/problems/nearest.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { once } from '../../json/remembered.js';
import { checkOf } from '../values/schema-check.js';

const schema = once(
  () =>
    JSON.parse(readFileSync(new URL('../../../schemas/profiles.schema.json', import.meta.url), 'utf8')) as JsonObject,
);

/** Violations of a file of profiles. */
export const checkProfiles = (data: Json): readonly ErrorObject[] => checkOf(schema())(data);

/** Violations of one fault: when, and what. */
export const checkFault = (fault: Json): readonly ErrorObject[] =>
  checkOf({ $ref: '#/$defs/fault', $defs: schema()['$defs'] ?? {} })(fault);

/** A violation in words; `key`: the member that is not known. */
export function violationIn({ params, parentSchema, message = 'is not valid' }: ErrorObject): {
  readonly key: string | null;
  readonly message: string;
  readonly hint: string | undefined;
} {
  const { additionalProperty: key } = params as { readonly additionalProperty?: string };
  if (key === undefined) return { key: null, message, hint: undefined };
  const known: unknown = parentSchema?.['properties'];
  const hint = didYouMean(key, isObject(known) ? Object.keys(known) : []);
  return { key, message: `"${key}" is not known here`, hint };
}
