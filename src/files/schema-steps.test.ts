import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import { schemaMisfits } from './schema-problems.js';
import { fileOf } from './shipped-schema.js';

const wrong: readonly Json[] = [
  null,
  7,
  7.5,
  -1,
  '',
  'x y',
  '3',
  'yes',
  true,
  [],
  {},
  [1],
  ['x'],
  { x: 1 },
  [{}],
  [null],
];
const steps = /^(?:write|add|remove|did you mean|it belongs|known keys|allowed)[: ]/;

/** Every part of a schema, by its pointer. */
function* partsOf(schema: Json, pointer: string): Generator<readonly [string, JsonObject]> {
  if (!isObject(schema)) return;
  yield [pointer, schema];
  for (const name of ['properties', '$defs']) {
    const members = schema[name];
    if (!isObject(members)) continue;
    for (const [key, member] of Object.entries(members)) yield* partsOf(member, `${pointer}/${name}/${key}`);
  }
  for (const name of ['items', 'additionalProperties']) yield* partsOf(schema[name] ?? null, `${pointer}/${name}`);
  const choices = schema['anyOf'];
  if (Array.isArray(choices)) {
    for (const [index, choice] of choices.entries()) yield* partsOf(choice as Json, `${pointer}/anyOf/${index}`);
  }
}

test.each(['config', 'suite', 'chat-request'] as const)(
  'behind the arrow of a wrong value stands a step, in every member of %s',
  (name) => {
    const root = JSON.parse(readFileSync(fileOf(name), 'utf8')) as JsonObject;
    const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false, inlineRefs: false });
    formats.default(ajv, ['date']);
    ajv.addSchema(root, 'root');
    const descriptions = [...partsOf(root, '')].flatMap(([, { description }]) =>
      typeof description === 'string' ? [description] : [],
    );
    // Some schemas say themselves what to write; the others what a value is for, as a sentence.
    const written = new Set<unknown>(descriptions.flatMap((text) => [text, `write ${text}`]));
    const sentences = descriptions.filter((text) => /^[A-Z]/.test(text));
    const bad: string[] = [];
    let told = 0;
    for (const [pointer] of partsOf(root, '#')) {
      const validate = ajv.compile({ $ref: `root${pointer}` });
      for (const value of wrong) {
        if (validate(value)) continue;
        for (const { message, hint, error } of schemaMisfits(validate.errors ?? [], root)) {
          told += 1;
          const isType = error.keyword === 'type' || /^expected a (?:list|mapping|text)/.test(message);
          const isStep =
            hint === undefined ? !isType : steps.test(hint) && !sentences.some((text) => hint.includes(text));
          // Whoever writes what the step says has no second error.
          const isWhole = error.instancePath === '' && isType && !written.has(hint);
          const own = isWhole
            ? (/^write ([^a-z].*?|true|false)(?:, \w+ quotes)?$/.exec(hint ?? '')?.[1] ?? '...')
            : '...';
          if (!own.includes('...') && !validate(parse(own))) bad.push(`${pointer} ${JSON.stringify(value)}: ${own}`);
          if (!isStep) bad.push(`${pointer} ${JSON.stringify(value)}: ${message} -> ${hint ?? 'nothing'}`);
        }
      }
    }
    expect(told).toBeGreaterThan(300);
    expect(bad).toEqual([]);
  },
);
