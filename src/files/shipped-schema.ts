import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AnySchemaObject, ValidateFunction } from 'ajv/dist/2020.js';
import { problemAt, type Problem, type Source } from './problems/problem.js';
import { schemaMisfits } from './schema-problems.js';
import { isUsual } from './usual-value.js';
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

/** The build writes the compiled form beside the program, since to compile takes most of the time of a short command. */
async function compile(name: ShippedSchema): Promise<ValidateFunction> {
  const built = new URL(`../validators/${name}.js`, import.meta.url);
  if (existsSync(built)) {
    const { default: open } = (await import(built.href)) as { readonly default: OpenValidator };
    return withLongIntegers(open(isUsual, createRequire(import.meta.url)));
  }
  // The same two levels up from src/files and from dist/files.
  const text = await readFile(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8');
  const { createSchemaCompiler } = await import('./schema-compiler.js');
  return withLongIntegers(createSchemaCompiler().compile(parsedJson(text) as AnySchemaObject));
}

type OpenValidator = (isUsualValue: typeof isUsual, require: NodeJS.Require) => ValidateFunction;

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
