import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLinearPattern } from './linear-pattern.js';

describe('isLinearPattern', () => {
  test.each([
    '^[A-Z]{3}$',
    '^[a-z][a-z0-9_-]*$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^[A-Z]{2,20}-\\d{1,6}$',
    '^(?:red|green|blue)$',
    '^(?<year>\\d{4})(?:-\\d\\d)?$',
    '^\\p{L}+$',
    '^[\\w\\-]+\\_$',
    '^(?:ab)+$',
    '\\d{4}',
    '^a|^b+$',
    '',
    '^.{1,5000}$',
    '^[^\\]]*\\]$',
    '^\\u{1F600}*$',
    '^x-',
  ])('accepts %s', (pattern) => {
    expect(isLinearPattern(pattern)).toBe(true);
  });

  test.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '^a*a*$',
    'a+$',
    '\\d+x',
    '^a|b+$',
    '(^a)?b+$',
    '^(?:a?){30}a{30}$',
    '^(a|a){30}b$',
    '^(?:(?:a{0,9}){0,9}){0,9}b$',
    'a{5000}b',
    '^(?=a+$)a+b',
    '^(?<!a)b',
    '^(a)\\1*$',
    '^(?<a>a)\\k<a>$',
    '^(?i:a)$',
    '^a{,5}$',
    '^a**$',
    '(',
    'a)',
    '[a',
    `${'('.repeat(60)}a${')'.repeat(60)}`,
  ])('rejects %s', (pattern) => {
    expect(isLinearPattern(pattern)).toBe(false);
  });

  // Parts that match the same letters, which gives much to try, and ends that never match.
  const atom = fc.constantFrom('a', 'a', '.', '[ab]', '\\w', '[^!]', '\\b', '(?:)', '\\1', '(?=a)');
  const often = fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,3}', '{1,30}', '{3,}', '*?');
  const { pattern } = fc.letrec<{ pattern: string; part: string; sequence: string }>((tie) => ({
    pattern: fc
      .tuple(fc.constantFrom('', '^'), fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }))
      .chain(([start, parts]) =>
        fc.constantFrom('', '$', 'z', '[xyz]').map((end) => parts.map((one) => start + one + end).join('|')),
      ),
    sequence: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    part: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      fc.tuple(atom, often).map((pair) => pair.join('')),
      fc
        .tuple(fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }), often)
        .map(([parts, repeat]) => `(${parts.join('|')})${repeat}`),
    ),
  }));
  const pump = fc.array(fc.constantFrom('a', 'a', 'ab', 'aab', 'a-'), { minLength: 1, maxLength: 3 });

  test('accepted patterns end on hostile texts', () => {
    let promised = 0;
    fc.assert(
      fc.property(pattern, pump, fc.constantFrom('!', '\n', 'b'), (source, pieces, end) => {
        if (!isLinearPattern(source)) return;
        let compiled: RegExp;
        try {
          compiled = new RegExp(source, 'u');
        } catch {
          return;
        }
        promised++;
        const text = pieces.join('').repeat(50_000) + end;
        // A pattern that is not linear would not end.
        compiled.test(text);
      }),
      { numRuns: 6000, seed: 7 },
    );
    expect(promised).toBeGreaterThan(200);
  });
});
