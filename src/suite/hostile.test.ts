import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadSuites } from './read/load-suites.js';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'chatspec-suites-'));
  await writeFile(join(root, 'outside.json'), '{ "type": "object" }');
});
afterAll(() => rm(root, { recursive: true }));

let count = 0;
/** A new project folder with these files; `a.yaml -> b` is a symbolic link. */
async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(root, `project-${count++}`);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{}');
  for (const [name, text] of Object.entries(files)) {
    const [link = '', target] = name.split(' -> ');
    await mkdir(dirname(join(folder, link)), { recursive: true });
    if (target === undefined) {
      await writeFile(join(folder, name), text);
    } else {
      await symlink(target, join(folder, link));
    }
  }
  return folder;
}

async function load(files: Readonly<Record<string, string>>, patterns: readonly string[] = ['*.yaml']) {
  const folder = await project(files);
  const place = { file: join(folder, 'chatspec.yaml'), line: 9, column: 11 };
  const loaded = await loadSuites(
    patterns.map((pattern) => ({ pattern, place })),
    folder,
    { modelVars: new Set(['nickname']) },
  );
  return { ...loaded, folder };
}

/** One probe, from line 4 on. */
const probe = (...lines: readonly string[]) =>
  `suite: s\nprobes:\n  p:\n${lines.map((line) => `    ${line}\n`).join('')}`;
const ask = 'request: { messages: [{ role: user, content: hello }] }';
const says = (content: string) => `request: { messages: [{ role: user, content: '${content}' }] }`;
const schemaIs = (schema: string) =>
  `request: { messages: [], response_format: { type: json_schema, json_schema: { name: x, schema: ${schema} } } }`;
const object = '{ type: object, properties: {}, required: [], additionalProperties: false }';

interface Mistake {
  readonly suite: string;
  readonly line: number;
  readonly says: string;
  readonly hint?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const file = new URL('../../fixtures/mistakes/suites.yaml', import.meta.url);
const written = parse(readFileSync(file, 'utf8')) as Record<string, Record<string, Mistake>>;
const huge: Record<string, Mistake> = {
  'a template that is nested too deeply': {
    suite: probe(says(`${'{{#if nickname}}'.repeat(3000)}${'{{/if}}'.repeat(3000)}`)),
    ...{ line: 4, says: 'template' },
  },
  'JSONata that is nested too deeply': {
    suite: probe(ask, `expect: { rules: [{ id: a, assert: "${'('.repeat(20_000)}" }] }`),
    ...{ line: 5, says: 'not JSONata' },
  },
  'deep JSON': {
    suite: probe('request: { $ref: ./body.json }'),
    ...{ line: 4, says: 'nested too deeply', files: { 'body.json': '['.repeat(100_000) } },
  },
};

describe.each(Object.entries({ ...written, 'huge files': huge }))('hostile suites: %s', (_group, mistakes) => {
  test.each(Object.entries(mistakes))('%s', async (_name, { suite, line, says: message, hint, files }) => {
    const { problems, folder } = await load({ 's.yaml': suite, ...files });
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map((error) => error.message)).toHaveLength(1);
    const [error] = errors;
    expect(error).toMatchObject({ place: { file: join(folder, 's.yaml'), line } });
    expect(error!.message).toMatch(new RegExp(message));
    expect(error!.message).not.toMatch(/\n|\bat \w+ \(|undefined|\[object/);
    if (hint !== undefined) expect(error!.hint).toMatch(new RegExp(hint));
    if (suite !== '') expect(error!.frame).toContain(`> ${line} |`);
  });
});

describe('problems in other files', () => {
  test.each([
    ['a row that is not JSON', '{"text":"a"}\n{"text":\n', 2, /not JSON/],
    ['a row that is not an object', '{"text":"a"}\n[1]\n', 2, /JSON object/],
    ['no rows', '\n\n', 1, /empty/],
  ])('%s', async (_name, rows, line, message) => {
    const { problems, folder } = await load({ 's.yaml': probe(says('{{text}}'), 'samples: r.jsonl'), 'r.jsonl': rows });
    expect(problems).toMatchObject([{ place: { file: join(folder, 'r.jsonl'), line } }]);
    expect(problems[0]!.message).toMatch(message);
  });

  test('an invalid schema is reported in its own file, once for all its users', async () => {
    const schema = '{\n  "type": "object",\n  "properties": { "a": { "type": "int" } }\n}\n';
    const two = `suite: s\nprobes:\n  p:\n    ${schemaIs('{ $ref: ./schemas/a.json }')}\n  q:\n    ${schemaIs('{ $ref: ./schemas/a.json }')}\n`;
    const { problems, folder } = await load({ 's.yaml': two, 'schemas/a.json': schema });
    expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
      { place: { file: join(folder, 'schemas/a.json'), line: 3, column: 34 } },
    ]);
  });

  test('a cycle of references is one problem that shows the cycle', async () => {
    const { problems, folder } = await load({
      's.yaml': probe('request: { $ref: ./a.json }'),
      'a.json': '{ "x": { "$ref": "./b.json" } }',
      'b.json': '{ "y": { "$ref": "./a.json" } }',
    });
    expect(problems).toMatchObject([{ severity: 'error', place: { file: join(folder, 'b.json'), line: 1 } }]);
    expect(problems[0]!.message).toMatch(/back to itself/);
    expect(problems[0]!.hint).toMatch(/a\.json -> .*b\.json -> .*a\.json/);
  });

  test('a suite that refers to itself', async () => {
    const { problems } = await load({ 's.yaml': probe('request: { $ref: ./s.yaml }') });
    expect(problems.map(({ message }) => message)).toEqual(['this $ref leads back to itself']);
  });

  test('references that multiply do not blow up', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => {
        const next = n === 19 ? '1' : `{ "$ref": "./f${n + 1}.json" }`;
        return [`f${n}.json`, `[${Array<string>(10).fill(next).join(', ')}]`];
      }),
    );
    const { problems } = await load({ 's.yaml': probe('request: { x: { $ref: ./f0.json } }'), ...files });
    expect(problems.map(({ message }) => message)).toEqual(['the $refs of this file expand to far too much data']);
  });
});

