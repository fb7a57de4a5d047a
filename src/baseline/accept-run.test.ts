import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UserError } from '../files/problems/problem.js';
import { acceptRun } from './accept-run.js';
import type { AcceptedCell, AcceptedRun } from './accepted-run.js';
import type { Baseline } from './entries.js';
import { expectedOf } from './expected.js';
import { readBaseline } from './load-baseline.js';
import { tableIn } from '../../test/support/cases.js';

const today = '2026-11-20';

/** The text of the file afterwards. */
const textAfter = (...[report, baseline, options]: Parameters<typeof acceptRun>): string =>
  acceptRun(report, baseline, options).text ?? baseline?.text ?? 'format: chatspec-baseline/1\ncovers: []\n';

function cell(key: string, more: Partial<AcceptedCell> = {}): AcceptedCell {
  return {
    key,
    model: key.slice(key.indexOf('@') + 1),
    verdict: 'pass',
    class: null,
    reason: null,
    status: null,
    trials: { total: 12, passed: 12 },
    threshold: null,
    standing: 'new',
    unsettled: false,
    ...more,
  };
}

const fail500 = {
  verdict: 'fail',
  class: 'http_error',
  reason: 'tool_choice_unsupported',
  status: 500,
  trials: { total: 12, passed: 0 },
} as const;
const flaky = { verdict: 'flaky', class: 'schema_violation', status: 200, trials: { total: 20, passed: 14 } } as const;

const run = (...cells: AcceptedCell[]): AcceptedRun => ({ run: { complete: true, profile: 'standard' }, cells });

async function read(text: string): Promise<Baseline> {
  const { baseline, problems } = await readBaseline(text, 'baseline.yaml');
  expect(problems).toEqual([]);
  return baseline!;
}

describe('acceptRun without a baseline', () => {
  test('lists all cells under covers and those that do not pass under expect, sorted, one entry a line', () => {
    const text = textAfter(
      run(
        cell('tool-choice/order[tool_choice=object]@demo/sim-object-500', fail500),
        cell('tool-choice/order[tool_choice=auto]@demo/sim-object-500'),
        cell('conflict/strict@demo/sim-wobbly', flaky),
        cell('conflict/strict@demo/sim-once', { ...fail500, trials: { total: 3, passed: 0 } }),
      ),
      null,
      { today },
    );
    expect(text).toBe(`format: chatspec-baseline/1
covers:
  - { cells: conflict/strict@demo/sim-once, trials: 3 }
  - { cells: conflict/strict@demo/sim-wobbly, trials: 20 }
  - { cells: tool-choice/order@demo/sim-object-500, trials: 12 }
expect:
  - { key: conflict/strict@demo/sim-once, verdict: fail, class: http_error, reason: tool_choice_unsupported, status: 500, date: 2026-11-20, provisional: true }
  - { key: conflict/strict@demo/sim-wobbly, verdict: flaky, class: schema_violation, passed: 14, total: 20, date: 2026-11-20 }
  - { key: "tool-choice/order[tool_choice=object]@demo/sim-object-500", verdict: fail, class: http_error, reason: tool_choice_unsupported, status: 500, date: 2026-11-20 }
`);
  });

  test('stores the threshold of a find cell that passes', () => {
    const text = textAfter(run(cell('budget/schema@demo/m', { threshold: { value: 1280 } })), null, { today });
    expect(text).toContain('thresholds:\n  - { key: budget/schema@demo/m, value: 1280, date: 2026-11-20 }\n');
  });

  test('adds nothing for cells that were not judged, nor for a model without a judged cell', async () => {
    const text = textAfter(
      run(
        cell('a/b@demo/m'),
        cell('a/c@demo/m', { verdict: 'blocked', standing: null }),
        cell('a/b@demo/down', { verdict: 'inconclusive', class: 'transport', standing: null }),
      ),
      null,
      { today },
    );
    const baseline = await read(text);
    expect(baseline.expect).toEqual([]);
    expect(expectedOf(baseline, 'a/b@demo/m').kind).toBe('pass');
    expect(expectedOf(baseline, 'a/b@demo/down').kind).toBe('new');
  });

  test.each([
    ['truncated', { complete: false, profile: 'standard' }],
    ['smoke', { complete: true, profile: 'smoke' }],
  ])('refuses a %s run', (name, facts) => {
    expect(() => textAfter({ run: facts, cells: [cell('a/b@demo/m')] }, null, { today })).toThrow(UserError);
    expect(() => textAfter({ run: facts, cells: [cell('a/b@demo/m')] }, null, { today })).toThrow(name);
  });

  test('refuses a pattern that matches nothing, and suggests the nearest key', () => {
    try {
      textAfter(run(cell('a/plain@demo/m')), null, { today, only: 'a/plane@demo/m' });
      expect.unreachable();
    } catch (error) {
      expect((error as UserError).problems[0]?.hint).toBe('did you mean "a/plain@demo/m"?');
    }
  });
});

