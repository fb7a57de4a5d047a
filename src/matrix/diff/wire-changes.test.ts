import { describe, expect, test } from 'vitest';
import type { ReportQuirk } from '../report-format.js';
import type { Pair } from './pair.js';
import { wireChangesOf } from './wire-changes.js';

const cell = 'shop/order@demo/m';

const quirk = (seen: number, of: number): ReadonlyMap<string, ReportQuirk> =>
  new Map([
    [
      'demo/m id_missing',
      {
        ...{ model: 'demo/m', quirk: 'id_missing', standing: 'as_expected', only: null, seen, of },
        ...{ cells: seen > 0 ? [cell] : [], breaks: ['support cannot find it'], exchange: null },
      } satisfies ReportQuirk,
    ],
  ]);

const pairOf = (base: readonly string[], head: readonly string[]): Pair =>
  ({ name: cell, base: { key: cell, quirks: base }, head: { key: cell, quirks: head } }) as unknown as Pair;

const none: ReadonlyMap<string, ReportQuirk> = new Map();
const appeared = [pairOf([], ['id_missing'])];
const vanished = [pairOf(['id_missing'], [])];

describe('a quirk that is the rule on one side and never shows on the other', () => {
  test('became the rule, or ended, with what it breaks and the cells that show it', () => {
    const facts = { model: 'demo/m', quirk: 'id_missing', seen: 5, of: 5, breaks: ['support cannot find it'] };
    expect(wireChangesOf(none, quirk(5, 5), appeared)).toEqual([
      { ...facts, change: 'became the rule', cells: [cell] },
    ]);
    expect(wireChangesOf(quirk(5, 5), none, vanished)).toEqual([{ ...facts, change: 'ended', cells: [cell] }]);
  });
});

test.each([
  ['it came and went', none, quirk(4, 5), appeared],
  ['it came and went before', quirk(1, 5), quirk(5, 5), appeared],
  ['too few answers show it', none, quirk(2, 2), appeared],
  ['no cell that both sides judged shows it on one side alone', none, quirk(5, 5), []],
  ['both sides have it', quirk(5, 5), quirk(5, 5), [pairOf(['id_missing'], ['id_missing'])]],
])('no change where %s', (_, base, head, pairs) => {
  expect(wireChangesOf(base, head, pairs)).toEqual([]);
});
