import { expect, test } from 'vitest';
import { type Io, printProblems } from './io.js';

test('shows what a file holds as text: nothing in it reorders a line or acts on the terminal', () => {
  let printed = '';
  const io = { err: (text: string) => (printed += text), color: false, interactive: false, cwd: '/' } as unknown as Io;
  const text = 'a \u202eb \u001b[2J';
  printProblems([{ severity: 'error', message: text, place: null, frame: `${text}\n  ^`, hint: text }], io);
  expect(printed).not.toMatch(/[\u001b\u202e]/);
  expect(printed.match(/a \\u202eb \\u001b\[2J/g)).toHaveLength(3);
  expect(printed).toContain('\n    ^');
});
