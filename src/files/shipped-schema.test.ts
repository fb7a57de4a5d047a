import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { runInThisContext } from 'node:vm';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { isObject, type Json } from '../json/json.js';
import { compileNow, fileOf, shippedSchemas, type ShippedSchema } from './shipped-schema.js';
import { parseYaml } from './yaml/read-yaml.js';

const require = createRequire(import.meta.url);
const { default: standaloneCode } = require('ajv/dist/standalone') as {
  default: (ajv: Ajv2020, validate: ValidateFunction) => string;
};

/** As the build writes it to a file, and as `require` reads that file. */
function prebuilt(ajv: Ajv2020, compiled: ValidateFunction): ValidateFunction {
  const load = runInThisContext(`(function (module, require) { ${standaloneCode(ajv, compiled)} })`) as (
    module: object,
    require: unknown,
  ) => void;
  const module: { exports?: ValidateFunction } = {};
  load(module, require);
  if (module.exports === undefined) throw new TypeError('the code exports nothing');
  return module.exports;
}

const root = new URL('../../', import.meta.url);
const documents: Partial<Record<ShippedSchema, readonly string[]>> = {
  suite: ['suites/core/tools.yaml', 'suites/core/flow.yaml', 'suites/core/budget.yaml'],
  config: ['chatspec.yaml', 'fixtures/starter/chatspec.yaml'],
  baseline: ['baseline.yaml'],
};

/** Documents of its kind, and the schema itself, which is one of no kind. */
function documentsOf(name: ShippedSchema): readonly Json[] {
  const files = [...(documents[name] ?? []), `schemas/${name}.schema.json`];
  return files.map((file) => parseYaml(readFileSync(new URL(file, root), 'utf8'), file).data);
}

/** The document, and it with one thing wrong: at most so many of each kind, spread over the whole. */
function* broken(document: Json, most: number): Generator<Json> {
  yield document;
  const paths = [...pathsIn(document, [])];
  const step = Math.max(1, Math.floor(paths.length / most));
  for (let index = 0; index < paths.length; index += step) {
    for (const value of [null, 7, '', ' x ', [], {}, [1, 1], { unknown: true }, undefined]) {
      yield replaced(document, paths[index] ?? [], value);
    }
  }
}

function* pathsIn(value: Json, path: readonly string[]): Generator<readonly string[]> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries<Json>(value)) yield* pathsIn(member, [...path, name]);
}

/** `undefined` takes the member away. */
function replaced(value: Json, [step, ...rest]: readonly string[], by: Json | undefined): Json {
  if (step === undefined) return by ?? null;
  const inner = (name: string, member: Json): Json[] => {
    if (name !== step) return [member];
    return rest.length === 0 && by === undefined ? [] : [replaced(member, rest, by)];
  };
  if (Array.isArray(value)) return (value as Json[]).flatMap((member, index) => inner(String(index), member));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => inner(name, member).map((now) => [name, now])),
  );
}

test.each(shippedSchemas)('what the build makes of the schema %s finds what the schema finds', async (name) => {
  const text = readFileSync(fileOf(name), 'utf8');
  const { validate } = await compileNow(text);
  const { ajv, validate: withSource } = await compileNow(text, true);
  const fast = prebuilt(ajv, withSource);
  const found = (by: ValidateFunction, document: Json): readonly ErrorObject[] =>
    by(document) ? [] : [...(by.errors ?? [])];
  let wrong = 0;
  for (const sound of documentsOf(name)) {
    for (const document of broken(sound, 20)) {
      const errors = found(validate, document);
      if (errors.length > 0) wrong += 1;
      // Messages are made of their order, their texts and the parts of the schema that they name. An `expect` for each
      // would take ten times as long.
      const fastErrors = found(fast, document);
      if (!isDeepStrictEqual(fastErrors, errors)) expect(fastErrors).toEqual(errors);
    }
  }
  expect(wrong).toBeGreaterThan(50);
});
