import type { Quirk } from './quirks.js';

/** The quirks of one answer, each once. */
interface QuirkList {
  readonly seen: readonly Quirk[];
  readonly note: (quirk: Quirk) => void;
}

/** A list, since most answers have no quirk, hardly one has five, and a Set takes several times as long to make. */
export function quirkList(): QuirkList {
  const seen: Quirk[] = [];
  return {
    seen,
    note: (quirk) => {
      if (!seen.includes(quirk)) seen.push(quirk);
    },
  };
}
