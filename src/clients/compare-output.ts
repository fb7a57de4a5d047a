import { isObject, type Json } from '../json/json.js';

/** Lines that a program prints with right answers; null for one that holds a time or a random number. */
export type StableLines = readonly (string | null)[];

/** Lines of a text, without what ends them. */
const outputLines = (text: string): readonly string[] => text.trimEnd().split(/\r?\n/);

/** The lines that two runs print alike; null where nothing is alike. */
export function stableLines(one: string, other: string): StableLines | null {
  const [lines, others] = [outputLines(one), outputLines(other)];
  if (lines.length !== others.length) return null;
  const stable = lines.map((line, index) => (line === others[index] ? line : null));
  return stable.some((line) => line !== null && line.trim() !== '') ? stable : null;
}

/** The calls in the answers that a program got, and in those that were right. */
export interface CallsHeld {
  readonly held: readonly Json[];
  readonly right: readonly Json[];
}

/**
 * The fault of a text: the first line that is not as it should be, or a lack; null where there is none. Where
 * the answers hold a call more often than the right ones, so may the text: a line that equals a right one is no wrong
 * value, and a call that is not printed is lost.
 */
export function outputFault(text: string, stable: StableLines, calls: CallsHeld): string | null {
  return calls.right.length > 0 && calls.held.length > calls.right.length
    ? repeatedFault(text, stable, calls)
    : firstDifference(outputLines(text), stable);
}

function firstDifference(lines: readonly string[], stable: StableLines): string | null {
  const wrong = lines.find((line, index) => stable[index] !== null && line !== stable[index]);
  if (wrong !== undefined) return wrong;
  return lines.length < stable.length ? missing(lines, stable) : null;
}

function missing(lines: readonly string[], stable: StableLines): string {
  return `prints ${lines.length} of ${stable.length} ${stable.length === 1 ? 'line' : 'lines'}`;
}

function repeatedFault(text: string, stable: StableLines, { held, right }: CallsHeld): string | null {
  const lines = outputLines(text);
  const wanted = stable.filter((line) => line !== null);
  const changing = (stable.length - wanted.length) * Math.ceil(held.length / right.length);
  const others = lines.filter((line) => !wanted.includes(line)).slice(changing);
  const whole = wanted.join('\n');
  const rightWords = new Set([...wordsOf(whole), String(held.length)]);
  // Two lists of arguments run together are neither.
  const isOdd = (line: string): boolean =>
    wordsOf(line).some((word) => !rightWords.has(word)) || (line.includes('}{') && !whole.includes('}{'));
  const odd = others.find(isOdd);
  if (odd !== undefined) return odd;
  if (others.length === 0 && wanted.some((line) => !lines.includes(line))) return missing(lines, stable);
  const shown = right
    .flatMap(leaves)
    .flatMap(wordsOf)
    .filter((word) => rightWords.has(word));
  const isLost = shown.length > 0 && shown.every((word) => times(word, text) <= times(word, whole));
  return isLost ? `prints fewer than ${held.length} calls` : null;
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];
const times = (word: string, text: string): number => wordsOf(text).filter((one) => one === word).length;

/** The texts and numbers in a value. */
function leaves(value: Json): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(leaves);
  return isObject(value) ? Object.values(value).flatMap((member) => leaves(member ?? null)) : [];
}
