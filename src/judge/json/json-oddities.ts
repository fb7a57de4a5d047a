import type { Quirk } from '../../chat/quirks.js';

/** Digits that a double rounds, or a number that is larger than every double and so an integer as well (1e400). */
function isBeyondDoubles(word: string): boolean {
  if (/^-?\d+$/.test(word)) return !Number.isSafeInteger(Number(word));
  return /^-?\d/.test(word) && !Number.isFinite(Number(word));
}

/** Oddities of valid JSON text that are lost once it is parsed. Takes linear time. */
export function jsonOddities(text: string): Quirk[] {
  const found = new Set<Quirk>();
  /** The members seen so far of each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  let before = '';
  let last: string | null = null;
  for (const [word] of text.matchAll(token)) {
    if (word === '{') open.push(new Set());
    else if (word === '[') open.push(null);
    else if (word === '}' || word === ']') open.pop();
    else if (word === ':' && last !== null && before === last) {
      const name = JSON.parse(last) as string;
      const members = open.at(-1);
      if (members?.has(name) === true) found.add('duplicate_keys');
      members?.add(name);
    } else if (isBeyondDoubles(word)) found.add('integer_beyond_2_53');
    last = word.startsWith('"') ? word : null;
    before = word;
  }
  return [...found];
}
