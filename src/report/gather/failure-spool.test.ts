import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.js';
import { diskSpool } from './failure-spool.js';
import type { FailingTrial } from './failure-spool.js';

const failing = (sample: number): FailingTrial => ({
  ...{ cell: 'a/b@demo/m', ask: { kind: 'trial', patch: {}, sample } },
  ...{ class: 'not_json', reason: null, status: 200, detail: 'line\nend \u2028 and "quotes"', step: null },
  ...{ violations: [], exchange: null, exchanges: [], traceresponse: null, response_id: null, facts: null },
});

test('returns every failing trial in order, repeatedly, and leaves no file', async () => {
  const folder = `${await tempFolder()}/not/there/yet`;
  const spool = diskSpool(() => folder);
  const added = Array.from({ length: 1234 }, (_, index) => failing(index));
  for (const failure of added) spool.add(failure);
  for (let time = 0; time < 2; time++) {
    const read: FailingTrial[] = [];
    for await (const failure of spool.all()) read.push(failure);
    expect(read).toEqual(added);
  }
  spool.add(failing(1234));
  expect(readdirSync(folder)).toEqual([]);
  spool.close();
});

test('does not touch the disk for a few failures', async () => {
  const spool = diskSpool(() => {
    throw new Error('no folder was needed');
  });
  spool.add(failing(0));
  const read: FailingTrial[] = [];
  for await (const failure of spool.all()) read.push(failure);
  expect(read).toHaveLength(1);
});
