import { expect, test } from 'vitest';
import { shippedSchema } from '../files/shipped-schema.js';
import { isOtherVersion, misfitsOf, otherFormat, unfitReport } from './run-folder.js';

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

test('names the place of a misfit once', async () => {
  const validate = await shippedSchema('baseline');
  expect(validate({ format: 'chatspec-baseline/1', expect: [{ key: 7 }] })).toBe(false);
  const said = misfitsOf((validate.errors ?? []).filter(({ keyword }) => keyword === 'type'));
  expect(said).toBe(
    'it is not a report in the format chatspec-report/1: expected a text, found the number 7 at expect.0.key',
  );
});