describe('entries of the config', () => {
  test.each([
    ['a pattern that matches nothing', 'suites/*.yaml', /matches no file/],
    ['a file that does not exist', 'suites/a.yaml', /there is no file suites\/a.yaml/],
    ['a folder', '.', /is a folder/],
    ['an unknown built-in suite', 'builtin:cor', /no built-in suites called "cor"/],
  ])('%s', async (_name, pattern, message) => {
    const { problems } = await load({}, [pattern]);
    expect(problems).toMatchObject([{ severity: 'error', place: { line: 9, column: 11 } }]);
    expect(problems[0]!.message).toMatch(message);
  });

  test('a suite name that is taken names both places', async () => {
    const { problems, folder } = await load({ 'a.yaml': probe(ask), 'b.yaml': probe(ask) });
    expect(problems).toMatchObject([{ place: { file: join(folder, 'b.yaml'), line: 1, column: 8 } }]);
    expect(problems[0]!.message).toContain(`${join(folder, 'a.yaml')}, line 1`);
  });

  test('a composite splits into probes with enforce', async () => {
    const enforce = 'enforce: { keyword: type, schema: { type: string }, valid: a, invalid: 1, split: [s/q] }';
    const { problems } = await load({ 'a.yaml': `suite: s\nprobes: { p: { ${enforce} }, q: { ${ask} } }\n` });
    expect(problems).toMatchObject([{ severity: 'error', message: 's/q is not a probe with enforce' }]);
  });

  test('a cycle of needs over two suites is one problem', async () => {
    const { problems } = await load({
      'a.yaml': `suite: a\nprobes: { p: { needs: [b/p], ${ask} } }\n`,
      'b.yaml': `suite: b\nprobes: { p: { needs: [a/p], ${ask} } }\n`,
    });
    expect(problems.map(({ message }) => message)).toEqual(['b/p needs itself: a/p -> b/p -> a/p']);
  });

  test('a broken file does not make the others look wrong', async () => {
    const { problems } = await load({ 'a.yaml': 'suite: [', 'b.yaml': probe(ask, 'needs: [a/p]') });
    expect(problems.map(({ place }) => place!.file.slice(-6))).toEqual(['a.yaml']);
  });
});

describe('no error', () => {
  const fine: readonly (readonly [string, string])[] = [
    [
      'a malformed schema that is sent on purpose',
      probe(schemaIs('{ type: strng }'), 'deliberate: [/response_format/json_schema/schema]'),
    ],
    ['a schema with templates', `vars: { t: string }\n${probe(schemaIs(`{ type: '{{t}}' }`))}`],
    ['a name that only models define', probe(says('Hello {{nickname}}'))],
    ['escaped braces', probe(says('\\{{not}}'))],
    ['an axis as a name', probe(says('{{x}}'), 'vary: { x: [1] }')],
    ['schema references inside a schema', probe(schemaIs('{ $ref: "#/$defs/a", $defs: { a: { type: string } } }'))],
    [
      'a property called $ref',
      probe(
        schemaIs(
          '{ type: object, properties: { $ref: { type: string } }, required: [$ref], additionalProperties: false }',
        ),
      ),
    ],
    [
      'a description that no document can break',
      probe('enforce: { keyword: description, schema: { description: x }, valid: a, invalid: b }'),
    ],
    [
      'a schema beyond the advised subset',
      probe(schemaIs('{ type: object, properties: { a: { type: string, pattern: "^a$" } } }')),
    ],
    ['defaults that hold the whole request', `defaults: { request: { messages: [] } }\n${probe('title: x')}`],
    [
      'a find axis that the request sets',
      probe('request: { messages: [], window: 5 }', 'find: { axis: window, from: 1, to: 9 }'),
    ],
  ];
  test.each(fine)('%s', async (_name, text) => {
    const { problems } = await load({ 's.yaml': text });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('warns where a schema leaves the advised subset, each at its place', async () => {
    const { problems } = await load({
      's.yaml': probe(
        'request:',
        '  messages: []',
        '  response_format:',
        '    json_schema:',
        '      schema:',
        '        type: object',
        '        flavour: [a]',
        '        properties:',
        '          a: { type: string, pattern: "^a$" }',
        '          b: { anyOf: [{ type: string }, { type: number }] }',
        `          c: { enum: [${Array.from({ length: 60 }, (_, n) => n).join(', ')}] }`,
      ),
    });
    expect(problems.every(({ severity }) => severity === 'warning')).toBe(true);
    expect(
      problems.map(
        ({ place, message, hint }) =>
          `${place!.line} ${message}${hint?.includes('ignores') === true ? ` ${hint}` : ''}`,
      ),
    ).toEqual([
      '8 an object should set additionalProperties: false',
      '8 an object should list all its fields in required; not listed: a, b, c',
      '10 JSON Schema has no keyword "flavour" JSON Schema ignores it',
      '12 the keyword pattern is outside the advised subset',
      '13 the keyword anyOf is outside the advised subset',
      '14 an enum of 60 values is very long; use with caution',
    ]);
  });

  test('accepts a schema inside the advised subset silently', async () => {
    expect((await load({ 's.yaml': probe(schemaIs(object)) })).problems).toEqual([]);
  });
});
