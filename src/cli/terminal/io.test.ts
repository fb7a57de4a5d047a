import { expect, test } from 'vitest';
import { isOn, showsColor } from './io.js';

test.each<[Record<string, string>, boolean, boolean]>([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: 'true' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: 'false' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ TERM: 'dumb' }, true, false],
])('%j on a terminal (%s): colour %s', (env, isTerminal, color) => {
  expect(showsColor(env, isTerminal)).toBe(color);
});

test.each([
  [undefined, false],
  ['', false],
  ['0', false],
  ['false', false],
  ['true', true],
  ['1', true],
])('CI=%s is on: %s', (value, on) => expect(isOn(value)).toBe(on));
