import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff.js';

/** Applies a diff by the book: every context and removed line must be in the text where the header says. */
function patched(before: string, diff: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const lines = diff.split('\n').slice(2, -1);
  const result: string[] = [];
  let at = 0;
  for (const [index, line] of lines.entries()) {
    const [, from = '', count = ''] = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(line) ?? [];
    if (from !== '') {
      const start = Number(from) - (count === '0' ? 0 : 1);
      result.push(...old.slice(at, start));
      at = start;
      continue;
    }
    if (line.startsWith('\\')) continue;
    const text = line.slice(1) + (lines[index + 1]?.startsWith('\\') === true ? '' : '\n');
    if (!line.startsWith('+')) expect(old[at++]).toBe(text);
    if (!line.startsWith('-')) result.push(text);
  }
  return [...result, ...old.slice(at)].join('');
}

const anyText = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', '', '- d', '+ e', '@@ f'), { maxLength: 30 }), fc.boolean())
  .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''));

describe('unifiedDiff', () => {
  test('is empty for the same text', () => expect(unifiedDiff('f', 'a\n', 'a\n')).toBe(''));

  test('shows three lines around a change', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    expect(unifiedDiff('dir/f.yaml', before, before.replace('e\n', 'E\nF\n'))).toBe(
      '--- dir/f.yaml\n+++ dir/f.yaml\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+F\n f\n g\n h\n',
    );
  });

  test('shows a new file', () =>
    expect(unifiedDiff('f', null, 'a\nb')).toBe(
      '--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n',
    ));

  test('moves no more lines than it must', () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `entry ${index}`);
    const after = [...lines.slice(0, 10), 'new', ...lines.slice(11, 2000), ...lines.slice(2500)];
    const diff = unifiedDiff('f', `${lines.join('\n')}\n`, `${after.join('\n')}\n`)
      .split('\n')
      .slice(2);
    expect(diff.filter((line) => line.startsWith('-'))).toHaveLength(501);
    expect(diff.filter((line) => line.startsWith('+'))).toEqual(['+new']);
  });

  test('leads from one text to the other', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        fc.pre(before !== after);
        expect(patched(before, unifiedDiff('f', before, after))).toBe(after);
      }),
      { numRuns: 2000 },
    );
  });

  test('is what git applies', () => {
    const folder = mkdtempSync(join(tmpdir(), 'chatspec-diff-'));
    try {
      const [before, after] = ['a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n', 'a\nB\nc\nd\ne\nf\ng\nh\ni\nj'];
      writeFileSync(join(folder, 'f.yaml'), before);
      execFileSync('git', ['apply', '-p0', '-'], { cwd: folder, input: unifiedDiff('f.yaml', before, after) });
      expect(readFileSync(join(folder, 'f.yaml'), 'utf8')).toBe(after);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
