import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { inWords, problemsOf, type SuiteText, suiteOf } from '../../test/support/read-suite-text.js';

/** Requests that engineers send: none of them may give an error, and those without an unknown field no warning. */

const hi = 'messages: [{ role: user, content: hi }]';
const object = '{ type: object, properties: {}, required: [], additionalProperties: false }';
const tool = `{ type: function, function: { name: create_order, parameters: ${object} } }`;
const tools = `tools: [${tool}]`;
const schema = `response_format: { type: json_schema, json_schema: { name: x, strict: true, schema: ${object} } }`;
const probe = (...lines: readonly string[]) =>
  `suite: s\nprobes:\n  p:\n${lines.map((line) => `    ${line}\n`).join('')}`;
const sends = (...fields: readonly string[]) => probe(`request: { ${[hi, ...fields].join(', ')} }`);
const file = new URL('../../fixtures/mistakes/innocent-requests.yaml', import.meta.url);
const fine = parse(readFileSync(file, 'utf8')) as Record<string, SuiteText>;

describe('is no mistake', () => {
  test.each(Object.entries(fine))('%s', async (_name, text) => {
    const found = (await problemsOf(suiteOf(text), text.config, text.files)).map(inWords);
    expect(found.filter((problem) => !problem.includes('outside the advised subset'))).toEqual([]);
  });
});

test.each(['window: 5', 'flux_capacity: 1', 'tenant: a', 'experiment: { a: 1 }', 'text: { format: x }'])(
  'an unknown field far from every known one is a warning: %s',
  async (field) => {
    const found = await problemsOf(sends(field));
    expect(found).toMatchObject([{ severity: 'warning', message: `a request has no field "${field.split(':')[0]}"` }]);
  },
);

test('tool_choice none without tools is only a warning, since it asks for nothing', async () => {
  expect((await problemsOf(sends('tool_choice: none'))).map(({ severity }) => severity)).toEqual(['warning']);
});

describe('deliberate', () => {
  const onPurpose = (pointers: string, ...fields: readonly string[]) =>
    probe(`request: { ${[hi, ...fields].join(', ')} }`, `deliberate: [${pointers}]`);

  test.each([
    ['/max_tokens', 'max_tokens: "5"'],
    ['/respones_format', 'respones_format: {}'],
    ['/window', 'window: 5'],
    ['/response_format/json_schema', 'response_format: { type: json_schema }'],
    ['/response_format', 'response_format: { type: json_schema }'],
    ['/response_format/json_schema/schema', 'response_format: { type: json_schema, json_schema: { name: x } }'],
    [
      '/response_format/json_schema/schema/type',
      'response_format: { type: json_schema, json_schema: { name: x, schema: { type: objct } } }',
    ],
    ['/tool_choice', 'tool_choice: auto'],
    ['/tools', 'tool_choice: auto'],
    ['/tool_choice/function/name', `${tools}, tool_choice: { type: function, function: { name: nobody } }`],
    ['/tool_choice', `${tools}, tool_choice: { type: function }`],
    ['/tools/0/type', 'tools: [{ type: fucntion }]'],
  ])('%s allows %s', async (pointer, fields) => {
    expect((await problemsOf(onPurpose(pointer, fields))).map(inWords)).toEqual([]);
  });

  test('counts for the steps and points of a probe', async () => {
    const step = `{ id: a, request: { ${hi}, max_tokens: "5" } }`;
    expect(await problemsOf(probe('steps:', `  - ${step}`, 'deliberate: [/max_tokens]'))).toEqual([]);
    const points = probe(`request: { ${hi} }`, 'vary: { max_tokens: [a, 5] }', 'deliberate: [/max_tokens]');
    expect(await problemsOf(points)).toEqual([]);
  });

  test('counts for inherited defaults, of one probe only', async () => {
    const defaults = 'suite: s\ndefaults: { request: { max_tokens: "5" } }\nprobes:\n';
    const one = `  p: { request: { ${hi} }, deliberate: [/max_tokens] }\n`;
    expect(await problemsOf(defaults + one)).toEqual([]);
    const two = `${defaults}${one}  q: { request: { ${hi} } }\n`;
    expect((await problemsOf(two)).map(inWords)).toEqual([expect.stringMatching(/^2:36 error max_tokens: expected/)]);
  });

  test('leaves every other mistake an error', async () => {
    const found = await problemsOf(onPurpose('/max_tokens', 'max_tokens: "5"', 'temperature: low'));
    expect(found.map(({ message }) => message)).toEqual([expect.stringMatching(/^temperature/)]);
  });

  test('is itself a warning where nothing is wrong', async () => {
    const found = await problemsOf(onPurpose('/max_tokens, /seed', 'max_tokens: "5"'));
    expect(found.map(inWords)).toEqual([
      '5:31 warning nothing is wrong at this place of the requests → remove it, or correct the pointer',
    ]);
  });

  test('must be JSON Pointers', async () => {
    expect((await problemsOf(onPurpose('max_tokens'))).map(inWords)[0]).toMatch(
      /^5:18 error .*"max_tokens" does not fit/,
    );
  });
});

describe('a capability whose form no request has', () => {
  const measures = (capability: string, ...lines: readonly string[]) => probe(`capability: "${capability}"`, ...lines);
  test.each([
    ['json_schema', hi],
    ['json_object', `${hi}, ${schema}`],
    ['tools', hi],
    ['tool_choice.required', `${hi}, ${tools}`],
    ['tool_choice.object', `${hi}, ${tools}, tool_choice: auto`],
    ['stream.chat', hi],
    ['stream.json_schema', `${hi}, stream: true`],
    ['strict.conflict', `${hi}, ${schema.replace('strict: true', 'strict: false')}`],
    ['budget.tools', hi],
  ])('is a warning: %s', async (capability, request) => {
    const found = await problemsOf(measures(capability, `request: { ${request} }`));
    expect(found.map(inWords)).toEqual([
      expect.stringMatching(
        new RegExp(`^4:17 warning no request of s/p has the form .* ${capability} stands for → such a request has`),
      ),
    ]);
  });

  test.each([
    ['json_schema', `${hi}, ${schema}`],
    ['stream.json_schema', `${hi}, stream: true, ${schema}`],
    ['tool_choice.auto', `${hi}, ${tools}`],
    ['tool_choice.required', `${hi}, ${tools}, tool_choice: required`],
    ['strict.conflict', `${hi}, ${schema}`],
    ['chat', hi],
    ['thinking.enabled', hi],
    ['schema.enum', hi],
  ])('is none for %s', async (capability, request) => {
    expect(await problemsOf(measures(capability, `request: { ${request} }`))).toEqual([]);
  });

  test('is looked for at the points that the label names', async () => {
    const vary = 'vary: { tool_choice: { required: required, object: auto } }';
    const found = await problemsOf(measures('tool_choice.{{tool_choice}}', `request: { ${hi}, ${tools} }`, vary));
    expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('tool_choice.object')]);
  });
});
