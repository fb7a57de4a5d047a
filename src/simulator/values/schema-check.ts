import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type * as Ajv from 'ajv/dist/2020.js';
import type * as AjvFormats from 'ajv-formats';
import { isObject, type Json } from '../../json/json.js';
import { once, remembered } from '../../json/remembered.js';

/** Returns the violations; none when the value conforms. */
export type SchemaCheck = (value: Json) => readonly ErrorObject[];

type Compile = (schema: Json) => ValidateFunction;
type Compiled = { readonly check: SchemaCheck } | { readonly problem: string };

/** Compiling takes milliseconds, and the same few schemas recur. */
const compiled = remembered(2000, (text: string) => compileWith(compiler(), JSON.parse(text) as Json));

/** Loaded with the first schema, because loading Ajv takes time. */
const compiler = once(loadCompiler);

/** The check of a schema. Throws a TypeError when the schema does not compile (see {@link compileProblem}). */
export function checkOf(schema: Json): SchemaCheck {
  const found = compiled(JSON.stringify(schema));
  if ('problem' in found) throw new TypeError(found.problem);
  return found.check;
}

/** Why a schema does not compile, or null when it does. */
export function compileProblem(schema: Json): string | null {
  const found = compiled(JSON.stringify(schema));
  return 'problem' in found ? found.problem : null;
}

function compileWith(compile: Compile, schema: Json): Compiled {
  try {
    const validate = compile(schema);
    return { check: (value) => (validate(value) ? [] : (validate.errors ?? [])) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function loadCompiler(): Compile {
  const require = createRequire(import.meta.url);
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof Ajv;
  const { default: addFormats } = require('ajv-formats') as typeof AjvFormats.default;
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, logger: false, ownProperties: true });
  addFormats(ajv);
  return (schema) => ajv.compile(withoutDialect(schema) as object);
}

/** Schemas of every dialect are read as 2020-12, as services do. */
function withoutDialect(schema: Json): Json {
  if (!isObject(schema) || !('$schema' in schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}
