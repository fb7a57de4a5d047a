import { expect, test } from 'vitest';
import { UserError, userError } from '../files/problems/problem.js';
import { SecretInBody } from '../transport/open-transport.js';
import { ChatspecError } from './chatspec-error.js';

test('carries a kind, a message and a hint, and is named after its class', () => {
  const error = userError('no such run', 'reports/latest is the newest');
  expect(error).toBeInstanceOf(ChatspecError);
  expect(error).toMatchObject({
    ...{ name: 'UserError', kind: 'user', hint: 'reports/latest is the newest' },
    message: 'no such run\n  → reports/latest is the newest',
    problems: [{ severity: 'error', place: null, message: 'no such run', hint: 'reports/latest is the newest' }],
  });
  expect(new SecretInBody('llm')).toMatchObject({ name: 'SecretInBody', kind: 'secret_in_body', target: 'llm' });
});

test('has a hint of its own only when there is one problem', () => {
  const problem = { severity: 'error', place: null, message: 'one', hint: 'do this' } as const;
  expect(new UserError([problem]).hint).toBe('do this');
  expect(new UserError([problem, problem]).hint).toBeNull();
});
