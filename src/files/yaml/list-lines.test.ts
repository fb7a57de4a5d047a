import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMap, parseDocument } from 'yaml';
import { rendered } from '../../baseline/as-written.js';
import type { Json } from '../../json/json.js';
import { listLines } from './list-lines.js';
import { parseYaml } from './read-yaml.js';

/** What the YAML library reads; null where it finds a problem. */
function byLibrary(text: string): Json {
  const document = parseDocument(text, { version: '1.2', prettyErrors: false, logLevel: 'error' });
  if (document.errors.length > 0 || document.warnings.length > 0 || !isMap(document.contents)) return null;
  return document.toJS() as Json;
}

const baseline = readFileSync(new URL('../../../baseline.yaml', import.meta.url), 'utf8');

describe('a text that is read line by line', () => {
  test('has the data that the YAML library finds', () => {
    expect(listLines(baseline)).toEqual(byLibrary(baseline));
    const text = [
      '# a comment',
      'format: chatspec-baseline/1',
      '',
      'covers: []',
      'wire:',
      '  # another',
      '  - { model: t/m, quirks: [], only: { a: { passing: true } }, sometimes: [ "x y", z ] }',
      'expect:',
      '  - t/plain@m',
      '  - { key: "a[b=\\"c\\u00e9\\",d]@m", date: 2026-05-01, rate: 0.5, note: seen on day 3, link: null, on: true }',
    ].join('\n');
    expect(listLines(text)).toEqual(byLibrary(text));
    expect(listLines(text)).toMatchObject({ expect: ['t/plain@m', { date: '2026-05-01', rate: 0.5, on: true }] });
  });

  test.each([
    ['a mapping below a name', 'a:\n  b: 1'],
    ['an entry over two lines', 'a:\n  - { b: 1,\n      c: 2 }'],
    ['a name without a value', 'a:\nb: 1'],
    ['the same name twice', 'a: 1\na: 2'],
    ['the same member twice', 'a:\n  - { b: 1, b: 2 }'],
    ['lists that are indented in two ways', 'a:\n  - b\n- c'],
    ['an anchor', 'a: &b 1'],
    ['a comment behind a value', 'a: b # c'],
    ['a bracket that is open', 'a: [ b'],
    ['another number', 'a: 0x1F'],
    ['Windows line ends', 'a: b\r\nc: d\r\n'],
    ['nothing', '# only a comment'],
  ])('is not one with %s', (_what, text) => expect(listLines(text)).toBeNull());

  const name = fc.constantFrom('key', 'note', 'a_b', 'null', 'covers', 'on');
  const scalar = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string(),
    fc.constantFrom<Json>(
      'a/b[c=1]@d/e',
      '2026-05-01',
      '12',
      'true',
      'no',
      'Null',
      'a: b',
      'a #b',
      '',
      true,
      false,
      null,
    ),
    fc.nat(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const value = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.dictionary(name, fc.oneof(scalar, fc.dictionary(name, scalar, { maxKeys: 2 })), { maxKeys: 4 }),
  );
  const data = fc.dictionary(name, fc.oneof(scalar, fc.array(value, { maxLength: 4 })), { minKeys: 1, maxKeys: 3 });
  /** As `baseline accept` writes it. */
  const written = (of: object): string => {
    const document = parseDocument('{}');
    document.contents = document.createNode(of) as never;
    for (const { value: list } of (document.contents as unknown as { items: { value: { items?: object[] } }[] }).items)
      for (const item of list.items ?? []) Object.assign(item, { flow: true });
    return rendered(document);
  };

  test('whatever is written, read or left to the library, comes out the same', () => {
    let read = 0;
    fc.assert(
      fc.property(data, (of) => {
        const text = written(of);
        const found = listLines(text);
        if (found === null) return;
        read += 1;
        expect(found, text).toEqual(byLibrary(text));
      }),
      { numRuns: 1000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  test('with any change of a few characters, it is read as the library reads it, or not at all', () => {
    const lines = baseline.split('\n').filter((_, index) => index % 40 < 2 || index > 405);
    const small = ['format: x', 'covers:', ...lines.filter((line) => line.startsWith('  - ')), 'last: [ a, "b" ]'].join(
      '\n',
    );
    const piece = fc.constantFrom(
      ...'{}[],:#-"\'&*!|>%@` \n\t\\0a.~?='.split(''),
      ': ',
      ', ',
      ' #',
      '- ',
      '\n  - ',
      'é',
      '\u2028',
    );
    let read = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(small.length), fc.nat(2), piece), { minLength: 1, maxLength: 2 }),
        (changes) => {
          const text = changes.reduce((now, [at, cut, added]) => now.slice(0, at) + added + now.slice(at + cut), small);
          const found = listLines(text);
          if (found === null) return;
          read += 1;
          expect(found, text).toEqual(byLibrary(text));
        },
      ),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(200);
  });
});

test('places are those of the library', () => {
  const { placeOf, problems } = parseYaml(baseline, 'baseline.yaml');
  expect(problems).toEqual([]);
  expect(placeOf(['covers', 1, 'trials'])).toEqual({ file: 'baseline.yaml', line: 4, column: 50 });
});
