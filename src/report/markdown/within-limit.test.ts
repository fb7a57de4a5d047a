import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentOf, type Section } from './within-limit.js';

const table = (rows: readonly (readonly string[])[]): Section => ({
  ...{ kind: 'table', title: '## T', head: ['a', 'b'], rows },
  after: 'below',
});

test('a table that fits is whole', () => {
  expect(documentOf([{ kind: 'text', text: '# Title' }, table([['1', '2']])])).toBe(
    '# Title\n\n## T\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nbelow\n',
  );
});

test('the last rows go first, and the document says how many', () => {
  const rows = Array.from({ length: 50 }, (_, index) => [String(index), 'x'.repeat(20)]);
  const text = documentOf([table(rows), table(rows)], 1800);
  const counts = [...text.matchAll(/(\d+) of 50 rows are left out/g)].map(([, number]) => Number(number));
  expect(counts).toEqual([expect.any(Number), 50]);
  expect(text).toContain(`| ${49 - counts[0]!} |`);
  expect(text).not.toContain(`| ${50 - counts[0]!} |`);
});

test('the document is never larger than its limit, as long as its texts fit', () => {
  const row = fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { minLength: 2, maxLength: 2 });
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 20 }), { maxLength: 4 }), fc.nat(3000), (tables, more) => {
      const most = 1000 + more;
      expect(Buffer.byteLength(documentOf(tables.map(table), most))).toBeLessThanOrEqual(most);
    }),
  );
});
