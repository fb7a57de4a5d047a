import { canonical, lettersOf } from './canonical.js';

/** A spelling of a key that is searched for. */
export interface Needle {
  /** In the form of {@link canonical}. */
  readonly text: string;
  /** The spelling before letters became lower case; as long as the text, or empty where that is not known. */
  readonly spelled: string;
  /** Whether only one case of each letter gives this spelling, as in base64. */
  readonly caseMatters: boolean;
  readonly isHex: boolean;
  /** The key itself, forwards or backwards: long parts of it are masked, too. */
  readonly plain: boolean;
}

export interface Needles {
  readonly exact: readonly Needle[];
  /** Letters and digits alone, for a key that is taken apart by other characters. */
  readonly letters: readonly Needle[];
  /** Keys with white space or backslashes as they stand in a text, for a first look at it. */
  readonly spaced: readonly Needle[];
}

/**
 * A shorter value is not a secret ("none", "EMPTY" and "ollama" are usual keys of local servers), and masking it
 * everywhere would only garble answers.
 */
export const shortestSecret = 7;

/** Shorter spellings would be found by chance. */
const shortestNeedle = 5;

/** Letters and digits alone may also be words of a prompt, so only long and mixed ones are searched for. */
const shortestLetters = 12;

export function needlesOf(secrets: readonly string[]): Needles {
  const exact = new Map<string, Needle>();
  const letters = new Map<string, Needle>();
  const spaced: Needle[] = [];
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue;
    if (canonical(secret).text.length !== secret.length) {
      const ways = [secret, reversed(secret)].flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
      const texts = [...new Set(ways)].map((text) => text.toLowerCase());
      spaced.push(...texts.map((text) => ({ text, spelled: text, caseMatters: false, isHex: false, plain: true })));
    }
    for (const needle of spellingsOf(secret)) {
      if (needle.text.length >= shortestNeedle && !exact.has(needle.text)) exact.set(needle.text, needle);
      const { text } = lettersOf(canonical(needle.spelled));
      const mixed = needle.isHex || classChanges(lettersIn(needle.spelled)) >= 4;
      if (mixed && text.length >= shortestLetters && !needle.caseMatters && !letters.has(text)) {
        letters.set(text, { ...needle, text, spelled: '', plain: false });
      }
    }
  }
  return { exact: [...exact.values()], letters: [...letters.values()], spaced };
}

function* spellingsOf(secret: string): Generator<Needle> {
  const upper = secret.toUpperCase();
  const lower = secret.toLowerCase();
  const backwards = reversed(secret);
  for (const spelled of [secret, backwards]) yield needle(spelled, { plain: true });
  if (secret.includes(' ')) yield needle(secret.replaceAll(' ', '+'), { plain: true });
  for (const text of [secret, upper, lower, backwards]) {
    const hex = Buffer.from(text, 'utf8').toString('hex');
    for (const spelled of [hex, reversed(hex)]) yield needle(spelled, { isHex: true });
    for (const core of base64Cores(text)) {
      for (const spelled of [core, reversed(core)]) yield needle(spelled, { caseMatters: true });
    }
  }
}

function needle(spelled: string, kind: Partial<Pick<Needle, 'caseMatters' | 'isHex' | 'plain'>>): Needle {
  const { text } = canonical(spelled);
  const kinds = { caseMatters: false, isHex: false, plain: false, ...kind };
  return { text, spelled: text.length === spelled.length ? spelled : text, ...kinds };
}

function reversed(text: string): string {
  return Array.from(text).reverse().join('');
}

/** The characters of a base64 text that depend on the secret alone, for its three possible offsets in a triple. */
function base64Cores(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const trailing = (offset + bytes.length) % 3 === 0 ? 0 : 1;
    const core = text.slice(offset === 0 ? 0 : offset + 1, text.length - trailing);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function lettersIn(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

/** How often a text changes between lower case, upper case, digits and others: words seldom do, random keys often. */
export function classChanges(text: string): number {
  let changes = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (classOf(text.charCodeAt(at)) !== classOf(text.charCodeAt(at - 1))) changes += 1;
  }
  return changes;
}

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return 0;
  if (code >= 65 && code <= 90) return 1;
  return code >= 48 && code <= 57 ? 2 : 3;
}
