import { expect, test } from 'vitest';
import { anIo } from '../../../test/support/io.js';
import { printAcceptance } from './print-acceptance.js';

const file = (wire: string): string =>
  `format: chatspec-baseline/1\ncovers:\n  - { cells: a/p@t/m, trials: 3 }\nwire:\n  - { model: t/m${wire} }\nexpect: []\n`;

function printed(dryRun: boolean, before: string, after: string): { readonly out: string; readonly err: string } {
  const text = { out: '', err: '' };
  const io = anIo({ cwd: '/', out: (more) => void (text.out += more), err: (more) => void (text.err += more) });
  printAcceptance(
    { file: 'b.yaml', run: 'r', only: null, before, after, isAccepted: true, dryRun, kept: [], cells: [] },
    {},
    io,
  );
  return text;
}

test('quirks that nobody had looked at are told from those that are none', () => {
  expect(printed(false, file(''), file(', quirks: []')).out).toContain('~ t/m: quirks not looked at -> none\n');
  expect(printed(false, file(', quirks: []'), file(', quirks: [id_missing]')).out).toContain(
    '~ t/m: quirks none -> [id_missing]\n',
  );
});

test('a dry run names only the lists that would change', () => {
  const { err } = printed(true, file(''), file(', quirks: []'));
  expect(err).toBe(
    'chatspec: nothing was written; without --dry-run, these entries change: wire: 0 added, 1 changed, 0 removed, 0 kept\n',
  );
});
