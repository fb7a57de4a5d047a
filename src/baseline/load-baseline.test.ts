import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { reasons, outcomeClasses } from '../judge/outcome.js';
import { expectedOf } from './expected.js';
import { loadBaseline, readBaseline } from './load-baseline.js';
import { tableIn } from '../../test/support/cases.js';

const head = 'format: chatspec-baseline/1\ncovers: ["*@demo/*"]\nexpect:\n';
const example = `${head}  - { key: "tool-choice/order[tool_choice=object]@demo/sim-object-500", verdict: fail, class: http_error, reason: tool_choice_unsupported, status: 500, date: 2026-11-20, note: "asked vendor", link: "..." }
  - { key: "conflict/strict@demo/sim-wobbly", verdict: flaky, class: schema_violation, passed: 14, total: 20, date: 2026-11-20 }
`;

describe('readBaseline', () => {
  test('reads entries in any order, and fills in what they leave out', async () => {
    const { baseline, problems } = await readBaseline(example, 'baseline.yaml');
    expect(problems).toEqual([]);
    expect(baseline?.covers).toEqual([{ cells: '*@demo/*', trials: null }]);
    expect(baseline?.expect[1]).toEqual({
      key: 'conflict/strict@demo/sim-wobbly',
      verdict: 'flaky',
      class: 'schema_violation',
      reason: null,
      status: null,
      passed: 14,
      total: 20,
      date: '2026-11-20',
      note: null,
      link: null,
      provisional: false,
      threshold: null,
    });
  });

  test('gives what is expected of a cell', async () => {
    const { baseline } = await readBaseline(
      `${example}thresholds:\n  - { key: budget/a@demo/m, value: 1280, date: 2026-11-20 }\n`,
      'baseline.yaml',
    );
    expect(expectedOf(baseline, 'conflict/strict@demo/sim-wobbly')).toMatchObject({ kind: 'entry' });
    expect(expectedOf(baseline, 'conflict/strict@demo/m')).toEqual({ kind: 'pass', threshold: null });
    expect(expectedOf(baseline, 'budget/a@demo/m')).toEqual({ kind: 'pass', threshold: 1280 });
    expect(expectedOf(baseline, 'conflict/strict@other/m')).toEqual({ kind: 'new' });
    expect(expectedOf(null, 'conflict/strict@demo/m')).toEqual({ kind: 'new' });
  });

  test.each(tableIn('baseline', 'broken baselines') as readonly (readonly [string, string, number, string])[])(
    'rejects %s at its place',
    async (_, text, at, hint) => {
      const { baseline, problems } = await readBaseline(text, 'baseline.yaml');
      expect(baseline).toBeNull();
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatchObject({ severity: 'error', place: { file: 'baseline.yaml', line: at } });
      expect(problems[0]?.hint ?? '').toContain(hint);
    },
  );

  test('only warns about an entry that no pattern covers, which still counts', async () => {
    const text = `${head}  - { key: "a/b@other/m", verdict: fail, class: truncated, date: 2026-11-20 }\n`;
    const { baseline, problems } = await readBaseline(text, 'baseline.yaml');
    expect(problems).toMatchObject([{ severity: 'warning', place: { line: 4 } }]);
    expect(expectedOf(baseline, 'a/b@other/m').kind).toBe('entry');
  });

  test('reads how much is known of what is covered, beside plain patterns', async () => {
    const text = 'format: chatspec-baseline/1\ncovers:\n  - { cells: "*@demo/m", trials: 12 }\n  - a/b@demo/*\n';
    const { baseline, problems } = await readBaseline(text, 'baseline.yaml');
    expect(problems).toEqual([]);
    expect(baseline?.covers).toEqual([
      { cells: '*@demo/m', trials: 12 },
      { cells: 'a/b@demo/*', trials: null },
    ]);
  });

  test.each(['*', '*@demo/*', 'a/b', 'a/b@demo/sim-*'])('warns that %s leaves the model open', async (cells) => {
    const text = `format: chatspec-baseline/1\ncovers:\n  - { cells: "${cells}", trials: 12 }\n`;
    expect((await readBaseline(text, 'baseline.yaml')).problems).toMatchObject([
      { severity: 'warning', place: { line: 3 }, message: expect.stringContaining('does not name a model') as string },
    ]);
  });

  test('gives no baseline and a warning for a file that does not exist yet', async () => {
    const { baseline, problems } = await loadBaseline('/nowhere/baseline.yaml');
    expect(baseline).toBeNull();
    expect(problems).toMatchObject([{ severity: 'warning', place: null }]);
  });
});

describe('baseline.schema.json', () => {
  test('lists every outcome class and every reason', async () => {
    const text = await readFile(new URL('../../schemas/baseline.schema.json', import.meta.url), 'utf8');
    const { $defs } = JSON.parse(text) as {
      $defs: { Entry: { properties: Record<'class' | 'reason', { enum: string[] }> } };
    };
    expect($defs.Entry.properties.class.enum).toEqual([...outcomeClasses]);
    expect($defs.Entry.properties.reason.enum).toEqual([...reasons]);
  });
});

test.each([
  [0, 20, true],
  [1, 20, false],
  [19, 20, false],
  [20, 20, true],
])('a flaky cell of which %i of %i trials passed is an error: %s', async (passed, total, isError) => {
  const entry = `  - { key: "a/b@demo/m", verdict: flaky, class: not_json, passed: ${passed}, total: ${total}, date: 2026-11-20 }\n`;
  const { problems } = await readBaseline(`${head}${entry}`, 'baseline.yaml');
  expect(problems.some(({ severity }) => severity === 'error')).toBe(isError);
});

test.each([
  ['*@demo/m', 0, true],
  ['*@demo/m', 1, false],
  ['a/b@demo/m', 0, false],
])('%s known from %i trials is an error: %s', async (cells, trials, isError) => {
  const text = `format: chatspec-baseline/1\ncovers: [{ cells: "${cells}", trials: ${trials} }]\nexpect: []\n`;
  const { problems } = await readBaseline(text, 'baseline.yaml');
  expect(problems.some(({ severity }) => severity === 'error')).toBe(isError);
});

test.each([
  [15, 4, false],
  [15, 5, false],
  [15, 6, true],
])(
  'of 20 trials of which %i passed, %i failures by their ways are an error: %s',
  async (passed, truncated, isError) => {
    const ways = `{ truncated: ${truncated - 1}, not_json: 1 }`;
    const entry = `  - { key: "a/b@demo/m", verdict: flaky, class: truncated, passed: ${passed}, total: 20, ways: ${ways}, date: 2026-11-20 }\n`;
    const { problems } = await readBaseline(`${head}${entry}`, 'baseline.yaml');
    expect(problems.filter(({ severity, hint }) => severity === 'error' && hint !== undefined)).toHaveLength(
      isError ? 1 : 0,
    );
  },
);
