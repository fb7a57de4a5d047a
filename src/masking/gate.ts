import type { Needles } from './needles.js';

/** Characters by how rare they are in answers, the rarest first. Others count as rare. */
const common = 'QZJXKVWYGBHFPUMDLCRNSOIATE' + 'qzjxkvwygbhfpumdlcrnsoiate' + '9876543_-210';

/** A character that a text must contain, in one of these spellings. */
type Needed = readonly string[];

/**
 * A quick test whether a text can spell any needle letter by letter: it must contain every letter of one. Most texts lack
 * one, and then nothing else has to be looked at.
 */
export function lettersGate({ exact }: Needles): (text: string) => boolean {
  const groups = new Map<string, readonly Needed[]>();
  for (const { text, spelled, caseMatters } of exact) {
    const characters = [...new Set(caseMatters ? spelled : text)];
    characters.sort((one, other) => common.indexOf(one) - common.indexOf(other));
    const needed = characters.map((character) =>
      caseMatters ? [character] : [...new Set([character, character.toUpperCase()])],
    );
    groups.set(JSON.stringify(characters), needed);
  }
  const all = [...groups.values()];
  return (text) => all.some((group) => group.every((needed) => needed.some((spelling) => text.includes(spelling))));
}
