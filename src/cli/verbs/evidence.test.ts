import { describe, expect, test } from 'vitest';
import { UserError } from '../../files/problems/problem.js';
import { chooseCell } from './evidence.js';

const cells = [
  'shop/hello@demo/a',
  'shop/hello@demo/b',
  'shop/order[tool_choice=auto]@demo/a',
  'shop/order[tool_choice=object]@demo/a',
].map((key) => ({ key }));

function refusal(asked: string, among = cells): string {
  try {
    chooseCell(among, asked);
  } catch (error) {
    if (error instanceof UserError) return error.problems.map(({ message, hint }) => `${message} → ${hint}`).join('');
  }
  return '';
}

describe('chooseCell', () => {
  test.each([
    ['shop/hello@demo/b', 'shop/hello@demo/b'],
    ['shop/order[tool_choice=auto]', 'shop/order[tool_choice=auto]@demo/a'],
    ['*object*', 'shop/order[tool_choice=object]@demo/a'],
    ['shop/hello@*/b', 'shop/hello@demo/b'],
  ])('%s is %s', (asked, key) => {
    expect(chooseCell(cells, asked).key).toBe(key);
  });

  test('shows what to choose from when several answer', () => {
    expect(refusal('shop/hello')).toBe(
      `2 cells match "shop/hello", but evidence shows one cell → give the whole key of one, in quotes:\n      'shop/hello@demo/a'\n      'shop/hello@demo/b'`,
    );
  });

  test('lists ten, and how many more there are', () => {
    const many = Array.from({ length: 23 }, (_, index) => ({ key: `shop/hello@demo/m${index}` }));
    const message = refusal('shop/hello', many);
    expect(message).toContain("'shop/hello@demo/m9'\n      and 13 more");
    expect(message).not.toContain('m10');
    expect(refusal('something-else', many)).toContain('and 13 more');
  });

  test.each([
    ['shop/helo', 'did you mean "shop/hello"?'],
    ['shop/hello@demo/c', 'did you mean "shop/hello@demo/a"?'],
    ['shop/order[tool_choice=objct]', 'did you mean "shop/order[tool_choice=object]"?'],
    ['nothing-like-it', 'the cells of the run:'],
  ])('%s: %s', (asked, hint) => {
    expect(refusal(asked)).toContain(`no cell of this run matches "${asked}" → ${hint}`);
  });

  test('says so when there are none', () => {
    expect(refusal('a', [])).toContain('the run has no cells');
  });
});
