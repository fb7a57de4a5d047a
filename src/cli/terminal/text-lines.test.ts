import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { documentsIn, linesIn, type NumberedText } from './text-lines.js';

async function all(found: AsyncIterable<NumberedText>): Promise<readonly (readonly [number, string | null])[]> {
  const texts: (readonly [number, string | null])[] = [];
  for await (const { line, text } of found) texts.push([line, text]);
  return texts;
}

test.each<readonly [string, readonly string[], readonly (readonly [number, string | null])[]]>([
  ['nothing', [], []],
  [
    'lines in pieces',
    ['a', 'b\nc', '\n', 'd'],
    [
      [1, 'ab'],
      [2, 'c'],
      [3, 'd'],
    ],
  ],
  [
    'blank lines, which count',
    ['a\n\n \r\nb\n'],
    [
      [1, 'a'],
      [4, 'b'],
    ],
  ],
  [
    'a line of the greatest length',
    ['12345678\n', '1'],
    [
      [1, '12345678'],
      [2, '1'],
    ],
  ],
  [
    'a longer one, whole or in pieces',
    ['123456789\na\n12345', '6789'],
    [
      [1, null],
      [2, 'a'],
      [3, null],
    ],
  ],
])('%s', async (_what, pieces, expected) => {
  expect(await all(linesIn(Readable.from(pieces), 8))).toEqual(expected);
});

test.each<readonly [string, string, readonly (readonly [number, string])[]]>([
  [
    'a line each',
    '{"a":1}\n{"b":2}',
    [
      [1, '{"a":1}'],
      [2, '{"b":2}'],
    ],
  ],
  [
    'an indented object, then a line',
    '{\n  "a": 1\n}\n{"b":2}',
    [
      [1, '{\n  "a": 1\n}'],
      [4, '{"b":2}'],
    ],
  ],
  ['an indented list', '[\n  1\n]', [[1, '[\n  1\n]']]],
  ['one that does not end', '{\n  "a"', [[1, '{\n  "a"']]],
  [
    'one that is cut by another',
    '{\n  "a"\n{"b":2}',
    [
      [1, '{\n  "a"'],
      [3, '{"b":2}'],
    ],
  ],
])('a document over several lines: %s', async (_what, text, expected) => {
  expect(await all(documentsIn(linesIn(Readable.from([text]))))).toEqual(expected);
});
