import { expect, test } from 'vitest';
import { runawayEnd } from './cut-content.js';

const space = (characters: number) => ({ kind: 'white_space', characters });
const repetition = (length: number, times: number) => ({ kind: 'repetition', length, times });

/** Longer than what may run on behind it. */
const prose = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');

test.each([
  ['white space behind a member', `{"a": 1,${'\n'.repeat(99)} `, space(100)],
  ['a little behind a long text', `The quick brown fox jumps.${' '.repeat(16)}`, null],
  ['most of a short text', `{"a":${'\t'.repeat(16)}`, space(16)],
  ['nothing but white space', '\n \n \n \n \n \n \n \n \n', space(17)],
  ['too little of it', `{${' '.repeat(15)}`, null],
  ['white space behind a long text', `${prose}${' '.repeat(100)}`, space(100)],
  ['not quite so much of it', `${prose}${' '.repeat(99)}`, null],
  ['a short piece five times', `${prose} la la la la la`, null],
  ['a mark eight times behind a text', `${prose}${'.'.repeat(8)}`, null],
  ['an emoji', '😀'.repeat(60), repetition(2, 60)],
  ['an emoji under a small cap', '👍'.repeat(12), repetition(2, 12)],
  ['a digit', `{"total": 0.${'0'.repeat(100)}`, repetition(1, 100)],
  ['a sentence', `First. ${'I will do that now. '.repeat(5)}I will`, repetition(20, 5)],
  ['a sentence four times', `First. ${'I will do that at once. '.repeat(4)}`.trim(), null],
  ['a call as JSON', '{"name":"f","arguments":{}}\n'.repeat(12).trim(), repetition(28, 11)],
  ['numbers', Array.from({ length: 200 }, (_, index) => index).join(', '), null],
  ['a rule below a heading', `Prices of the year\n${'-'.repeat(30)}`, repetition(1, 30)],
  ['a list', 'one, two, three, four, five, six', null],
  ['an ellipsis', 'Wait...', null],
  ['no text', '', null],
])('%s', (_, text, found) => {
  expect(runawayEnd(text)).toEqual(found);
});
