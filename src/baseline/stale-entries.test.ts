import { expect, test } from 'vitest';
import { readBaseline, staleEntries } from './load-baseline.js';

const keys = new Set(['s/order[form=object]@t/m', 's/plain@t/m']);
const warningsFor = async (...written: readonly string[]) => {
  const entries = written.map((key) => `  - { key: "${key}", verdict: fail, date: 2026-11-20 }\n`).join('');
  const { baseline } = await readBaseline(`format: chatspec-baseline/1\ncovers: ["*"]\nexpect:\n${entries}`, 'b.yaml');
  return staleEntries(baseline!, keys);
};

test('does not warn about entries whose cells exist', async () => {
  expect(await warningsFor(...keys)).toEqual([]);
});

test('warns about a misspelt key at its place', async () => {
  expect(await warningsFor('s/plain@t/m', 's/order[form=objekt]@t/m')).toMatchObject([
    {
      severity: 'warning',
      message: expect.stringContaining('s/order[form=objekt]@t/m: no such cell') as string,
      hint: 'did you mean "s/order[form=object]@t/m"?',
      place: { file: 'b.yaml', line: 5, column: 12 },
    },
  ]);
});

test('names only the first few of many', async () => {
  const gone = Array.from({ length: 9 }, (_, index) => `other-suite/probe-${index}@t/m`);
  const warnings = await warningsFor(...gone);
  expect(warnings).toHaveLength(5);
  expect(warnings[4]?.message).toMatch(/as for 4 more entries$/);
});

test('speaks of one more entry in the singular', async () => {
  const gone = Array.from({ length: 6 }, (_, index) => `other-suite/probe-${index}@t/m`);
  expect((await warningsFor(...gone)).at(-1)?.message).toMatch(/as for 1 more entry$/);
});

test('counts the entries of models that the config does not name in one line', async () => {
  const gone = Array.from({ length: 9 }, (_, index) => `s/probe-${index}@gone/model`);
  const warnings = await warningsFor('s/plain@t/m', ...gone);
  expect(warnings).toMatchObject([{ severity: 'warning', message: expect.stringContaining('9 entries') as string }]);
});
