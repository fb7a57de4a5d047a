import { readFile } from 'node:fs/promises';
import type { AnySchemaObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Problem } from './problems/problem.js';
import { schemaProblems } from './schema-problems.js';
import type { Source } from './source.js';

export type ShippedSchema =
  'suite' | 'config' | 'baseline' | 'chat-request' | 'report' | 'summary' | 'capabilities' | 'check' | 'shapes';

const compiled = new Map<ShippedSchema, Promise<ValidateFunction>>();

/** Checks data against one of the JSON Schemas of the package; each is compiled once. */
export async function checkAgainst(name: ShippedSchema, source: Source): Promise<Problem[]> {
  const valid = await shippedSchema(name);
  return valid(source.data) ? [] : schemaProblems(source, valid.errors ?? []);
}

/** The compiled form of one of the JSON Schemas of the package. */
export function shippedSchema(name: ShippedSchema): Promise<ValidateFunction> {
  let validate = compiled.get(name);
  if (validate === undefined) compiled.set(name, (validate = compile(name)));
  return validate;
}

async function compile(name: ShippedSchema): Promise<ValidateFunction> {
  const [{ Ajv2020 }, { default: formats }, text] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
    // The same two levels up from src/files and from dist/files.
    readFile(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8'),
  ]);
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
  });
  formats.default(ajv, ['date']);
  return ajv.compile(JSON.parse(text) as AnySchemaObject);
}
