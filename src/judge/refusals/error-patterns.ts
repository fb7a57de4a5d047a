import { accountPatterns } from './account-patterns.js';
import type { ErrorPattern } from './error-pattern.js';
import { snakeCase } from './field-names.js';
import type { RefusalFacts } from './refusal.js';
import { requestPatterns } from './request-patterns.js';

/** What can be refused, and how to recognise it. Other wordings are still recognised by status, code or field. */
const patterns = { ...accountPatterns, ...requestPatterns } as const;

type Meaning = keyof typeof patterns;

/** Whether a code or a type of the error has this meaning. */
export function codeMeans(meaning: Meaning, { codes, types }: RefusalFacts): boolean {
  const found = (patterns[meaning] as ErrorPattern).codes ?? [];
  const said = [...codes, ...types].flatMap((code) => [code, snakeCase(code)]);
  return said.some((code) => found.some((pattern) => pattern.test(code)));
}

/** Whether the field that the error names as refused has this meaning. */
export function fieldMeans(meaning: Meaning, { params }: RefusalFacts): boolean {
  const pattern = (patterns[meaning] as ErrorPattern).params;
  return pattern !== undefined && params.some((param) => pattern.test(param));
}

/** Whether the words of the error have this meaning. Names that the client chose are no words. */
export function wordsMean(meaning: Meaning, { text, prose }: RefusalFacts): boolean {
  const words = meaning in accountPatterns ? prose : text;
  return wordsOf(meaning).some((pattern) => pattern.test(words));
}

/** Where in the text the meaning first appears; -1 where it does not. */
export function indexOfMeaning(meaning: Meaning, text: string): number {
  const found = wordsOf(meaning)
    .map((pattern) => text.search(pattern))
    .filter((at) => at >= 0);
  return found.reduce((first, at) => (first < 0 || at < first ? at : first), -1);
}

function wordsOf(meaning: Meaning): readonly RegExp[] {
  return (patterns[meaning] as ErrorPattern).words ?? [];
}

/** Whether the error has this meaning by its codes, its field or its words. */
export function errorMeans(meaning: Meaning, facts: RefusalFacts): boolean {
  return codeMeans(meaning, facts) || fieldMeans(meaning, facts) || wordsMean(meaning, facts);
}
