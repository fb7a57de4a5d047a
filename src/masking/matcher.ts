import { classChanges, type Needle } from './needles.js';

/** A part of a text that spells a needle, or a telling part of one. */
export interface Match {
  readonly from: number;
  readonly to: number;
  readonly whole: boolean;
}

export interface Matcher {
  /** Every match, in no particular order; letters of either case are the same. */
  readonly find: (text: string) => readonly Match[];
  /** Whether there is any match. */
  readonly any: (text: string) => boolean;
}

/** Characters of a piece that is looked up at once. */
const piece = 4;

/** A part of a key has at least this many characters. */
const shortestPart = 8;

/**
 * Searches for all needles in one pass: every match covers one of the pieces that are looked up, because they lie closer
 * together than the shortest needle is long.
 */
export function createMatcher(needles: readonly Needle[]): Matcher {
  if (needles.length === 0) return { find: () => [], any: () => false };
  const shortest = Math.min(shortestPart, ...needles.map(({ text }) => text.length));
  const stride = shortest - piece + 1;
  const known = new Uint8Array(0x10000);
  const places = new Map<number, { readonly needle: Needle; readonly at: number }[]>();
  for (const needle of needles) {
    for (let at = 0; at + piece <= needle.text.length; at += 1) {
      const hash = hashAt(needle.text, at);
      known[hash] = 1;
      const there = places.get(hash);
      if (there === undefined) places.set(hash, [{ needle, at }]);
      else there.push({ needle, at });
    }
  }

  function* matches(text: string): Generator<Match> {
    for (let at = 0; at + piece <= text.length; at += stride) {
      const hash = hashAt(text, at);
      if (known[hash] === 0) continue;
      for (const place of places.get(hash) ?? []) {
        const match = matchAround(text, at, place.needle, place.at);
        if (match !== null) yield match;
      }
    }
  }
  return {
    find: (text) => [...matches(text)],
    any(text) {
      for (let at = 0; at + piece <= text.length; at += stride) {
        // Nearly always nothing is known here, and this loop is all that happens.
        if (known[hashAt(text, at)] === 1) return matches(text).next().done !== true;
      }
      return false;
    },
  };
}

/** The longest run around a place in which text and needle are the same; null when it tells nothing. */
function matchAround(text: string, at: number, needle: Needle, needleAt: number): Match | null {
  const wanted = needle.text;
  let before = 0;
  while (
    before < needleAt &&
    before < at &&
    folded(text, at - before - 1) === wanted.charCodeAt(needleAt - before - 1)
  ) {
    before += 1;
  }
  let after = 0;
  while (needleAt + after < wanted.length && folded(text, at + after) === wanted.charCodeAt(needleAt + after)) {
    after += 1;
  }
  const length = before + after;
  const whole = length === wanted.length;
  if (!whole && !isTelling(needle, needleAt - before, length)) return null;
  return { from: at - before, to: at + after, whole };
}

/** Whether a part could be nothing else: half of the key, a long part, or one as mixed as only random texts are. */
function isTelling({ text, spelled, plain }: Needle, from: number, length: number): boolean {
  if (length < shortestPart) return false;
  if (length * 2 + 1 >= text.length || length >= 16) return true;
  return plain && length >= 10 && classChanges(spelled.slice(from, from + length)) >= 4;
}

function folded(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 65 && unit <= 90 ? unit + 32 : unit;
}

/** The same for both cases of a letter. */
function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = 0; index < piece; index += 1)
    hash = Math.imul(hash ^ (text.charCodeAt(at + index) | 32), 0x9e3779b1);
  return (hash >>> 16) & 0xffff;
}
