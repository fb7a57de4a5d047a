import { expect, test } from 'vitest';
import { otherFormat, unfitReport } from './unfit-report.js';

test('the step for a report of another version is that version, and no search for who cut it', () => {
  const why = otherFormat({ format: 'chatspec-report/9' }) ?? '';
  expect(unfitReport('/nowhere/report.json', why).hint).toBe(
    'another version of chatspec wrote it: read it with that one, or make the run again',
  );
  expect(unfitReport('/nowhere/report.json', 'the file is empty').hint).toMatch(/cut or changed/);
});

test('says what a file without a format lacks', () => {
  expect(otherFormat({})).toBe('it has no "format", which is "chatspec-report/1" in a report');
});
