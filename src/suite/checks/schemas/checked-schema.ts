import { didYouMean } from '../../../files/problems/nearest.js';
import type { Path } from '../../../files/source.js';
import type { Json } from '../../../json/json.js';
import { typeNames, readSchema, type SchemaFault } from '../../../judge/schema/read-schema.js';
import { checkSchema } from '../../../judge/schema/conformance.js';

type CheckedSchema =
  /** `accepts` gives null, or why a value does not conform. */
  | { readonly ok: true; readonly accepts: (value: Json) => string | null }
  | { readonly ok: false; readonly message: string; readonly hint?: string | undefined; readonly below: Path };

/** What the judge makes of a schema, in words for the author of a suite. */
export function checkedSchema(schema: Json): CheckedSchema {
  const read = readSchema(schema);
  if (read.kind === 'fault') return { ok: false, ...described(read) };
  return { ok: true, accepts: (value) => whyNot(value, schema) };
}

function described({ error, invalid, unresolved }: SchemaFault): Omit<CheckedSchema & { ok: false }, 'ok'> {
  if (invalid !== null) {
    const { at, message, found } = invalid;
    const hint =
      at.at(-1) === 'type' && typeof found === 'string' ? didYouMean(found, new Set(typeNames), 'allowed') : undefined;
    const where = at.length === 0 ? '' : `${at.join('.')} `;
    return { message: `this is not a JSON Schema: ${where}${message}`, hint, below: at };
  }
  if (unresolved !== null) {
    const hint = 'a file is named by a path that begins with ./ or ../, a part of the same schema by #/$defs/NAME';
    return { message: `the $ref "${unresolved}" leads nowhere in this schema`, hint, below: [] };
  }
  const why = error.includes('call stack') ? 'it is nested too deeply' : error;
  return { message: `this JSON Schema cannot be used: ${why}`, below: [] };
}

function whyNot(value: Json, schema: Json): string | null {
  const result = checkSchema(value, schema);
  if (result.kind === 'conforms') return null;
  if (result.kind === 'unusable') return result.error;
  const [first] = result.violations;
  const where = first === undefined || first.at === '' ? 'it' : first.at;
  return `${where} ${first?.message ?? 'does not conform'}`;
}
