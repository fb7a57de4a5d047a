import { CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { userError } from '../../files/problems/problem.js';
import { JournalError } from '../../journal/journal-error.js';
import { TemplateError } from '../../plan/request/template.js';
import { InternalError } from '../../run/run-error.js';
import { SecretInBody } from '../../transport/open-transport.js';
import { errorExit, folderError } from './errors.js';

describe('the exit code of an error', () => {
  const system = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE', syscall: 'listen' });
  test.each([
    ['a help text', new CommanderError(0, 'commander.help', ''), 0],
    ['an unknown option', new CommanderError(1, 'commander.unknownOption', ''), 2],
    ['a mistake in a file', userError('no'), 2],
    ['a folder that holds a run', new JournalError('exists', 'no'), 2],
    ['a folder that holds no run', new JournalError('missing', 'no'), 2],
    ['a damaged journal', new JournalError('damaged', 'no'), 2],
    ['a full disk', new JournalError('disk_full', 'no'), 3],
    ['a journal that cannot be read', new JournalError('unreadable', 'no'), 2],
    ['a journal that cannot be written', new JournalError('read_only', 'no'), 3],
    ['a key in a body', new SecretInBody('llm'), 2],
    ['a refusal of the operating system', system, 3],
  ])('%s', (_, error, exitCode) => {
    expect(errorExit(error)?.exitCode).toBe(exitCode);
  });

  test.each([
    ['a template that cannot be filled', new TemplateError('{{x}}', 'unknown name')],
    ['a bug during a run', new InternalError('s/a@t/m', new Error('oh'))],
    ['anything else', new TypeError('oh')],
    ['a text that was thrown', 'oh'],
  ])('is left to the bug report for %s', (_, error) => {
    expect(errorExit(error)).toBeNull();
  });

  test('comes with the message and the hint, once', () => {
    const [problem, ...others] = errorExit(new SecretInBody('llm'))?.problems ?? [];
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ severity: 'error', message: expect.stringContaining('llm') as string });
    expect(problem?.hint).toMatch(/key/);
  });
});

test('before anything is sent, a folder that cannot be used is a wrong argument, but a full disk is not', () => {
  expect(errorExit(folderError(new JournalError('read_only', 'no')))).toMatchObject({
    exitCode: 2,
    problems: [{ message: 'no', hint: 'choose another folder with --out' }],
  });
  expect(errorExit(folderError(new JournalError('disk_full', 'no')))?.exitCode).toBe(3);
});

test('what a program is told has no options of the command line, which adds them', () => {
  for (const [reason, message, resumable, hint] of [
    [
      'exists',
      'r already holds a run; resume it, or choose another folder',
      true,
      '--resume resumes it; --out names another folder',
    ],
    ['exists', 'r already holds a run; choose another folder', false, '--out names another folder'],
    [
      'in_use',
      'r is in use by another run: wait for it, or choose another folder',
      false,
      '--out names another folder',
    ],
  ] as const) {
    expect(errorExit(new JournalError(reason, message, { resumable }))?.problems).toMatchObject([{ message, hint }]);
  }
});
