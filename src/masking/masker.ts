import { canonical, lettersOf, type Canonical } from './canonical.js';
import { entityName } from './entity-names.js';
import { lettersGate } from './gate.js';
import { createMatcher, type Matcher } from './matcher.js';
import { needlesOf } from './needles.js';
import { isWireWord } from './wire-words.js';

/** Replaces a credential. */
export const masked = '***';

/** A part of a text, from its first character to the one behind it. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Finds keys in texts, however they are spelled. */
export interface Masker {
  /** false when there is nothing to look for. */
  readonly active: boolean;
  readonly mask: (text: string) => string;
  /** Whether the text contains a whole secret in any spelling. */
  readonly holds: (text: string) => boolean;
  /**
   * What to mask, in order and without overlaps.
   * @param cut the text ends too early, so that its end may be the beginning of a secret
   */
  readonly ranges: (text: string, cut?: boolean) => readonly Range[];
  /** false: the text holds no secret, not even letter by letter with other text between. Costs next to nothing. */
  readonly mayHold: (text: string) => boolean;
  /** The same masker, but a part of a secret that also stands in this text is no part of a secret. */
  readonly knowing: (text: string) => Masker;
}

/** At the end of a cut text, the beginning of a secret is masked from this length on. */
const tellingBeginning = 6;

/** Longer texts are searched in pieces of this length, which overlap. */
const window = 1 << 17;
const overlap = 1 << 13;

const nothingToMask: Masker = {
  active: false,
  mask: (text) => text,
  holds: () => false,
  ranges: () => [],
  mayHold: () => false,
  knowing: () => nothingToMask,
};

/** Characters that may be written by a list of their codes, as in the log-probabilities of tokens. */
const codes = /\d{2,3}\s*,\s*\d{2,3}\s*,|\[\s*\d{2,3}\s*\]/;

/** Letters in disguise, or written as numbers in any way that readers know. */
const disguised = String.raw`&#|[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u2460-\u24ff\ud835]|\ud83c[\udd30-\udd49]`;
const escapedAscii = new RegExp(
  String.raw`\\u(?:0000)?00[2-7]|\\u\{|\\x[2-7]|\\[01][0-7]{2}|%[2-7][0-9a-f]|${disguised}|${entityName.source}`,
  'i',
);
const escaped = new RegExp(String.raw`\\u|\\x|\\[01][0-7]{2}|%[0-9a-f]{2}|${disguised}|${entityName.source}`, 'i');

/** A masker for secrets that are long enough to be secrets. Its searches take time in proportion to the text. */
export function createMasker(secrets: readonly string[]): Masker {
  const needles = needlesOf(secrets);
  if (needles.exact.length === 0) return nothingToMask;
  const exact = createMatcher(needles.exact);
  const letters = createMatcher(needles.letters);
  const asItStands = needles.spaced.length === 0 ? exact : createMatcher([...needles.exact, ...needles.spaced]);
  const spelledOut = lettersGate(needles);
  // Only escapes of ASCII matter to a key of ASCII; other languages are full of escapes.
  const ascii = secrets.every((secret) => /^[\0-\x7f]*$/.test(secret));
  const hidden = ascii ? escapedAscii : escaped;
  const beginnings = needles.exact.filter(({ plain }) => plain).map(({ text }) => text);

  const mayHold = (text: string): boolean =>
    asItStands.any(text) || spelledOut(text) || hidden.test(text) || codes.test(text);

  const found = (text: string, cut: boolean, familiar: string | null): Range[] => {
    const all: Range[] = [];
    const read = canonical(text);
    const search = (matcher: Matcher, { text: plain, from, to }: Canonical): void => {
      for (const match of matcher.find(plain)) {
        if (!match.whole && isFamiliar(plain.slice(match.from, match.to), familiar)) continue;
        all.push({ from: from[match.from] ?? 0, to: to[match.to - 1] ?? 0 });
      }
    };
    search(exact, read);
    if (needles.letters.length > 0) search(letters, lettersOf(read));
    if (cut) {
      const start = beginningOfSecret(read.text, beginnings);
      if (start !== null) all.push({ from: read.from[start] ?? 0, to: text.length });
    }
    return all;
  };

  const withFamiliar = (familiar: string | null): Masker => {
    const ranges = (text: string, cut = false): readonly Range[] => {
      if (!cut && !mayHold(text)) return [];
      const all: Range[] = [];
      for (let start = 0; start < text.length; start += window - overlap) {
        const end = Math.min(text.length, start + window);
        for (const { from, to } of found(text.slice(start, end), cut && end === text.length, familiar)) {
          all.push({ from: from + start, to: to + start });
        }
        if (end === text.length) break;
      }
      return merged(all);
    };
    return {
      active: true,
      mayHold,
      ranges,
      mask: (text) => without(text, ranges(text)),
      holds: (text) => mayHold(text) && holdsWhole(text),
      knowing: (text) => withFamiliar(text),
    };
  };
  const holdsWhole = (text: string): boolean => {
    for (let start = 0; start < text.length; start += window - overlap) {
      const read = canonical(text.slice(start, start + window));
      if (exact.find(read.text).some(({ whole }) => whole)) return true;
      if (letters.find(lettersOf(read).text).some(({ whole }) => whole)) return true;
    }
    return false;
  };
  return withFamiliar(null);
}

/** Whether a part of a key is also something else: a word of every answer, or of what was asked. */
function isFamiliar(part: string, familiar: string | null): boolean {
  return isWireWord(part) || (familiar !== null && canonical(familiar).text.includes(part));
}

/** Where the beginning of a secret stands at the end of a text; null when there is none. */
function beginningOfSecret(text: string, secrets: readonly string[]): number | null {
  const longest = Math.max(...secrets.map((secret) => secret.length));
  for (let from = Math.max(0, text.length - longest); from <= text.length - tellingBeginning; from += 1) {
    const end = text.slice(from);
    if (secrets.some((secret) => secret.startsWith(end))) return from;
  }
  return null;
}

function merged(ranges: readonly Range[]): readonly Range[] {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges].sort((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}

/** The text with each range masked. */
export function without(text: string, ranges: readonly Range[]): string {
  let shown = '';
  let at = 0;
  for (const { from, to } of ranges) {
    shown += text.slice(at, from) + masked;
    at = to;
  }
  return shown + text.slice(at);
}
