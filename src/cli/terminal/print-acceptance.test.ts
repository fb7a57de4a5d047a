import { expect, test } from 'vitest';
import { anIo } from '../../../test/support/io.js';
import { printAcceptance } from './print-acceptance.js';

const file = (wire: string): string =>
  `format: chatspec-baseline/1\ncovers:\n  - { cells: a/p@t/m, trials: 3 }\nwire:\n  - { model: t/m${wire} }\nexpect: []\n`;

function printed(
  dryRun: boolean,
  before: string | null,
  after: string,
): { readonly out: string; readonly err: string } {
  const text = { out: '', err: '' };
  const io = anIo({ cwd: '/', out: (more) => void (text.out += more), err: (more) => void (text.err += more) });
  printAcceptance(
    { file: 'b.yaml', run: 'r', only: null, before, after, isAccepted: true, dryRun, kept: [], cells: [] },
    {},
    io,
  );
  return text;
}

test('few entries are named, and of many the models are counted', () => {
  expect(printed(false, file(''), file(', quirks: [id_missing]')).out).toContain('  ~ t/m\n');
  const cells = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `  - { cells: s/${name}@t/m, trials: 3 }\n`).join('');
  const { out } = printed(false, null, `format: chatspec-baseline/1\ncovers:\n${cells}`);
  expect(out).toContain('covers: 7 added, 0 changed, 0 removed, 0 kept\n');
  expect(out).toContain('  t/m: 7 added\n');
  expect(out).not.toContain('s/a@t/m');
});

test('a dry run names only the lists that would change', () => {
  const { err } = printed(true, file(''), file(', quirks: []'));
  expect(err).toBe(
    'chatspec: nothing was written; without --dry-run, these entries change: wire: 0 added, 1 changed, 0 removed, 0 kept\n',
  );
});
