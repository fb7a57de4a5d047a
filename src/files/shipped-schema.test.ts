import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { fileOf, shippedSchema, shippedSchemas } from './shipped-schema.js';

test.each(shippedSchemas)('the schema %s is a schema, and compiles', async (name) => {
  const schema = JSON.parse(readFileSync(fileOf(name), 'utf8')) as AnySchemaObject;
  expect(new Ajv2020().validateSchema(schema)).toBe(true);
  expect(typeof (await shippedSchema(name))).toBe('function');
});
