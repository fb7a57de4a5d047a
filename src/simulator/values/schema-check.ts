import type { ErrorObject, ValidateFunction } from 'ajv';
import { isObject, type Json } from '../../json/json.js';

/** Returns the violations; none when the value conforms. */
export type SchemaCheck = (value: Json) => readonly ErrorObject[];

type Compile = (schema: Json) => ValidateFunction;
type Compiled = { readonly check: SchemaCheck } | { readonly problem: string };

/** Compiling takes milliseconds, and the same few schemas recur. */
const compiled = new Map<string, Compiled>();
const mostKept = 2000;

/** Loaded with the first schema, because loading Ajv takes time. */
let compiler: Promise<Compile> | null = null;

/** The check of a schema. Throws a TypeError when the schema does not compile (see {@link compileProblem}). */
export async function checkOf(schema: Json): Promise<SchemaCheck> {
  const found = await lookUp(schema);
  if ('problem' in found) throw new TypeError(found.problem);
  return found.check;
}

/** Why a schema does not compile, or null when it does. */
export async function compileProblem(schema: Json): Promise<string | null> {
  const found = await lookUp(schema);
  return 'problem' in found ? found.problem : null;
}

async function lookUp(schema: Json): Promise<Compiled> {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const made = compileWith(await (compiler ??= loadCompiler()), schema);
  if (compiled.size >= mostKept) compiled.clear();
  compiled.set(key, made);
  return made;
}

function compileWith(compile: Compile, schema: Json): Compiled {
  try {
    const validate = compile(schema);
    return { check: (value) => (validate(value) ? [] : (validate.errors ?? [])) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

async function loadCompiler(): Promise<Compile> {
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, logger: false, ownProperties: true });
  formats.default.default(ajv);
  return (schema) => ajv.compile(withoutDialect(schema) as object);
}

/** Schemas of every dialect are read as 2020-12, as services do. */
function withoutDialect(schema: Json): Json {
  if (!isObject(schema) || !('$schema' in schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}
