import { splitAtModel, withoutPoint } from './cell-key.js';

/**
 * A pattern over cell keys: `*` stands for any run of characters, everything else (brackets included) is literal.
 * A pattern without `[...]` means all points, one without `@...` all models.
 */
type PatternTest = (key: string) => boolean;

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

/**
 * Compiles a glob in which only `*` is special: any run of characters. It never backtracks, so the time is at most
 * proportional to the number of pieces times the length of the text.
 */
export function compileGlob(glob: string): (text: string) => boolean {
  const [first = '', ...rest] = glob.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  const minLength = glob.length - rest.length - 1;
  return (text) => {
    if (text.length < minLength || !text.startsWith(first) || !text.endsWith(last)) return false;
    // The leftmost match of each piece leaves the most room for the rest, so backtracking is never needed.
    let from = first.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, from);
      if (found === -1) return false;
      from = found + piece.length;
    }
    return from <= text.length - last.length;
  };
}
