import { expect, test } from 'vitest';
import { markedAnswer } from './marked-answer.js';

const answer = '{"a":{},"list":[{"n":1},{"n":"x"}],"end":12345678901234567890}';

test.each([
  ['/a', '"a": {},'],
  ['/list', '"list": ['],
  ['/list/0/n', '"n": 1'],
  ['/list/1/n', '"n": "x"'],
  ['/list/1/missing', '{'],
  ['/end', '"end": 12345678901234567890'],
  ['/none', '{'],
  ['', '{'],
  ['a-rule', '{'],
])('a violation at "%s" marks its line', (at, line) => {
  const { text, marks } = markedAnswer(answer, [{ at, message: 'wrong' }]);
  expect(marks).toHaveLength(1);
  expect(text.split('\n')[marks[0]?.[0] ?? -1]?.trim()).toBe(line);
});

test.each(['plain text', '```json\n{}\n```', '{"cut": ', '"a string"'])(
  '%j stays as it came, without marks',
  (text) => {
    expect(markedAnswer(text, [{ at: '/a', message: 'wrong' }])).toEqual({ text, marks: [] });
  },
);
