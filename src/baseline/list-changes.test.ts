import fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { acceptRun } from './accept-run.js';
import type { AcceptedCell } from './accepted-run.js';
import { readBaseline } from './load-baseline.js';
import { listChanges } from './baseline-text.js';

const text = (...lines: string[]) => ['format: chatspec-baseline/1', ...lines, ''].join('\n');

describe('listChanges', () => {
  test('compares every list of the file', () => {
    const before = text('covers: ["a/*@t/m", "b/p@t/m"]', 'expect: [{ key: k1, n: 1 }, { key: k2, n: 1 }]');
    const after = text(
      'covers: [{ cells: "a/*@t/m", trials: 2 }, "b/p@t/m"]',
      'expect: [{ key: k2, n: 2 }, { key: k3 }]',
      'wire: [{ model: t/m, quirks: [q] }]',
    );
    expect(listChanges(before, after)).toEqual([
      {
        ...{ list: 'expect', kept: 0 },
        added: [{ name: 'k3', entry: { key: 'k3' } }],
        changed: [{ name: 'k2', before: { key: 'k2', n: 1 }, after: { key: 'k2', n: 2 } }],
        removed: [{ name: 'k1', entry: { key: 'k1', n: 1 } }],
      },
      {
        ...{ list: 'wire', kept: 0, changed: [], removed: [] },
        added: [{ name: 't/m', entry: { model: 't/m', quirks: ['q'] } }],
      },
      {
        ...{ list: 'covers', kept: 1, added: [], removed: [] },
        changed: [{ name: 'a/*@t/m', before: 'a/*@t/m', after: { cells: 'a/*@t/m', trials: 2 } }],
      },
    ]);
  });

  test('does not count order, comments or the way of writing', () =>
    expect(
      listChanges(
        text('expect: [{ key: a, b: 1 }, { key: c }] # x'),
        text('expect:', '- key: c', '- { b: 1, key: a }'),
      ),
    ).toEqual([{ list: 'expect', added: [], changed: [], removed: [], kept: 2 }]));
});

const states = [
  { verdict: 'pass', class: null, reason: null, status: null, trials: { total: 1, passed: 1 } },
  { verdict: 'pass', class: null, reason: null, status: null, trials: { total: 12, passed: 12 } },
  { verdict: 'fail', class: 'not_json', reason: null, status: 200, trials: { total: 7, passed: 0 } },
  { verdict: 'fail', class: 'http_error', reason: 'unknown', status: 400, trials: { total: 12, passed: 0 } },
  { verdict: 'flaky', class: 'not_json', reason: null, status: 200, trials: { total: 7, passed: 4 } },
  { verdict: 'blocked', class: null, reason: null, status: null, trials: { total: 0, passed: 0 } },
] as const;

const standings = ['new', 'as_expected', 'regression', 'changed', 'improvement'] as const;
const keys = ['a/p@t/m', 'a/p[x=1]@t/m', 'a/q@t/m', 'b/p@t/n'];

const anyCell = fc
  .record({
    key: fc.constantFrom(...keys),
    state: fc.constantFrom(...states),
    standing: fc.constantFrom(...standings),
    unsettled: fc.boolean(),
    threshold: fc.constantFrom(null, { value: 512 }, { value: 640 }),
  })
  .map(({ key, state, standing, ...rest }): AcceptedCell => {
    const judged = state.verdict !== 'blocked';
    return { key, model: key.slice(key.indexOf('@') + 1), ...state, standing: judged ? standing : null, ...rest };
  });
const anyRun = fc
  .uniqueArray(anyCell, { selector: ({ key }) => key, minLength: 1 })
  .map((cells) => ({ run: { complete: true, profile: 'standard' }, cells }));

/** By key of each list, without what this test is about. */
function listsIn(yaml: string): Record<string, Map<string, string>> {
  const data = parse(yaml) as Record<string, unknown>;
  const named = (entries: readonly Record<string, unknown>[]) =>
    new Map(entries.map((entry) => [String(entry['key'] ?? entry['cells'] ?? entry['model']), JSON.stringify(entry)]));
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (Array.isArray(value) ? [[name, named(value as never[])]] : [])),
  );
}

test('says of every accepted run what is true of the file before and after', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRun, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(null, 'a/*', 'a/p[x=1]'),
      async (runs, only) => {
        let before: string | null = null;
        for (const [index, run] of runs.entries()) {
          const named = index === 0 ? null : only;
          if (named !== null && !run.cells.some(({ key }) => key.startsWith('a/p[x=1]'))) continue;
          const { baseline } = before === null ? { baseline: null } : await readBaseline(before, 'baseline.yaml');
          const { text: written } = acceptRun(run, baseline, { only: named, today: `2026-11-2${index}` });
          const after: string = written ?? before ?? 'format: chatspec-baseline/1\ncovers: []\n';
          const [old, now] = [listsIn(before ?? '{}'), listsIn(after)];
          for (const { list, added, changed, removed, kept } of listChanges(before, after)) {
            const [was, is] = [old[list] ?? new Map<string, string>(), now[list] ?? new Map<string, string>()];
            expect(added.map(({ name }) => name).sort()).toEqual(
              [...is.keys()].filter((name) => !was.has(name)).sort(),
            );
            expect(removed.map(({ name }) => name).sort()).toEqual(
              [...was.keys()].filter((name) => !is.has(name)).sort(),
            );
            const both = [...is].filter(([name]) => was.has(name));
            expect(changed.map(({ name }) => name).sort()).toEqual(
              both
                .filter(([name, entry]) => was.get(name) !== entry)
                .map(([name]) => name)
                .sort(),
            );
            expect(kept).toBe(both.filter(([name, entry]) => was.get(name) === entry).length);
          }
          before = after;
        }
      },
    ),
    { numRuns: 100 },
  );
});
