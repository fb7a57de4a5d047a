import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { acceptRun } from './accept-run.js';
import type { AcceptedCell } from './accepted-run.js';
import { readBaseline } from './load-baseline.js';

const entry = (name: string, more = ''): string =>
  `{ key: s/${name}@t/m, verdict: fail, class: empty_content, status: 200, date: 2026-01-01${more} }`;

const cell = (name: string, more: Partial<AcceptedCell>): AcceptedCell => ({
  ...{ key: `s/${name}@t/m`, model: 't/m', verdict: 'fail', class: 'empty_content', reason: null, status: 200 },
  ...{ trials: { total: 3, passed: 0 }, threshold: null, standing: 'new', unsettled: false, ...more },
});

const added = (name: string): AcceptedCell => cell(name, {});
const kept = (name: string): AcceptedCell => cell(name, { standing: 'as_expected' });
const healed = (name: string): AcceptedCell =>
  cell(name, { verdict: 'pass', class: null, status: null, standing: 'improvement', trials: { total: 3, passed: 3 } });

/** The file afterwards; it must be readable, and accepting the run again must not change it. */
async function accepted(text: string, ...cells: readonly AcceptedCell[]): Promise<string> {
  const accept = async (old: string): Promise<string> => {
    const { baseline, problems } = await readBaseline(old, 'baseline.yaml');
    expect(problems).toEqual([]);
    return (
      acceptRun({ run: { complete: true, profile: 'standard' }, cells }, baseline, { today: '2026-11-20' }).text ?? old
    );
  };
  const once = await accept(text);
  const twice = await accept(once);
  expect(twice).toBe(once);
  return once;
}

const file = (...entries: readonly string[]): string =>
  `format: chatspec-baseline/1\ncovers: ['*']\nexpect:\n${entries.join('\n')}\n`;
const renewed = (name: string): string =>
  `{ key: s/${name}@t/m, verdict: fail, class: empty_content, status: 200, date: 2026-11-20, provisional: true }`;

describe('lists keep their indentation', () => {
  test.each(['', '  ', '    '])('by "%s"', async (indent) => {
    const text = await accepted(file(`${indent}- ${entry('b')}`, `${indent}- ${entry('d')}`), added('a'), kept('b'));
    expect(text).toBe(file(...[renewed('a'), entry('b'), entry('d')].map((line) => `${indent}- ${line}`)));
  });
});

describe('an entry that still applies stays as it was written', () => {
  test.each([
    [
      'in several lines',
      `  - key: s/b@t/m\n    verdict: fail   # known\n    date: 2026-01-01\n    note: >-\n      two\n      lines`,
    ],
    ['as Prettier does', `  - {\n      key: s/b@t/m,\n      verdict: fail,\n      date: 2026-01-01,\n    }`],
    ['with spaces', `  -   { key: 's/b@t/m',  verdict: fail, date: "2026-01-01" }    # why`],
  ])('%s', async (_, written) => {
    const text = await accepted(file(`  - ${entry('c')}`, written), added('a'), kept('b'), healed('c'));
    expect(text).toBe(file(`  - ${renewed('a')}`, written));
  });

  test('and removing the entry and comment above it leaves no empty line', async () => {
    const text = await accepted(
      file(`  # on a`, `  - ${entry('a')}`, '', `  # on b`, `  - ${entry('b')}`),
      healed('a'),
      kept('b'),
    );
    expect(text).toBe(file(`  # on b`, `  - ${entry('b')}`));
  });
});

test('a file with anchors means the same, however it is written', async () => {
  const anchor = `  - { key: s/b@t/m, verdict: fail, class: &how empty_content, date: 2026-01-01 }`;
  const alias = `  - { key: s/c@t/m, verdict: fail, class: *how, date: 2026-01-01 }`;
  const text = await accepted(file(anchor, alias), healed('b'), kept('c'));
  expect((parse(text) as { expect: object[] }).expect).toEqual([
    { key: 's/c@t/m', verdict: 'fail', class: 'empty_content', date: '2026-01-01' },
  ]);
});

test('keeps a note of two lines on one line', async () => {
  const changed = cell('a', { class: 'not_json', standing: 'changed' });
  expect(await accepted(file(`  - ${entry('a', ', note: "one\\ntwo", link: "x"')}`), changed)).toBe(
    file(`  - ${renewed('a').replace('empty_content', 'not_json').replace(' }', ', note: "one\\ntwo", link: x }')}`),
  );
});
