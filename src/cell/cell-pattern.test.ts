import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob, compilePattern } from './cell-pattern.js';

const key = 'tool-choice/order[tool_choice=object]@demo/sim-object-500';

describe('matches', () => {
  test.each([
    ['the key itself', key, true],
    ['without a point: all points', 'tool-choice/order@demo/sim-object-500', true],
    ['without a model: all models', 'tool-choice/order[tool_choice=object]', true],
    ['without either', 'tool-choice/order', true],
    ['everything', '*', true],
    ['every cell of a target, points included', '*@demo/*', true],
    ['another target', '*@other/*', false],
    ['a star inside the point', 'tool-choice/order[tool_choice=*]@demo/*', true],
    ['another label', 'tool-choice/order[tool_choice=auto]', false],
    ['brackets are literal, no character class', 'tool-choice/order[tool_choice=o]', false],
    ['a bracket left open is literal too', 'tool-choice/order[tool_choice=object', false],
    ['a star may match a bracket', '*=object]', true],
    ['a suite without its probe', 'tool-choice', false],
    ['all probes of a suite', 'tool-choice/*', true],
    ['only the beginning of a probe name', 'tool-choice/ord', false],
    ['a target and model without a probe', 'demo/sim-object-500', false],
    ['an empty pattern', '', false],
    ['a dot is a dot', 'tool.choice/order', false],
  ])('%s', (_, pattern, expected) => {
    expect(compilePattern(pattern)(key)).toBe(expected);
  });

  test('matches only cells with axes where the pattern has brackets', () => {
    expect(compilePattern('chat/plain@demo/m')('chat/plain@demo/m')).toBe(true);
    expect(compilePattern('chat/plain[*]@demo/m')('chat/plain@demo/m')).toBe(false);
    expect(compilePattern('chat/plain[*]@demo/m')('chat/plain[a=b]@demo/m')).toBe(true);
  });

  test('takes model ids literally, including slashes, brackets and other punctuation', () => {
    expect(compilePattern('*@demo/org/model')('chat/plain@demo/org/model')).toBe(true);
    expect(compilePattern('*@demo/*')('chat/plain@demo/@cf/model[beta]')).toBe(true);
    expect(compilePattern('chat/plain@demo/@cf/*')('chat/plain@demo/@cf/model')).toBe(true);
    expect(compilePattern('*cf')('chat/plain@demo/@cf')).toBe(false);
  });
});

/** The definition as a regular expression, which the matcher avoids because it backtracks. */
function byDefinition(glob: string, text: string): boolean {
  const source = glob.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('[\\s\\S]*')}$`, 'u').test(text);
}

const small = fc.string({ unit: fc.constantFrom('a', 'b', '[', ']', '=', '.', '/', '*'), maxLength: 8 });

describe('compileGlob', () => {
  test('agrees with the definition', () => {
    fc.assert(
      fc.property(small, small, (glob, text) => {
        expect(compileGlob(glob)(text)).toBe(byDefinition(glob, text));
      }),
      { numRuns: 2000 },
    );
  });

  test('matches whatever the stars replaced', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(small, small), { maxLength: 6 }), small, (parts, tail) => {
        const glob = parts.map(([literal]) => literal.replaceAll('*', 'x') + '*').join('') + tail.replaceAll('*', 'x');
        const text =
          parts.map(([literal, run]) => literal.replaceAll('*', 'x') + run).join('') + tail.replaceAll('*', 'x');
        expect(compileGlob(glob)(text)).toBe(true);
      }),
    );
  });

  test('stays fast with many stars', () => {
    const glob = `${'*a'.repeat(5_000)}*b`;
    expect(compileGlob(glob)('a'.repeat(100_000))).toBe(false);
    expect(compileGlob('*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b*')('a'.repeat(100_000))).toBe(false);
  });
});
