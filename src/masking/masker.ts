import { writtenJson } from '../json/json.js';
/** Replaces a credential. */
export const maskText = '***';

/**
 * Finds keys in texts: verbatim, escaped as in JSON, URL-encoded, in base64 and in hex, in either case of letters.
 * Other spellings are not looked for.
 */
export interface Masker {
  /** false when there is nothing to look for. */
  readonly active: boolean;
  /** @param cut the text ends too early, so that its end may be the beginning of a key */
  readonly mask: (text: string, cut?: boolean) => string;
  readonly holds: (text: string) => boolean;
}

/**
 * A shorter value is not a secret ("none", "EMPTY" and "ollama" are usual keys of local servers), and masking it
 * everywhere would only garble answers.
 */
const shortestSecret = 7;

/** A shorter end of a cut text tells nothing. */
const tellingBeginning = 6;

export function createMasker(secrets: readonly string[]): Masker {
  const keys = [...new Set(secrets)]
    .filter(({ length }) => length >= shortestSecret)
    // Of two keys with the same beginning, the longer is found.
    .sort((one, other) => other.length - one.length);
  if (keys.length === 0) return { active: false, mask: (text) => text, holds: () => false };
  const source = keys.flatMap(spellingsOf).join('|');
  const first = new RegExp(source, 'i');
  const every = new RegExp(source, 'gi');
  return {
    active: true,
    mask(text, cut = false) {
      const shown = first.test(text) ? text.replace(every, maskText) : text;
      return cut ? withoutBeginning(shown, keys) : shown;
    },
    holds: (text) => first.test(text),
  };
}

/** Finds what either of two finds, also what they come to know later. */
export function joinedMasker(one: Masker, other: Masker): Masker {
  return {
    get active() {
      return one.active || other.active;
    },
    mask: (text, cut) => other.mask(one.mask(text, cut), cut),
    holds: (text) => one.holds(text) || other.holds(text),
  };
}

function withoutBeginning(text: string, keys: readonly string[]): string {
  for (const key of keys) {
    for (let length = key.length - 1; length >= tellingBeginning; length -= 1) {
      if (text.endsWith(key.slice(0, length))) return text.slice(0, -length) + maskText;
    }
  }
  return text;
}

/** Sources of regular expressions. */
function spellingsOf(key: string): string[] {
  return [
    Array.from(key, spelledCharacter).join(''),
    Buffer.from(key, 'utf8').toString('hex'),
    ...base64Cores(key).map((core) => core.replace(/[+/]/g, (sign) => base64Signs[sign] ?? '')),
  ];
}

/** JSON within JSON doubles the backslashes; more layers than three are not looked into. */
const backslashes = String.raw`\\{1,8}`;

/** A character as it stands, as bytes of a URL, and as an escape of JSON. */
function spelledCharacter(character: string): string {
  const bytes = Buffer.from(character, 'utf8').toString('hex');
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at).toString(16));
  const ways = [
    escapedForPattern(character),
    bytes.replace(/../g, '%$&'),
    units.map((unit) => `${backslashes}u${unit.padStart(4, '0')}`).join(''),
  ];
  if (character === ' ') ways.push(String.raw`\+`);
  const escape = writtenJson(character).slice(2, -1);
  if (escape !== '') ways.push(backslashes + escapedForPattern(escape));
  if (character === '/') ways.push(`${backslashes}/`);
  return `(?:${ways.join('|')})`;
}

const base64Signs: Readonly<Record<string, string>> = {
  '+': `(?:${spelledCharacter('+')}|-)`,
  '/': `(?:${spelledCharacter('/')}|_)`,
};

function escapedForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** The characters of a base64 text that depend on the key alone, for its three possible offsets in a triple. */
function base64Cores(key: string): string[] {
  const bytes = Buffer.from(key, 'utf8');
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const trailing = (offset + bytes.length) % 3 === 0 ? 0 : 1;
    return text.slice(offset === 0 ? 0 : offset + 1, text.length - trailing);
  });
}

/** Words of every answer. As keys they would make each unreadable. */
const wireWords = [
  'choices',
  'message',
  'content',
  'assistant',
  'finish_reason',
  'tool_calls',
  'function',
  'arguments',
];

export function isWireWord(value: string): boolean {
  return wireWords.includes(value.toLowerCase());
}
