import { expect, test } from 'vitest';
import { runawayEnd } from './cut-content.js';

const space = (characters: number) => ({ kind: 'white_space', characters });
const repetition = (length: number, times: number) => ({ kind: 'repetition', length, times });

/** Longer than what may run on behind it. */
const prose = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');

/** So many characters, of which no two neighbours come twice. */
const unlike = (length: number): string =>
  Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');

test.each([
  ['half a text of white space', `${unlike(16)}${' '.repeat(16)}`, space(16)],
  ['not quite half', `${unlike(17)}${' '.repeat(16)}`, null],
  ['ten times ten characters', `${prose}!${unlike(10).repeat(10)}`, repetition(10, 10)],
  ['nine times eleven', `${prose}!${unlike(11).repeat(9)}`, null],
  ['a long piece five times', `${prose}!${unlike(30).repeat(5)}`, repetition(30, 5)],
  ['a long piece four times', `${prose}!${unlike(30).repeat(4)}`, null],
  ['eight marks that are half of a text', `${unlike(8)}${'!'.repeat(8)}`, repetition(1, 8)],
  ['eight marks that are less', `${unlike(9)}${'!'.repeat(8)}`, null],
  ['seven marks that are most of a text', `a${'!'.repeat(7)}`, null],
  ['a piece as long as any', `${prose}!${unlike(400).repeat(5)}`, repetition(400, 5)],
  ['a longer one', `${prose}!${unlike(401).repeat(5)}`, null],
  ['more than is looked at', '-'.repeat(5000), repetition(1, 4000)],
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
