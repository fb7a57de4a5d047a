import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import { readCondition } from '../../../test/support/read-condition.js';
import { capabilitiesOf } from '../capabilities.js';

type Labels = Readonly<Record<string, string>>;

const cell = (point: Labels, passed: number, total: number) =>
  aReportCell({
    point,
    verdict: passed === total ? 'pass' : passed === 0 ? 'fail' : 'flaky',
    trials: { passed, total },
  });

const product = ['auto', 'required', 'object'].flatMap((choice) =>
  ['default', 'enabled', 'disabled'].flatMap((thinking) =>
    ['512', '2048', '8192'].map((cap) => ({ choice, thinking, cap })),
  ),
);

function found(passes: (point: Labels) => boolean, points: readonly Labels[] = product) {
  return capabilitiesOf(points.map((point) => cell(point, passes(point) ? 3 : 0, 3)))[0];
}

const said = (...args: Parameters<typeof found>): string | null => found(...args)?.condition ?? null;

test.each<[string | null, (point: Labels) => boolean]>([
  ['not with choice=object', ({ choice }) => choice !== 'object'],
  ['only with thinking=disabled', ({ thinking }) => thinking === 'disabled'],
  ['cap >= 2048', ({ cap }) => Number(cap) > 1000],
  ['cap <= 2048', ({ cap }) => Number(cap) < 4000],
  [
    'not with choice=object and thinking=enabled together',
    (p) => p['choice'] !== 'object' || p['thinking'] !== 'enabled',
  ],
  [
    'not with thinking: default, enabled and cap <= 512 together',
    ({ thinking, cap }) => thinking === 'disabled' || cap !== '512',
  ],
  [
    'not with choice=object and only with thinking=disabled and cap >= 2048',
    ({ choice, thinking, cap }) => choice !== 'object' && thinking === 'disabled' && cap !== '512',
  ],
  [null, ({ cap }) => cap !== '2048'],
  [null, ({ choice, thinking, cap }) => choice !== 'object' || thinking !== 'enabled' || cap !== '512'],
  [null, () => false],
  [null, () => true],
])('%s', (text, passes) => {
  expect(said(passes)).toBe(text);
});

test('whatever is said is of the grammar, and exact over the judged cells', () => {
  fc.assert(
    fc.property(
      fc.subarray(product, { minLength: 2 }),
      fc.array(fc.boolean(), { minLength: 27, maxLength: 27 }),
      (asked, pass) => {
        const passing = new Set(asked.filter((_, index) => pass[index]));
        const text = said((point) => passing.has(point as (typeof product)[number]), asked);
        if (text === null) return;
        const read = readCondition(text);
        expect(asked.map((point) => ({ text, point, passes: read?.(point) }))).toEqual(
          asked.map((point) => ({ text, point, passes: passing.has(point) })),
        );
      },
    ),
  );
});

test('a probe without an axis is not excluded by it', () => {
  const cells = [cell({ stream: 'on' }, 0, 3), cell({ stream: 'off' }, 3, 3)];
  const text = (bare: number) => capabilitiesOf([...cells, cell({}, bare, 3)])[0]?.condition;
  expect(text(3)).toBe('not with stream=on');
  expect(text(0)).toBe('only with stream=off');
});

test('what is surely flaky lies outside, what may be reliable on either side', () => {
  const cells = [cell({ a: 'x' }, 0, 3), cell({ a: 'y' }, 10, 10), cell({ a: 'w' }, 10, 10)];
  const text = (flaky: number) => capabilitiesOf([...cells, cell({ a: 'z' }, flaky, 20)])[0]?.condition;
  expect(text(5)).toBe('only with a: y, w');
  expect(text(19)).toBe('not with a=x');
});

test('settings meet the condition, and are those of a point that passes', () => {
  expect(found(({ choice, cap }) => choice !== 'auto' && cap !== '512')?.toMeet).toEqual({
    choice: 'required',
    cap: '2048',
  });
  expect(found((p) => p['choice'] !== 'auto' || p['thinking'] !== 'default')?.toMeet).toEqual({
    choice: 'auto',
    thinking: 'enabled',
  });
});
