import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.js';
import { loadSuites } from './read/load-suites.js';

/** Something that may be intended is a warning at its place, never an error. */

async function warningsOf(
  text: string,
  files: Readonly<Record<string, string>> = {},
  options: Parameters<typeof loadSuites>[2] = known,
) {
  const folder = await tempFolder();
  for (const [name, content] of Object.entries({ ...files, 's.yaml': text, 'package.json': '{}' })) {
    await writeFile(join(folder, name), content);
  }
  const place = { file: join(folder, 'chatspec.yaml'), line: 1, column: 1 };
  const { problems } = await loadSuites([{ pattern: 's.yaml', place }], folder, options);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return problems.map(({ place: at, message, hint }) => `${at?.line}:${at?.column} ${message} → ${hint}`);
}

const known: Parameters<typeof loadSuites>[2] = { modelVars: new Set(['nickname']) };

describe('a rule that names a variable', () => {
  const suite = (assert: string, more = '') => `suite: s
vars: { total: 897, buyer: Li Lei }
probes:
  p:
    request: { messages: [{ role: user, content: hello }] }
    vary: { max_tokens: [256, 512] }${more}
    expect:
      rules: [{ id: sum, assert: '${assert}' }]
`;

  test.each(['vars.total = 1', 'vars.nickname = value', 'vars.max_tokens = "256"', 'value[vars.x = 1]'])(
    'knows %s',
    async (assert) => {
      expect(await warningsOf(suite(assert))).toEqual([]);
    },
  );

  test('warns of one that nothing defines', async () => {
    expect(await warningsOf(suite('value = vars.totl'))).toEqual([
      '8:34 the rule "sum" uses vars.totl, which nothing defines → did you mean "total"?',
    ]);
    const when =
      '\n    when: [{ point: { max_tokens: 512 }, expect: { rules: [{ id: w, assert: "vars.bayer = value" }] } }]';
    expect(await warningsOf(suite('true', when))).toEqual([
      expect.stringMatching(/^7:.* the rule "w" uses vars\.bayer, .*did you mean "buyer"\?$/),
    ]);
  });

  test('knows the columns of the samples', async () => {
    const rows = { 'rows.jsonl': '{"city":"Bonn"}\n{"city":"Ulm"}\n' };
    expect(await warningsOf(suite('vars.city = value', '\n    samples: rows.jsonl'), rows)).toEqual([]);
    expect(await warningsOf(suite('vars.citty = value', '\n    samples: rows.jsonl'), rows)).toHaveLength(1);
  });

  test('is not checked without a config, when the names that models define are unknown', async () => {
    expect(await warningsOf(suite('vars.totl = 1'), {}, {})).toEqual([]);
  });

  test('finds nothing in the built-in suites', async () => {
    const place = { file: 'chatspec.yaml', line: 1, column: 1 };
    const suites = ['builtin:core', 'builtin:extended'].map((pattern) => ({ pattern, place }));
    expect((await loadSuites(suites, '.', { modelVars: new Set() })).problems).toEqual([]);
  });
});

test('warns of a rule that uses a step which the flow does not have', async () => {
  const flow = (rule: string) => `suite: s
probes:
  p:
    steps:
      - { id: call, request: { messages: [{ role: user, content: hello }] } }
      - { id: tool, run: { result: { id: A-1 } } }
      - id: say
        request: { messages: [{ role: user, content: hello }] }
        expect: { rules: [{ id: named, assert: '${rule}' }] }
`;
  expect(await warningsOf(flow('value = steps.tool.result.id'))).toEqual([]);
  expect(await warningsOf(flow('value = steps.tol.result.id'))).toEqual([
    '9:48 the rule "named" uses steps.tol, but the flow has no such step → did you mean "tool"?',
  ]);
});

test.each([
  ['enum', []],
  ['colour-list', []],
  ['composite', []],
  ['enun', [expect.stringMatching(/^5:16 the schema has no keyword "enun" → did you mean "enum"\?$/)]],
  ['pattern', [expect.stringMatching(/ no keyword "pattern" → name the keyword that the invalid document breaks$/)]],
])('an enforce probe whose keyword is %s', async (keyword, warnings) => {
  const suite = `suite: s
probes:
  p:
    enforce:
      keyword: ${keyword}
      schema: { type: object, properties: { c: { type: string, enum: [red] } }, required: [c], additionalProperties: false }
      valid: { c: red }
      invalid: { c: blue }
`;
  expect(await warningsOf(suite)).toEqual(warnings);
});

describe('a form whose capability no probe measures', () => {
  const suite = (form: string) => `suite: s
forms:
  - { need: structured, order: 10, ${form} }
probes:
  p: { capability: own_form, request: { messages: [{ role: user, content: hello }] } }
  q:
    capability: 'style.{{style}}'
    request: { messages: [{ role: user, content: hello }] }
    vary: { style: { at: /metadata/style, points: [short, long] } }
  r:
    capability: 'effort.{{effort}}.text'
    request: { messages: [{ role: user, content: hello }] }
    vary: { effort: { settings: effort } }
  k:
    capability: schema.enum
    enforce: { keyword: enum, schema: { type: string, enum: [a] }, valid: a, invalid: b }
`;

  test.each([
    'capability: own_form',
    'capability: style.short, budget: style.long',
    'capability: effort.high.text',
    'capability: schema.enum, budget: tool_schema.enum',
  ])('gives no warning for: %s', async (form) => {
    expect(await warningsOf(suite(form))).toEqual([]);
  });

  test.each([
    ['capability: own_frm', '3:48 no probe measures the capability "own_frm" → did you mean "own_form"?'],
    ['capability: style.shrt', '3:48 no probe measures the capability "style.shrt" → did you mean "style.short"?'],
    ['capability: own_form, budget: effort.high', expect.stringMatching(/^3:66 no probe measures .*"effort.high"/)],
  ])('gives a warning for: %s', async (form, warning) => {
    expect(await warningsOf(suite(form))).toEqual([warning]);
  });
});

describe('an axis that find searches', () => {
  const suite = (axis: string, name = 'max_tokens') => `suite: s
probes:
  p:
    request: { messages: [{ role: user, content: hello }], limits: { words: 5 } }
    vary: { ${axis} }
    find: { axis: ${name}, from: 16, to: 64 }
`;

  const unasked = async (text: string) => (await warningsOf(text)).filter((one) => one.includes('never asked'));

  test('warns of points that nobody asks', async () => {
    expect(await unasked(suite('max_tokens: [1, 2]'))).toEqual([
      '5:13 the points of max_tokens are never asked: find searches this axis from 16 to 64 → take max_tokens out of vary, or write a probe of its own for its points',
    ]);
    expect(await unasked(suite('words: { at: /limits/words, points: [5, 9] }', 'words'))).toEqual([
      '5:13 the points of words are never asked: find searches this axis from 16 to 64 → keep one point, which names the field, and write a probe of its own for the others',
    ]);
  });

  test('gives no warning where the axis only names a field, or is another one', async () => {
    expect(await unasked(suite('words: { at: /limits/words, points: [5] }', 'words'))).toEqual([]);
    expect(await unasked(suite('temperature: [0, 1]'))).toEqual([]);
  });
});
