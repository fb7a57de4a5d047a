import { createContext, Script } from 'node:vm';
import { builtInMasked, mask, sign } from '../../masking/key-like.js';
import type { Masker } from '../../masking/masker.js';

/** Masks what must not leave the run folder. */
export interface Redact {
  (text: string): string;
  /**
   * true: neither the text nor any text of the JSON in it, in however many layers it is encoded, holds anything to mask. Much
   * faster than to decode and mask them one by one; absent: nobody knows.
   */
  readonly isClean?: (json: string) => boolean;
}

/** Milliseconds that the configured patterns may take for one text, and in total before they are given up. */
const timeLimit = { text: 250, sum: 2000 };

/**
 * A redactor for the configured patterns (regular expressions) besides the built-in ones.
 * If a pattern takes too long, the whole text is masked.
 * Throws a SyntaxError for an invalid pattern.
 * @param keys masks keys in use
 */
export function redactor(patterns: readonly string[] = [], keys?: Masker): Redact {
  const configured = patterns.length === 0 ? (text: string) => text : remembered(configuredPatterns(patterns));
  const known = (text: string) => keys?.mask(text) ?? text;
  const redact: Redact = (text) => configured(builtInMasked(known(text)));
  // A pattern may want the beginning or the end of a text, so it has to see each text as it is.
  if (patterns.length > 0) return redact;
  const isClean = (json: string) => !sign.test(json) && !escapedSign.test(json) && keys?.holds(json) !== true;
  return Object.assign(redact, { isClean });
}

/** How JSON can write a sign in other characters: by the codes of its letters, and with an escape for white space. */
const escapedSign = /\\u00[2-7]|(?:Bearer|Basic)\\/i;

/** Short texts (names, headers, prompts) are repeated often, and running patterns interruptibly is slow. */
function remembered(redact: Redact): Redact {
  const limit = { entries: 10_000, length: 400 };
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > limit.length) return redact(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= limit.entries) known.clear();
    const masked = redact(text);
    known.set(text, masked);
    return masked;
  };
}

/** Runs the patterns in a context that can be interrupted. */
function configuredPatterns(patterns: readonly string[]): Redact {
  for (const pattern of patterns) new RegExp(pattern, 'gu');
  const sandbox = createContext({ patterns: JSON.stringify(patterns), mask, text: '' });
  new Script('const compiled = JSON.parse(patterns).map((pattern) => new RegExp(pattern, "gu"))').runInContext(sandbox);
  const replaceAll = new Script('compiled.reduce((rest, pattern) => rest.replace(pattern, () => mask), text)');
  let wasted = 0;
  return (text) => {
    if (wasted >= timeLimit.sum) return '[redacted: a redact pattern is too slow]';
    sandbox['text'] = text;
    try {
      return String(replaceAll.runInContext(sandbox, { timeout: timeLimit.text }));
    } catch {
      wasted += timeLimit.text;
      return '[redacted: a redact pattern was too slow for this text]';
    }
  };
}
