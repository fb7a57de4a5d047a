import { expect, test } from 'vitest';
import { aFinding, aModel, aPlannedCell } from '../../test/support/build.js';
import type { Finding } from '../decide/course.js';
import { flakyNeedsOf } from './report-cells.js';

const model = aModel('t/m');
const planned = (name: string, ...needs: string[]) =>
  aPlannedCell({ path: `s/${name}`, model, needs: needs.map((need) => `s/${need}@t/m`) });
const finding = (passed: number, total: number, changes: Partial<Finding> = {}): Finding => ({
  ...aFinding(passed, total - passed),
  ...(passed < total ? { class: 'schema_violation' as const, status: 200 } : {}),
  ...changes,
});
const refused = { class: 'http_error', reason: 'schema_rejected', status: 400 } as const;

function explained(need: Finding, cell: Finding): boolean | null {
  const findings = new Map([
    ['s/need@t/m', need],
    ['s/cell@t/m', cell],
  ]);
  return flakyNeedsOf([planned('need'), planned('cell', 'need')], findings).get('s/cell@t/m')?.explain ?? null;
}

test.each<[string, Finding, Finding, boolean | null]>([
  ['fails as often as its need', finding(7, 10), finding(20, 30), true],
  ['fails more often, but not clearly', finding(9, 10), finding(24, 30), true],
  ['fails clearly more often', finding(19, 20), finding(10, 30), false],
  ['always fails, where the need was asked twice', finding(1, 2), finding(0, 1), true],
  ['fails in another way of being wrong', finding(7, 10), finding(20, 30, { class: 'not_json' }), true],
  ['is refused', finding(7, 10), finding(20, 30, refused), false],
  ['is refused like its need', finding(7, 10, refused), finding(20, 30, refused), true],
  [
    'is refused for another reason',
    finding(7, 10, { ...refused, reason: 'server_error' }),
    finding(2, 3, refused),
    false,
  ],
  ['does not enforce', finding(7, 10), finding(0, 2, { class: 'not_enforced' }), false],
  ['passes', finding(7, 10), finding(30, 30), null],
  ['needs a cell that always passes', finding(10, 10), finding(20, 30), null],
  ['is blocked', finding(0, 10), finding(0, 0, { verdict: 'blocked' }), null],
])('a cell that %s', (_, need, cell, expected) => {
  expect(explained(need, cell)).toBe(expected);
});

test('the needs of needs count as well, and needs in a circle end', () => {
  const findings = new Map([
    ['s/first@t/m', finding(7, 10)],
    ['s/second@t/m', finding(3, 3)],
    ['s/third@t/m', finding(6, 10)],
  ]);
  const cells = [planned('first', 'third'), planned('second', 'first'), planned('third', 'second')];
  expect(flakyNeedsOf(cells, findings).get('s/third@t/m')).toEqual({ cells: ['s/first@t/m'], explain: true });
});
