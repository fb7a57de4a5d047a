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
