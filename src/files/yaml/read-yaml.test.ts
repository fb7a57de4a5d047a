import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { writtenJson } from '../../json/json.js';
import { parseYaml, readYaml } from './read-yaml.js';

const bomb = Array.from({ length: 30 }, (_, level) =>
  level === 0
    ? 'a0: &a0 [x, x]'
    : `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
).join('\n');

describe('hostile YAML', () => {
  const cases: readonly (readonly [name: string, text: string, line: number, column: number, message: RegExp])[] = [
    ['a key twice', 'a: 1\nb: 2\na: 3\n', 3, 1, /appears twice/],
    ['an open bracket', 'a: [1, 2\nb: 3\n', 2, 1, /\]/],
    ['an open quote', 'a: "x\nb: 1\n', 1, 4, /this quote is not closed/],
    ['an open quote in a block', "a:\n  b: 'x\n  c: 1\nd: 2\n", 2, 6, /this quote is not closed/],
    ['an open quote within braces', "x: {a: 'b, c: d}\n", 1, 8, /this quote is not closed/],
    ['a colon in plain text', 'a: b: c\n', 1, 4, /mapping/],
    ['a list where a mapping goes on', '- a\nb: 1\n', 2, 1, /./],
    ['a tab as indentation', 'a:\n\tb: 1\n', 2, 1, /tab/],
    ['an alias bomb', bomb, 1, 1, /expand to far too much/],
    ['an alias without anchor', 'a: *b\n', 1, 4, /no anchor &b is defined above/],
    ['an alias inside its own anchor', 'a: &x\n  - *x\n', 2, 5, /cannot contain itself/],
    ['nothing', '', 1, 1, /empty/],
    ['only a comment', '# later\n', 1, 1, /empty/],
    ['only a document marker', '---\n', 1, 1, /empty/],
    ['a custom tag', 'a: !secret b\n', 1, 4, /tag/],
    ['a binary tag', 'a: !!binary aGVsbG8=\n', 1, 4, /tag/],
    ['a set', 'a: !!set {x}\n', 1, 4, /tag/],
    ['a list as a key', '[a, b]: 1\n', 1, 1, /key must be plain text/],
    ['a mapping as a key', '? {a: 1}\n: 1\n', 1, 3, /key must be plain text/],
    ['null as a key', 'a: 1\n~: 2\n', 2, 1, /null/],
    ['a merge key', 'a: &a {x: 1}\nb:\n  <<: *a\n', 3, 3, /merge/],
    ['two documents', 'a: 1\n---\nb: 2\n', 2, 1, /more than one/],
    ['not a number', 'a:\n  b: .nan\n', 2, 6, /not a number that JSON can hold/],
    ['infinity', 'a: [1, -.inf]\n', 1, 8, /not a number that JSON can hold/],
    ['a number beyond all doubles', 'a: 1e999\n', 1, 4, /not a number that JSON can hold/],
    ['nesting in brackets', '['.repeat(5000), 1, 257, /nested too deeply/],
    ['nesting in braces on the second line', `a: 1\nb: ${'{a: '.repeat(5000)}`, 2, 1028, /nested too deeply/],
    ['nesting in list marks', `a:\n${'- '.repeat(5000)}x`, 2, 1, /nested too deeply/],
  ];
  test.each(cases)('%s: one clear problem at its place', (_name, text, line, column, message) => {
    const file = parseYaml(text, '/x/suite.yaml');
    expect(file.data).toBeNull();
    expect(file.problems).toHaveLength(1);
    const [problem] = file.problems;
    expect(problem).toMatchObject({ severity: 'error', place: { file: '/x/suite.yaml', line, column } });
    expect(problem!.message).toMatch(message);
    expect(problem!.message + (problem!.hint ?? '')).not.toMatch(/\n\s+at |parseDocument|parseAllDocuments/);
  });

  test('shows the lines around the place, with the column marked, and no escape sequence', () => {
    const [problem] = parseYaml('one: 1\ntwo: 2 # \u001b[31m\none: 3\n', 'x.yaml').problems;
    expect(problem!.frame).toBe('  1 | one: 1\n  2 | two: 2 # \ufffd[31m\n> 3 | one: 3\n    | ^\n  4 |');
  });

  test('reports several independent errors, but no more than five', () => {
    const text = Array.from({ length: 9 }, (_, index) => `a${index}: !t x`).join('\n');
    expect(parseYaml(text, 'x.yaml').problems.map((problem) => problem.place?.line)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('any text', () => {
  test('gives data or problems with places, and never throws', () => {
    const signs = fc.constantFrom(
      '- ',
      ': ',
      '? ',
      '{',
      '}',
      '[',
      ']',
      '&a ',
      '*a',
      '!t ',
      '|',
      '>',
      '"',
      "'",
      '#',
      '\n',
      '\n  ',
      '---\n',
      'a',
      '1',
      ',',
      '%',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const lines = text.split('\n').length;
        for (const problem of parseYaml(text, 'x.yaml').problems) {
          expect(problem.place!.line).toBeGreaterThan(0);
          expect(problem.place!.line).toBeLessThanOrEqual(lines);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('data', () => {
  test('keeps __proto__ as a plain member and pollutes nothing', () => {
    const { data } = parseYaml('__proto__: { polluted: yes }\nconstructor: 1\n', 'x.yaml');
    expect(Object.keys(data as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  test('takes numbers and booleans as keys by name', () => {
    expect(parseYaml('{ 512: a, true: b }', 'x.yaml').data).toEqual({ '512': 'a', true: 'b' });
  });

  test('lets an anchor be used many times', () => {
    const text = `a: &a { b: 1 }\nc: [${Array(500).fill('*a').join(', ')}]`;
    expect(parseYaml(text, 'x.yaml').data).toMatchObject({ c: { length: 500, 499: { b: 1 } } });
  });

  test('gives back any JSON document that was written as YAML', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        // The writer's `<<` is plain text without quotes in YAML 1.2, and refused here on purpose.
        fc.pre(!JSON.stringify(json).includes('<<'));
        const file = parseYaml(stringify(json, { defaultStringType: 'QUOTE_DOUBLE' }), 'x.yaml');
        expect(file.problems).toEqual([]);
        expect(writtenJson(file.data)).toBe(JSON.stringify(json));
      }),
    );
  });
});

describe('places', () => {
  const file = parseYaml(
    'suite: a\nprobes:\n  one:\n    vary: &v\n      x: [1, 2]\n  two:\n    vary: *v\n  three:\n',
    's.yaml',
  );
  test.each([
    ['a value', ['suite'], 'value', 1, 8],
    ['a key', ['probes', 'one'], 'key', 3, 3],
    ['a list item', ['probes', 'one', 'vary', 'x', 1], 'value', 5, 14],
    ['through an alias', ['probes', 'two', 'vary', 'x', 0], 'value', 5, 11],
    ['an empty value: its key', ['probes', 'three'], 'value', 8, 3],
    ['a member that is missing: the key of its holder', ['probes', 'one', 'request'], 'value', 3, 3],
    ['the root', [], 'value', 1, 1],
  ] as const)('%s', (_name, path, part, line, column) => {
    expect(file.spotOf(path, part).place).toEqual({ file: 's.yaml', line, column });
  });
});

describe('files that cannot be read', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chatspec-files-'));
    await mkdir(join(folder, 'folder.yaml'));
    await writeFile(join(folder, 'latin.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe9, 0x0a]));
    await writeFile(join(folder, 'utf16.yaml'), Buffer.from('\ufeffa: 1', 'utf16le'));
    await writeFile(join(folder, 'large.yaml'), 'a'.repeat(5_000_001));
    await writeFile(join(folder, 'bom.yaml'), '\ufeffa: 1\n');
    await symlink('loop.yaml', join(folder, 'loop.yaml'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each([
    ['none.yaml', /no such file/],
    ['latin.yaml/x.yaml', /no such file/],
    ['folder.yaml', /folder/],
    ['latin.yaml', /UTF-8/],
    ['utf16.yaml', /UTF-8/],
    ['large.yaml', /5\.0 MB/],
    ['loop.yaml', /loop/],
    ['nul\0.yaml', /paths cannot contain/],
    ['n'.repeat(300), /too long/],
  ])('%s', (name, message) => {
    const file = readYaml(join(folder, name));
    expect(file).toMatchObject({ data: null, problems: [{ severity: 'error', place: { line: 1, column: 1 } }] });
    expect(file.problems[0]!.message).toMatch(message);
  });

  test('a byte order mark is not part of the data', () => {
    expect(readYaml(join(folder, 'bom.yaml')).data).toEqual({ a: 1 });
  });
});
