import { expect, test } from 'vitest';
import { type Problem, UserError, userError } from './problem.js';

const place = { file: '/work/suites/first.yaml', line: 6, column: 5 };
const unknown: Problem = {
  ...{ severity: 'error', place, message: 'probes.summary: unknown key "titel"' },
  ...{ hint: 'did you mean "title"?', frame: '> 6 | titel: x' },
};

test('names the place and the next step in the message, since whoever catches nothing sees only that', () => {
  expect(new UserError([unknown]).message).toBe(
    '/work/suites/first.yaml:6:5: probes.summary: unknown key "titel"\n  → did you mean "title"?',
  );
  expect(userError('no such run', 'reports/latest is the newest').message).toBe(
    'no such run\n  → reports/latest is the newest',
  );
  expect(userError('no such run').message).toBe('no such run');
});

test('tells of every problem of several, and which of them are only warnings', () => {
  const warning: Problem = { severity: 'warning', place: { ...place, line: 9 }, message: 'an unused name' };
  expect(new UserError([unknown, warning]).message).toBe(
    [
      '/work/suites/first.yaml:6:5: probes.summary: unknown key "titel"',
      '  → did you mean "title"?',
      '/work/suites/first.yaml:9:5: warning: an unused name',
    ].join('\n'),
  );
});
