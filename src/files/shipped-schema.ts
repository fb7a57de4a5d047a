import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Ajv2020, AnySchemaObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from '../json/json.js';
import { prebuiltOf } from './prebuilt.js';
import type { Problem } from './problems/problem.js';
import { schemaProblems } from './schema-problems.js';
import type { Source } from './source.js';

/** The JSON Schemas of the package that data is checked against. */
export const shippedSchemas = [
  'suite',
  'config',
  'baseline',
  'chat-request',
  'report',
  'summary',
  'capabilities',
  'check',
  'shapes',
  'clients',
] as const;

export type ShippedSchema = (typeof shippedSchemas)[number];

const compiled = new Map<ShippedSchema, Promise<ValidateFunction>>();

/** Checks data against one of the JSON Schemas of the package; each is compiled once. */
export async function checkAgainst(name: ShippedSchema, source: Source): Promise<Problem[]> {
  const valid = await shippedSchema(name);
  return valid(source.data) ? [] : schemaProblems(source, valid.errors ?? [], valid.schema as JsonObject);
}

/** The compiled form of one of the JSON Schemas of the package. */
export function shippedSchema(name: ShippedSchema): Promise<ValidateFunction> {
  let validate = compiled.get(name);
  if (validate === undefined) compiled.set(name, (validate = compile(name)));
  return validate;
}

/** The endings of what the build makes of JSON Schemas. */
export const prebuiltSchemaEnding = '.schema.cjs';

/** To compile the schemas that `validate` needs takes longer than everything else that it does, so the build does it. */
async function compile(name: ShippedSchema): Promise<ValidateFunction> {
  const text = await readFile(fileOf(name), 'utf8');
  const prebuilt = prebuiltOf(text, prebuiltSchemaEnding);
  if (prebuilt !== null) {
    const validate = createRequire(import.meta.url)(prebuilt) as ValidateFunction;
    // The compiler leaves it out of the code that it writes.
    return Object.assign(validate, { schema: JSON.parse(text) as AnySchemaObject });
  }
  return (await compileNow(text)).validate;
}

/** The same two levels up from src/files and from dist/files. */
export function fileOf(name: ShippedSchema): URL {
  return new URL(`../../schemas/${name}.schema.json`, import.meta.url);
}

/** With `source`, the compiler keeps the code of the function, so that the build can write it to a file. */
export async function compileNow(
  text: string,
  source = false,
): Promise<{ readonly validate: ValidateFunction; readonly ajv: Ajv2020 }> {
  const [{ Ajv2020 }, { default: formats }] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    code: { source },
  });
  formats.default(ajv, ['date']);
  return { ajv, validate: ajv.compile(JSON.parse(text) as AnySchemaObject) };
}
