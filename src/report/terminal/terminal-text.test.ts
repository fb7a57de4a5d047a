import fc from 'fast-check';
import widthOf from 'string-width';
import { describe, expect, test } from 'vitest';
import wrapAnsi from 'wrap-ansi';
import { oneLine } from '../safe/escape.js';
import { fitted, linesOf, wrapped } from './terminal-text.js';

describe('wrapped text', () => {
  test('indents the lines after the first by two more', () => {
    expect(wrapped('one two three four', 10, ' ')).toEqual([' one two', '   three', '   four']);
  });

  test('uses every column of the first line', () => {
    expect(wrapped('abcd efgh ij', 9, '')).toEqual(['abcd efgh', '  ij']);
  });

  test('cuts words that are too long', () => {
    expect(wrapped('abcdefghij', 6, '')).toEqual(['abcdef', '  ghij']);
  });

  test.each(['', '  \n '])('has no lines for %j', (text) => {
    expect(wrapped(text, 40, '  ')).toEqual([]);
  });

  test('loses nothing and never exceeds the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 8, max: 40 }), (text, columns) => {
        const lines = wrapped(text, columns, '  ');
        expect(lines.join('').replaceAll(' ', '')).toBe(oneLine(text).normalize().replaceAll(' ', ''));
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

test('fitted text takes exactly the columns it is given', () => {
  expect(fitted('abc', 5)).toBe('abc  ');
  expect(fitted('abcdef', 5)).toBe('abcd…');
  expect(fitted('模型模型', 6)).toBe('模型… ');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer({ min: 4, max: 40 }), (text, columns) => {
      expect(widthOf(fitted(text, columns))).toBe(columns);
    }),
  );
});

test('lines end where the library ends them, whatever marks and letters they hold', () => {
  const mark = fc.constantFrom(...'ab  ·…–—’“”→⇄×≈±≤≥∞−─✓✗○●◐◆▲▼⊘⊗↯'.split(''), 'word ', '  ');
  const unit = fc.oneof({ weight: 20, arbitrary: mark }, fc.string({ unit: 'grapheme', maxLength: 1 }));
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (units, columns) => {
      const text = units.join('').normalize();
      expect(linesOf(text, columns)).toEqual(wrapAnsi(text, columns, { hard: true }).split('\n'));
    }),
    { numRuns: 2000 },
  );
});
