import type { RefusalFacts } from './refusal.js';
import { signs, type Meaning, type Sign } from './error-patterns.js';

/** Whether a code or a type of the error carries this meaning. */
export function inCodes(meaning: Meaning, { codes, types }: RefusalFacts): boolean {
  const pattern = (signs[meaning] as Sign).codes;
  return pattern !== undefined && [...codes, ...types].some((code) => pattern.test(code));
}

/** Whether the error names a field of this meaning as the refused one. */
export function inParams(meaning: Meaning, { params }: RefusalFacts): boolean {
  const pattern = (signs[meaning] as Sign).params;
  return pattern !== undefined && params.some((param) => pattern.test(param));
}

/** Whether the words of the error carry this meaning. */
export function inWords(meaning: Meaning, { text }: RefusalFacts): boolean {
  return wordsAt(meaning, text) >= 0;
}

/** Where in the text the meaning first shows; -1 where it does not. */
export function wordsAt(meaning: Meaning, text: string): number {
  const pattern = (signs[meaning] as Sign).words;
  return pattern === undefined ? -1 : text.search(pattern);
}

export function shows(meaning: Meaning, facts: RefusalFacts): boolean {
  return inCodes(meaning, facts) || inParams(meaning, facts) || inWords(meaning, facts);
}
