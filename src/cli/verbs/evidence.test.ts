import { describe, expect, test } from 'vitest';
import { UserError } from '../../files/problems/problem.js';
import { chooseCells } from './evidence.js';

const cells = [
  'shop/hello@demo/a',
  'shop/hello@demo/b',
  'shop/order[tool_choice=auto]@demo/a',
  'shop/order[tool_choice=object]@demo/a',
].map((key) => ({ key }));

function refusal(asked: string, among = cells): string {
  try {
    chooseCells(among, [asked], 'r');
  } catch (error) {
    if (error instanceof UserError) return error.problems.map(({ message, hint }) => `${message} → ${hint}`).join('');
  }
  return '';
}

describe('chooseCells', () => {
  test.each([
    [['shop/hello@demo/b'], ['shop/hello@demo/b']],
    [['shop/order[tool_choice=auto]'], ['shop/order[tool_choice=auto]@demo/a']],
    [['*object*'], ['shop/order[tool_choice=object]@demo/a']],
    [['shop/hello'], ['shop/hello@demo/a', 'shop/hello@demo/b']],
    [
      ['*object*', 'shop/hello@*/b', '*@demo/b'],
      ['shop/hello@demo/b', 'shop/order[tool_choice=object]@demo/a'],
    ],
  ])('%j are %j', (asked, keys) => {
    expect(chooseCells(cells, asked).map(({ key }) => key)).toEqual(keys);
  });

  test('lists a few, how many more there are, and the command that lists them', () => {
    const many = Array.from({ length: 23 }, (_, index) => ({ key: `shop/hello@demo/m${index}` }));
    const message = refusal('shop/hello@zzzzz', many);
    expect(message).toContain('demo/m4\n      and 18 more: chatspec report r --json');
    expect(message).not.toContain('demo/m5');
  });

  test.each([
    ['shop/helo', 'did you mean "shop/hello"?'],
    ['shop/hello@demo/aa', 'did you mean "shop/hello@demo/a"'],
    ['shop/order[tool_choice=objct]', 'did you mean "shop/order[tool_choice=object]"?'],
    ['nothing-like-it', 'the probes of the run:\n      shop/hello\n      shop/order'],
  ])('%s: %s', (asked, hint) => {
    expect(refusal(asked)).toContain(`no cell of this run matches "${asked}" → ${hint}`);
  });

  test('says so when there are none', () => {
    expect(refusal('a', [])).toContain('the run has no cells');
  });
});
