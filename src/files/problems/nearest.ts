import { distance } from 'fastest-levenshtein';

/** The candidate that a typing slip would turn into `word`, or null when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  const small = word.toLowerCase().slice(0, 200);
  // Of one or two letters any other two are near, and none of them helps.
  const reach = small.length < 3 ? 0 : Math.max(1, Math.floor(small.length / 3));
  let best: { readonly candidate: string; readonly far: number } | null = null;
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - small.length) > reach) continue;
    const other = candidate.toLowerCase();
    // Letters in the wrong order are one slip, however many places they cost.
    const far = lettersOf(small) === lettersOf(other) ? 1 : distance(small, other);
    if (far <= reach && (best === null || far < best.far)) best = { candidate, far };
  }
  return best?.candidate ?? null;
}

function lettersOf(word: string): string {
  return Array.from(word).sort().join('');
}

/** `did you mean "x"?`, else the known names, else nothing to say. */
export function didYouMean(word: string, candidates: Iterable<string>, kind = 'known'): string | undefined {
  const names = [...candidates];
  const near = nearest(word, names);
  if (near !== null) return `did you mean "${near}"?`;
  if (names.length === 0) return undefined;
  const more = names.length > 20 ? `, and ${names.length - 20} more` : '';
  return `${kind}: ${names.slice(0, 20).join(', ')}${more}`;
}
