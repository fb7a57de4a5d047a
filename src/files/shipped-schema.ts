import { readFile } from 'node:fs/promises';
import type { AnySchemaObject, ValidateFunction } from 'ajv/dist/2020.js';
import { nearest } from './problems/nearest.js';
import { problemAt } from './problems/problem-at.js';
import type { Problem } from './problems/problem.js';
import { schemaMisfits } from './schema-problems.js';
import type { Source } from './source.js';
import { parsedJson, roundedIntegers } from '../json/json.js';

/** The JSON Schemas of the package that data is checked against. */
type ShippedSchema =
  | 'suite'
  | 'config'
  | 'baseline'
  | 'chat-request'
  | 'report'
  | 'summary'
  | 'journal'
  | 'capabilities'
  | 'check'
  | 'shapes'
  | 'clients'
  | 'clients-try';

const compiledSchemas = new Map<ShippedSchema, Promise<ValidateFunction>>();

/** Checks data against one of the JSON Schemas of the package; each is compiled once. */
export async function checkAgainst(name: ShippedSchema, source: Source): Promise<Problem[]> {
  const valid = await shippedSchema(name);
  if (valid(source.data)) return [];
  return schemaMisfits(valid.errors ?? []).map(({ path, part, message, hint }) =>
    problemAt(source, path, message, hint, { part }),
  );
}

/** The compiled form of one of the JSON Schemas of the package. */
export function shippedSchema(name: ShippedSchema): Promise<ValidateFunction> {
  let validate = compiledSchemas.get(name);
  if (validate === undefined) compiledSchemas.set(name, (validate = compile(name)));
  return validate;
}

async function compile(name: ShippedSchema): Promise<ValidateFunction> {
  // The same two levels up from src/files and from dist/files.
  const text = await readFile(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8');
  const [{ Ajv2020 }, { default: formats }] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    // To check a schema of the package, and to optimize the code that one command runs, takes longer than to compile
    // it.
    validateSchema: false,
    code: { optimize: false },
  });
  formats.default(ajv, ['date']);
  // The values in use where vendors add their own: one that is nearly among them is probably a mistake.
  ajv.addKeyword({
    keyword: 'usual',
    type: 'string',
    schemaType: 'array',
    validate: (usual: readonly string[], value: string) =>
      usual.includes(value) || value.includes('{{') || nearest(value, usual) === null,
  });
  return withLongIntegers(ajv.compile(parsedJson(text) as AnySchemaObject));
}

/** The validator takes a bigint for no number, and asks for no digits of one. */
function withLongIntegers(validate: ValidateFunction): ValidateFunction {
  const check = (data: unknown): data is unknown => {
    const fits = validate(roundedIntegers(data));
    taking.errors = validate.errors ?? null;
    return fits;
  };
  const taking: ValidateFunction = Object.assign(check, validate);
  return taking;
}
