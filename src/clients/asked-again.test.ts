import { expect, test } from 'vitest';
import { askedAgain } from './asked-again.js';
import type { SeenInAnswer } from './seen-in-answer.js';

const answer = (text: string, wrong: string | null = null): SeenInAnswer => ({
  ...{ class: wrong, quirks: [], value: text, calls: [], way: '', ending: 'end' },
});
const failed = answer('', 'http_error');

test.each<
  [name: string, answers: readonly SeenInAnswer[], rightAnswers: readonly SeenInAnswer[], asked: string | null]
>([
  ['once more', [failed, answer('a')], [answer('a')], 'same'],
  ['once more, in other words', [failed, answer('b')], [answer('a')], 'in_other_words'],
  ['once more in vain', [failed, failed], [answer('a')], null],
  ['as often as with right answers', [failed, answer('a')], [answer('b'), answer('a')], null],
  ['after a wrong call of a loop', [answer('c', 'wrong_function'), answer('b')], [answer('c'), answer('a')], null],
  ['more often, though nothing was wrong', [answer('a'), answer('a')], [answer('a')], null],
  ['nothing', [], [answer('a')], null],
])('asking %s', (_name, answers, rightAnswers, asked) => {
  expect(askedAgain(answers, rightAnswers)).toBe(asked);
});
