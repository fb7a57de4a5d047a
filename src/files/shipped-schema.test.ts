import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { shippedSchema } from './shipped-schema.js';

const folder = new URL('../../schemas/', import.meta.url);
// The simulator reads its profiles with formats of its own.
const names = readdirSync(folder)
  .map((file) => file.replace('.schema.json', ''))
  .filter((name) => name !== 'profiles');

test.each(names)('the schema %s is a schema, and compiles', async (name) => {
  const schema = JSON.parse(readFileSync(new URL(`${name}.schema.json`, folder), 'utf8')) as AnySchemaObject;
  expect(new Ajv2020().validateSchema(schema)).toBe(true);
  expect(typeof (await shippedSchema(name as 'suite'))).toBe('function');
});
