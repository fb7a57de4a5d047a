import { compileGlob, compilePattern } from '../../cell/cell-pattern.js';

/** A cell as patterns see it. */
interface Named {
  readonly key: string;
  readonly capability: string;
}

/** Whether a cell is meant by one of the patterns: one with a slash selects keys, one without capability ids. */
export function selects(which: string | readonly string[]): (cell: Named) => boolean {
  const tests = (typeof which === 'string' ? [which] : which).map((pattern) => {
    const test = pattern.includes('/') ? compilePattern(pattern) : compileGlob(pattern);
    return (cell: Named) => test(pattern.includes('/') ? cell.key : cell.capability);
  });
  return (cell) => tests.some((test) => test(cell));
}
