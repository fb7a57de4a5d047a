import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alarmHead, fallers, foundHead, kinds, nameOf, sizes, tableOf, withTableOf } from '../../bench/later-tables.js';
import { markdownTable } from '../../bench/print-table.js';

const document = readFileSync(new URL('../../docs/how-chatspec-decides.md', import.meta.url), 'utf8');
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const named = (['ordinary', 'mixed'] as const satisfies readonly (keyof typeof kinds)[]).flatMap((kind) =>
  sizes.map(({ size }) => nameOf(size, kind)),
);

test('the nights with an alarm stand in the document, for each size and both kinds of cells, and are few', () => {
  const [head = '', , ...rows] = tableOf(document, 'false-nights').split('\n');
  expect(cellsOf(head)).toEqual([...alarmHead]);
  expect(rows.map((row) => cellsOf(row)[0])).toEqual(named);
  for (const row of rows) {
    const [, nights = '', alarms = ''] = cellsOf(row);
    expect(nights).toMatch(/^[\d,]+$/);
    const share = alarms === 'none' ? 0 : Number(/^\d+ \(([\d.]+) %\)$/.exec(alarms)?.[1]);
    expect(share, row).toBeLessThanOrEqual(0.4);
  }
});

test('what is found stands there as well, for one cell and for several', () => {
  const [head = '', , ...rows] = tableOf(document, 'found-later').split('\n');
  expect(cellsOf(head)).toEqual([...foundHead]);
  expect(rows.map((row) => cellsOf(row).slice(0, 2))).toEqual(
    [fallers.single, fallers.together].flatMap(({ name }) => named.map((cells) => [cells, name])),
  );
  for (const row of rows) expect(cellsOf(row)[2]).toMatch(/^\d+ %, \d+ %$/);
});

test('a table is written between its marks only, and nowhere where there are none', () => {
  const table = markdownTable(alarmHead, [['60', '1', 'none', 'none']]);
  const written = withTableOf(document, 'false-nights', table);
  expect(tableOf(written, 'false-nights')).toBe(table);
  expect(tableOf(written, 'found-later')).toBe(tableOf(document, 'found-later'));
  expect(() => withTableOf('# Another document', 'found-later', table)).toThrow('no place');
});
