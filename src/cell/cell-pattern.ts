import { splitAtModel, withoutPoint } from './cell-key.js';

/**
 * A pattern over cell keys: `*` stands for any run of characters, everything else (brackets included) is literal.
 * A pattern without `[...]` means all points, one without `@...` all models.
 */
export type PatternTest = (key: string) => boolean;

/** Compiles a pattern once for many keys. Never fails; an empty pattern matches nothing. */
export function compilePattern(pattern: string): PatternTest {
  const { head, model } = splitAtModel(pattern);
  const headMatches = compileGlob(head);
  const modelMatches = model === null ? () => true : compileGlob(model);
  const allPoints = !head.includes('[');
  return (key) => {
    const cell = splitAtModel(key);
    return (
      modelMatches(cell.model ?? '') && (headMatches(cell.head) || (allPoints && headMatches(withoutPoint(cell.head))))
    );
  };
}

/** Whether the pattern covers the cell key. */
export function matches(pattern: string, key: string): boolean {
  return compilePattern(pattern)(key);
}

/** `*` stands for any run of characters and nothing else is special. Never backtracks: time is at most pieces times text. */
export function compileGlob(glob: string): (text: string) => boolean {
  const [first = '', ...rest] = glob.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  const least = glob.length - rest.length - 1;
  return (text) => {
    if (text.length < least || !text.startsWith(first) || !text.endsWith(last)) return false;
    // The leftmost place for each piece leaves the most room for the next, so no choice need be undone.
    let from = first.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, from);
      if (found === -1) return false;
      from = found + piece.length;
    }
    return from <= text.length - last.length;
  };
}