const existing = `# What the team agreed on.
format: chatspec-baseline/1
covers: ["*@demo/*"] # everything
expect:
  # The vendor knows.
  - { key: 'tool-choice/order[tool_choice=object]@demo/sim-object-500',  verdict: fail, class: http_error, reason: tool_choice_unsupported, status: 500, date: 2026-10-01, note: "asked vendor", link: "https://example.org/1" }
  - { key: "conflict/strict@demo/sim-wobbly", verdict: flaky, class: schema_violation, passed: 14, total: 20, date: 2026-10-01 } # since May
`;

describe('acceptRun over a baseline', () => {
  test('leaves the text as it is after a run without changes', async () => {
    const text = textAfter(
      run(
        cell('tool-choice/order[tool_choice=object]@demo/sim-object-500', { ...fail500, standing: 'as_expected' }),
        cell('conflict/strict@demo/sim-wobbly', { standing: 'as_expected', trials: { total: 3, passed: 3 } }),
        cell('conflict/strict@demo/m', { ...flaky, trials: { total: 20, passed: 19 }, standing: 'as_expected' }),
      ),
      await read(existing),
      { today },
    );
    const baseline = await read(text);
    expect(baseline.expect.map(({ date }) => date)).toEqual(['2026-10-01', '2026-10-01']);
    expect(baseline.covers).toEqual([{ cells: '*@demo/*', trials: null }]);
    // Only the order changed.
    expect(text.split('\n').sort()).toEqual(existing.split('\n').sort());
    expect(textAfter(run(cell('a/b@demo/m')), baseline, { today })).toBe(text);
  });

  test('keeps the note, link and comment of an entry that now fails in another way', async () => {
    const now = { ...fail500, class: 'http_error', reason: 'tool_choice_thinking', status: 400 } as const;
    const key = 'tool-choice/order[tool_choice=object]@demo/sim-object-500';
    const text = textAfter(run(cell(key, { ...now, standing: 'changed' })), await read(existing), { today });
    expect(text).toContain(
      `  # The vendor knows.\n  - { key: "${key}", verdict: fail, class: http_error, reason: tool_choice_thinking, status: 400, date: 2026-11-20, note: asked vendor, link: https://example.org/1 }\n`,
    );
  });

  test('removes an entry that improved and leaves the others', async () => {
    const key = 'tool-choice/order[tool_choice=object]@demo/sim-object-500';
    const text = textAfter(run(cell(key, { standing: 'improvement' })), await read(existing), { today });
    expect((await read(text)).expect.map((entry) => entry.key)).toEqual(['conflict/strict@demo/sim-wobbly']);
  });

  test('leaves entries of cells that were not judged or stayed unsettled', async () => {
    const before = await read(existing);
    const text = textAfter(
      run(
        cell('tool-choice/order[tool_choice=object]@demo/sim-object-500', { verdict: 'inconclusive', standing: null }),
        cell('conflict/strict@demo/sim-wobbly', { standing: 'improvement', unsettled: true }),
        cell('a/b@demo/m', { ...fail500, standing: 'regression', unsettled: true }),
      ),
      before,
      { today },
    );
    expect(new Set((await read(text)).expect)).toEqual(new Set(before.expect));
  });

  test('accepts a regression and a new rate', async () => {
    const text = textAfter(
      run(
        cell('conflict/strict@demo/sim-wobbly', {
          ...flaky,
          trials: { total: 23, passed: 3 },
          standing: 'regression',
        }),
        cell('a/b@demo/m', { ...fail500, standing: 'regression' }),
      ),
      await read(existing),
      { today },
    );
    const { expect: entries } = await read(text);
    expect(entries.find(({ key }) => key === 'conflict/strict@demo/sim-wobbly')).toMatchObject({
      passed: 3,
      total: 23,
    });
    expect(entries.find(({ key }) => key === 'a/b@demo/m')).toMatchObject({ verdict: 'fail', date: today });
  });

  test('accepts only what the pattern names', async () => {
    const cells = run(
      cell('a/b@demo/m', { ...fail500, standing: 'regression' }),
      cell('a/c@other/m'),
      cell('a/b@other/m'),
    );
    const text = textAfter(cells, await read(existing), { today, only: 'a/c@other/*' });
    const baseline = await read(text);
    expect(text).toContain('covers:\n  - "*@demo/*"\n  - { cells: a/c@other/m, trials: 12 }\n');
    expect(baseline.expect.some(({ key }) => key === 'a/b@demo/m')).toBe(false);
    expect(expectedOf(baseline, 'a/b@other/m').kind).toBe('new');
  });

  test('accepts what one of several patterns names, and refuses a pattern of them that matches nothing', async () => {
    const cells = run(cell('a/b@other/m'), cell('a/c@other/m'), cell('a/d@other/m'));
    const baseline = await read(textAfter(cells, null, { today, only: ['a/b@*', 'a/d@other/m'] }));
    const kinds = ['b', 'c', 'd'].map((probe) => expectedOf(baseline, `a/${probe}@other/m`).kind);
    expect(kinds).toEqual(['pass', 'new', 'pass']);
    expect(() => textAfter(cells, null, { today, only: ['a/b@*', 'a/x@other/m'] })).toThrow(
      /--only a\/x@other\/m matches no/,
    );
  });

  test('keeps a stored threshold that still applies and replaces one that moved', async () => {
    const before = await read(`format: chatspec-baseline/1
covers: ["*"]
thresholds:
  - { key: "budget/a@demo/m", value: 1280, date: 2026-10-01, note: reasoning }
  - { key: "budget/b@demo/m", value: 640, date: 2026-10-01, note: measured }
`);
    const text = textAfter(
      run(
        cell('budget/a@demo/m', { threshold: { value: 1280 }, standing: 'as_expected' }),
        cell('budget/b@demo/m', { threshold: { value: 800 }, standing: 'regression' }),
      ),
      before,
      { today },
    );
    expect(text).toContain(`thresholds:
  - { key: "budget/a@demo/m", value: 1280, date: 2026-10-01, note: reasoning }
  - { key: budget/b@demo/m, value: 800, date: 2026-11-20, note: measured }
`);
  });
});

