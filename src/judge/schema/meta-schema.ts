import type { Json } from '../../json/json.js';

const schema: Json = { $ref: '#' };
const text: Json = { type: 'string' };
const flag: Json = { type: 'boolean' };
const number: Json = { type: 'number' };
const count: Json = { type: 'integer', minimum: 0 };
const schemas: Json = { type: 'array', minItems: 1, items: schema };
const names: Json = { type: 'array', items: text, uniqueItems: true };
const map = (of: Json): Json => ({ type: 'object', additionalProperties: of });
export const typeNames = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const;
const typeName: Json = { enum: typeNames };
const all = (keywords: string, of: Json): Record<string, Json> =>
  Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, of]));

/** What the keywords of a JSON Schema may hold, in all dialects together. */
export const metaSchema: Json = {
  type: ['object', 'boolean'],
  properties: {
    ...all('$schema $ref $comment $dynamicRef $recursiveRef title description pattern format', text),
    ...all('contentMediaType contentEncoding', text),
    $id: { type: 'string' },
    ...all('$anchor $dynamicAnchor', { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._:]*$' }),
    ...all('readOnly writeOnly deprecated uniqueItems nullable', flag),
    ...all('maximum minimum exclusiveMaximum exclusiveMinimum', number),
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    ...all('maxLength minLength maxItems minItems maxProperties minProperties maxContains minContains', count),
    required: names,
    type: { anyOf: [typeName, { type: 'array', minItems: 1, uniqueItems: true, items: typeName }] },
    enum: { type: 'array', minItems: 1 },
    ...all('contains propertyNames additionalProperties if then else not additionalItems', schema),
    ...all('unevaluatedItems unevaluatedProperties contentSchema', schema),
    ...all('allOf anyOf oneOf prefixItems', schemas),
    items: { anyOf: [schema, schemas] },
    ...all('properties patternProperties definitions $defs dependentSchemas', map(schema)),
    dependentRequired: map(names),
    dependencies: map({ anyOf: [schema, names] }),
  },
};
