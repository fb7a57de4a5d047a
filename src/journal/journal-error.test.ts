import { expect, test } from 'vitest';
import { journalError } from './journal-error.js';

const failed = (code: string) => Object.assign(new Error(`${code}: no`), { code });

test.each([
  ['EACCES', 'read', 'unreadable'],
  ['EACCES', 'write', 'read_only'],
  ['EPERM', 'read', 'unreadable'],
  ['EIO', 'read', 'unreadable'],
  ['EIO', 'write', 'other'],
  ['EBADMSG', 'read', 'unreadable'],
  ['ENOENT', 'read', 'missing'],
  ['EISDIR', 'read', 'other'],
  ['Z_DATA_ERROR', 'read', 'damaged'],
  ['ENOSPC', 'write', 'disk_full'],
] as const)('%s of a journal that is %s is %s', (code, doing, reason) => {
  const { reason: given, message } = journalError(failed(code), 'r/journal.jsonl', doing);
  expect(given).toBe(reason);
  expect(message.includes('cannot be read')).toBe(reason === 'unreadable');
  expect(message.includes('cannot be written')).toBe(reason === 'read_only');
});
