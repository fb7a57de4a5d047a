import { hash } from 'node:crypto';

/**
 * All the randomness of one answer. It depends only on the parts it is made from,
 * so the order in which requests arrive changes no answer.
 */
interface SeededRandom {
  /** A number from 0 (inclusive) to 1 (exclusive), the same for the same label. */
  readonly fraction: (label: string) => number;
  /** A whole number from 0 (inclusive) to 2^32 (exclusive), for generators that want a seed. */
  readonly seed: (label: string) => number;
  /** Lower-case hexadecimal digits, 64 at most. */
  readonly hex: (label: string, digits: number) => string;
}

/** `parts`: the seed, the model and the trial (or what takes its place). */
export function seededRandom(parts: readonly (string | number)[]): SeededRandom {
  const root = parts.join('\u0000');
  // Digits, since they come at once, without a hash that is opened first.
  const digitsFor = (label: string): string => hash('sha256', `${root}\u0000${label}`, 'hex');
  return {
    fraction: (label) => parseInt(digitsFor(label).slice(0, 8), 16) / 2 ** 32,
    seed: (label) => parseInt(digitsFor(label).slice(8, 16), 16),
    hex: (label, digits) => digitsFor(label).slice(0, digits),
  };
}
