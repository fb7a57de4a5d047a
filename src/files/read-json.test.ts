import { describe, expect, test } from 'vitest';
import { parseJsonFile } from './yaml/read-yaml.js';

describe('JSON', () => {
  test.each([
    ['a lost value', '{\n  "a": ,\n}', 2, 8],
    ['a comma too many', '[1,\n 2,]', 2, 4],
    ['a key without quotes', '{\n a: 1}', 2, 2],
    ['an open object', '{"a": 1', 1, 8],
    ['an open text', '["a', 1, 4],
    ['more after the end', '{}\nx', 2, 1],
    ['an unknown literal', '[true,\n nil]', 2, 3],
    ['nothing', ' \n', 1, 1],
  ])('%s: its place', (_name, text, line, column) => {
    const { data, problems } = parseJsonFile(text, 'x.json');
    expect(data).toBeNull();
    expect(problems).toMatchObject([{ severity: 'error', place: { file: 'x.json', line, column } }]);
    expect(problems[0]!.message).toMatch(/JSON/);
    expect(problems[0]!.message).not.toMatch(/position|\n/);
  });

  test('knows the places of its values, whatever the indentation', () => {
    const file = parseJsonFile('{\n\t"a": [1,\n\t\t{"b": 2}]\n}', 'x.json');
    expect(file.data).toEqual({ a: [1, { b: 2 }] });
    expect(file.spotOf(['a', 1, 'b']).place).toEqual({ file: 'x.json', line: 3, column: 9 });
    expect(file.spotOf(['a', 1, 'b'], 'key').place).toEqual({ file: 'x.json', line: 3, column: 4 });
  });

  test('refuses a key that appears twice, and keeps __proto__ as data', () => {
    expect(parseJsonFile('{"a":1,\n"a":2}', 'x.json').problems).toMatchObject([{ place: { line: 2, column: 1 } }]);
    expect(Object.keys(parseJsonFile('{"__proto__":{"x":1}}', 'x.json').data as object)).toEqual(['__proto__']);
  });
});