const arbitraryCell = fc
  .record({
    suite: fc.constantFrom('a', 'b'),
    probe: fc.constantFrom('p', 'q[x=1]', 'q[x=2]'),
    model: fc.constantFrom('demo/m', 'demo/n', 'other/m'),
    state: fc.constantFrom(fail500, flaky, {}, { verdict: 'blocked', standing: null } as const),
  })
  .map(({ suite, probe, model, state }) => cell(`${suite}/${probe}@${model}`, state));

describe('acceptRun', () => {
  test('covers what was judged and nothing that was left out, and changes nothing the second time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(arbitraryCell, { selector: ({ key }) => key, minLength: 1 }),
        fc.constantFrom(null, '*@demo/*', 'a/*', 'b/q[x=1]'),
        async (cells, only) => {
          const inside =
            only === null
              ? cells
              : cells.filter(
                  ({ key }) =>
                    expectedOf({ file: '', covers: [{ cells: only, trials: null }], expect: [] }, key).kind === 'pass',
                );
          fc.pre(inside.length > 0);
          const text = textAfter(run(...cells), null, { today, only });
          const baseline = await read(text);
          for (const { key, verdict } of inside) {
            if (verdict === 'pass') expect(expectedOf(baseline, key).kind).toBe('pass');
            if (verdict === 'fail' || verdict === 'flaky') {
              expect(expectedOf(baseline, key)).toMatchObject({ entry: { verdict } });
            }
          }
          for (const left of cells.filter((one) => !inside.includes(one))) {
            expect(expectedOf(baseline, left.key).kind).toBe('new');
          }
          const again = cells.map((one) =>
            one.standing === null ? one : { ...one, standing: 'as_expected' as const },
          );
          expect(
            textAfter(run(...again.filter((one) => inside.some(({ key }) => key === one.key))), baseline, {
              today: '2027-01-01',
            }),
          ).toBe(text);
          const shuffled = [...cells].reverse();
          expect(textAfter(run(...shuffled), null, { today, only })).toBe(text);
        },
      ),
    );
  });
});

describe('a baseline that says nothing of the wire', () => {
  const quirk = { model: 'demo/m', standing: 'as_expected', only: null, seen: 4, of: 4 } as const;
  const seen: AcceptedRun = {
    ...run(cell('shop/chat@demo/m'), cell('shop/call@demo/m')),
    wire: [
      { ...quirk, quirk: 'id_missing', cells: ['shop/chat@demo/m', 'shop/call@demo/m'] },
      { ...quirk, quirk: 'tool_call_index_missing', cells: ['shop/call@demo/m'] },
    ],
  };
  const older = 'format: chatspec-baseline/1\ncovers:\n  - { cells: "*@demo/m", trials: 1 }\n';

  test('takes every quirk of the model, also when one cell is accepted by name: the others are no change', async () => {
    const text = textAfter(seen, await read(older), { today, only: 'shop/chat@demo/m' });
    expect((await read(text)).wire).toMatchObject([
      { model: 'demo/m', quirks: ['id_missing', 'tool_call_index_missing'] },
    ]);
  });

  test('from then on, takes the quirks of the cells that are named, and no others', async () => {
    const before = await read(`${older}wire:\n  - { model: demo/m, quirks: [] }\n`);
    const text = textAfter(seen, before, { today, only: 'shop/chat@demo/m' });
    expect((await read(text)).wire).toMatchObject([{ model: 'demo/m', quirks: ['id_missing'] }]);
  });
});

type Curve = readonly (readonly [number, number, number])[];

/** What a baseline says of the values below a threshold of 32. */
async function failsAt(below: Curve) {
  const curve: Curve = [...below, [32, 16, 16], [64, 1, 1]];
  const text = textAfter(run(cell('budget/schema@demo/m', { threshold: { value: 32, curve } })), null, { today });
  return (await read(text)).thresholds?.[0]?.fails_at;
}

test.each(tableIn('baseline', 'fails outright below') as readonly (readonly [string, Curve, number | 'none' | null])[])(
  'where a threshold fails outright below it: %s',
  async (_, below, expected) => {
    expect((await failsAt(below)) ?? null).toBe(expected);
  },
);
