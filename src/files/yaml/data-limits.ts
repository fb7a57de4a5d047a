/** Nobody writes files that nest deeper, and parsers overflow the stack at some thousand levels. */
const deepestNesting = 256;

/**
 * Where brackets or indentation nest too deeply, as an offset into the text; -1 when they do not. To be checked before
 * parsing, since the YAML parser can crash the process on such input. Brackets in strings count too; it would take
 * hundreds of unclosed ones to make a difference.
 */
export function tooDeepAt(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === openSquare || code === openCurly) {
      if (++depth > deepestNesting) return index;
    } else if ((code === closeSquare || code === closeCurly) && depth > 0) depth--;
  }
  // Each mark of `- - - -` and `? ? ?` opens a level, and each column of indentation may open one.
  const deepLine = /^(?:[-?] +| ){513}/m.exec(text);
  return deepLine?.index ?? -1;
}

const [openSquare, closeSquare, openCurly, closeCurly] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The most values that a file may hold when its aliases or `$ref`s are written out. */
export const largestExpansion = 200_000;

/**
 * The number of values in the data when shared parts count each time they are used. Takes time linear in the data
 * without repetition, so that an alias bomb is recognised at once.
 */
export function expandedSize(data: unknown, known = new Map<object, number>()): number {
  if (typeof data !== 'object' || data === null) return 1;
  const counted = known.get(data);
  if (counted !== undefined) return counted;
  let size = 1;
  for (const value of Object.values(data)) {
    size = Math.min(size + expandedSize(value, known), Number.MAX_SAFE_INTEGER / 2);
  }
  known.set(data, size);
  return size;
}
