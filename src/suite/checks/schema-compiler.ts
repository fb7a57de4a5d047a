import type { AnySchema, Ajv2020 as Ajv, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { didYouMean } from '../../files/problems/nearest.js';
import type { Path } from '../../files/source.js';
import { isObject, type Json } from '../../json/json.js';
import { pointerSteps } from '../../json/pointer.js';

export type CompiledSchema =
  | { readonly ok: true; readonly accepts: (value: Json) => string | null }
  | { readonly ok: false; readonly message: string; readonly hint?: string | undefined; readonly below: Path };

/** Compiles a JSON Schema (2020-12); `accepts` gives null, or why a value does not conform. */
export type SchemaCompiler = (schema: Json) => CompiledSchema;

/** Loads Ajv; what was compiled once is known. */
export async function schemaCompiler(): Promise<SchemaCompiler> {
  const [{ Ajv2020 }, { default: formats }] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  const create = (): Ajv => {
    const ajv = new Ajv2020({ strict: false, allErrors: false, logger: false, verbose: true, ownProperties: true });
    formats.default(ajv);
    return ajv;
  };
  const shared = create();
  const known = new Map<string, CompiledSchema>();
  return (schema) => {
    const text = JSON.stringify(schema);
    let compiled = known.get(text);
    // A schema with ids of its own could be mistaken for another that has the same.
    if (compiled === undefined)
      known.set(text, (compiled = compile(schema, text.includes('"$id"') ? create() : shared)));
    return compiled;
  };
}

function compile(schema: Json, ajv: Ajv): CompiledSchema {
  try {
    const bare = withoutDialect(schema) as AnySchema;
    if (ajv.validateSchema(bare) !== true) return invalid(ajv.errors ?? []);
    const validate: ValidateFunction = ajv.compile(bare);
    return { ok: true, accepts: (value) => (validate(value) ? null : reason(validate.errors ?? [])) };
  } catch (error) {
    return uncompiled(error instanceof Error ? error.message : String(error));
  }
}

/** Whatever dialect a schema says it is written in, it is read as 2020-12. */
function withoutDialect(schema: Json): Json {
  if (!isObject(schema) || !Object.hasOwn(schema, '$schema')) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}

function invalid(errors: readonly ErrorObject[]): CompiledSchema {
  // The deepest place says most: what is around it fails only because of it.
  const [error] = [...errors].sort((one, other) => depth(other) - depth(one));
  const below = pointerSteps(error?.instancePath ?? '');
  const allowed = errors
    .filter(({ instancePath, keyword }) => keyword === 'enum' && instancePath === error?.instancePath)
    .flatMap(({ params }) => (params as { allowedValues: readonly unknown[] }).allowedValues.map(String));
  const hint = typeof error?.data === 'string' ? didYouMean(error.data, new Set(allowed), 'allowed') : undefined;
  const where = below.length === 0 ? '' : `${below.join('.')} `;
  return { ok: false, message: `this is no JSON Schema: ${where}${error?.message ?? 'is not valid'}`, hint, below };
}

function depth({ instancePath }: ErrorObject): number {
  return instancePath.split('/').length;
}

function uncompiled(message: string): CompiledSchema {
  const unresolved = /can't resolve reference (\S+)/.exec(message)?.[1];
  if (unresolved !== undefined) {
    const hint = 'a file is named by a path that begins with ./ or ../, a part of the same schema by #/$defs/NAME';
    return { ok: false, message: `the $ref "${unresolved}" leads nowhere in this schema`, hint, below: [] };
  }
  const deep = message.includes('call stack');
  return {
    ok: false,
    message: `this JSON Schema cannot be used: ${deep ? 'it is nested too deeply' : message}`,
    below: [],
  };
}

function reason([error]: readonly ErrorObject[]): string {
  return `${error?.instancePath === '' ? 'it' : (error?.instancePath ?? 'it')} ${error?.message ?? 'does not conform'}`;
}
