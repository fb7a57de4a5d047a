import type { CutContent } from '../clue.js';

/** So many characters of white space at the end of a text are nobody's layout. */
const runawaySpace = 100;
/** Fewer are, where they are most of a short text. */
const leastSpace = 16;
/** A piece that comes so often, over so many characters, is no table and no list. */
const leastTimes = 5;
const repeatedCharacters = 100;
/** A short text is a repetition where the same fills half of it so often. */
const timesInShort = 8;
/** Of a megabyte of text, the rest shows no more. */
const longestEnd = 4000;
const longestPiece = 400;

/** The end of a text that was cut: white space, or one piece again and again; null: neither. */
export function runawayEnd(text: string): Extract<CutContent, { kind: 'white_space' | 'repetition' }> | null {
  const characters = text.length - text.trimEnd().length;
  if (characters >= runawaySpace || (characters >= leastSpace && 2 * characters >= text.length)) {
    return { kind: 'white_space', characters };
  }
  const trimmed = text.trimEnd();
  return repetitionIn(trimmed.slice(-longestEnd), trimmed.length);
}

function repetitionIn(end: string, whole: number): Extract<CutContent, { kind: 'repetition' }> | null {
  for (let length = 1; length <= Math.min(longestPiece, end.length / 2); length++) {
    const same = length + sameCharacters(end, length);
    const times = Math.floor(same / length);
    const isLong = times >= leastTimes && same >= repeatedCharacters;
    if (isLong || (times >= timesInShort && 2 * same >= whole)) return { kind: 'repetition', length, times };
  }
  return null;
}

/** How many characters at the end are the same as those so many places before them. */
function sameCharacters(text: string, distance: number): number {
  let count = 0;
  for (let at = text.length - 1; at >= distance && text[at] === text[at - distance]; at--) count += 1;
  return count;
}
