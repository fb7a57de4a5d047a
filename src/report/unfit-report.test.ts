import { expect, test } from 'vitest';
import { isOtherVersion, otherFormat, unfitReport } from './unfit-report.js';

test('the step for a report of another version is that version, and no search for who cut it', () => {
  const other = { format: 'chatspec-report/9' };
  expect(unfitReport('/nowhere/report.json', otherFormat(other) ?? '', isOtherVersion(other)).hint).toBe(
    'another version of chatspec wrote it: read it with that one, or make the run again',
  );
  expect(unfitReport('/nowhere/report.json', 'the file is empty').hint).toMatch(/cut or changed/);
});

test('says what a file without a format lacks', () => {
  expect(otherFormat({})).toBe('it has no "format", which is "chatspec-report/1" in a report');
});
