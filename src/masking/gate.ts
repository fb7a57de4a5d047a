import type { Needle, Needles } from './needles.js';

/** Characters by how rare they are in answers, the rarest first. Others count as rare. */
const common = 'QZJXKVWYGBHFPUMDLCRNSOIATE' + 'qzjxkvwygbhfpumdlcrnsoiate' + '9876543_-210';

/**
 * A quick test whether a text can spell any needle, letter by letter and with anything between: it must contain all of
 * its letters, in their order. Nearly every answer lacks one, and then nothing else has to be looked at.
 */
export function lettersGate({ exact }: Needles): (text: string) => boolean {
  const tests = exact.map(spelledOutIn);
  return (text) => tests.some((test) => test(text));
}

function spelledOutIn({ text: folded, spelled, caseMatters }: Needle): (text: string) => boolean {
  const letters = Array.from(caseMatters ? spelled : folded);
  const both = letters.map((letter) => (caseMatters ? letter : letter.toUpperCase()));
  const rarest = Array.from(letters.keys()).sort(
    (one, other) => common.indexOf(letters[one] ?? '') - common.indexOf(letters[other] ?? ''),
  );
  const first = rarest[0] ?? 0;
  return (text) => {
    if (next(text, letters[first] ?? '', both[first] ?? '', 0) < 0) return false;
    let at = 0;
    for (let index = 0; index < letters.length; index += 1) {
      const found = next(text, letters[index] ?? '', both[index] ?? '', at);
      if (found < 0) return false;
      at = found + 1;
    }
    return true;
  };
}

/** Where either letter stands next; -1 for nowhere. */
function next(text: string, letter: string, other: string, from: number): number {
  const one = text.indexOf(letter, from);
  if (other === letter || one === from) return one;
  const two = text.indexOf(other, from);
  return one < 0 ? two : two < 0 ? one : Math.min(one, two);
}
