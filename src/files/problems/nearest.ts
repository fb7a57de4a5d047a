import { closest, distance } from 'fastest-levenshtein';
import { listedNames } from './near-names.js';

/** As many as any object of a suite or config has keys: whoever writes one that there is not needs all that there are. */
const mostInALine = 12;

/** The candidate that `word` probably misspells; null when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  const small = word.toLowerCase().slice(0, 200);
  // Any two words of one or two letters are near each other, so none of them helps.
  const farthest = small.length < 3 ? 0 : Math.max(1, Math.floor(small.length / 3));
  let best: { readonly candidate: string; readonly far: number } | null = null;
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - small.length) > farthest) continue;
    const other = candidate.toLowerCase();
    // Letters in the wrong order count as one mistake.
    const far = lettersOf(small) === lettersOf(other) ? 1 : distance(small, other);
    if (far <= farthest && (best === null || far < best.far)) best = { candidate, far };
  }
  return best?.candidate ?? null;
}

function lettersOf(word: string): string {
  return Array.from(word).sort().join('');
}

/** A hint: `did you mean "x"?`, or else the known names, if they are not too many; undefined when there are none. */
export function didYouMean(word: string, candidates: Iterable<string>, kind = 'known'): string | undefined {
  const names = [...candidates];
  const near = nearest(word, names);
  if (near !== null) return `did you mean "${near}"?`;
  if (names.length === 0) return undefined;
  return names.length > mostInALine ? listedNames(kind, names) : `${kind}: ${names.join(', ')}`;
}

/** A hint with the most similar candidate, however different it is; undefined when there are none. */
export function closestHint(word: string, candidates: readonly string[]): string | undefined {
  return candidates.length === 0 ? undefined : `did you mean "${closest(word, candidates)}"?`;
}
