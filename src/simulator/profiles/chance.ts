import { createHash } from 'node:crypto';

/**
 * All the randomness of one answer. It depends on what it was made from and on nothing else,
 * so the order in which requests arrive changes no answer.
 */
export interface Chance {
  /** A number from 0 (inclusive) to 1 (exclusive), the same for the same label. */
  readonly share: (label: string) => number;
  /** A whole number from 0 (inclusive) to 2^32 (exclusive), for generators that want a seed. */
  readonly seed: (label: string) => number;
  /** Lower-case hexadecimal digits, 64 at most. */
  readonly hex: (label: string, digits: number) => string;
}

/** `parts`: the seed, the model and the trial (or whatever stands for it). */
export function chanceFrom(parts: readonly (string | number)[]): Chance {
  const root = parts.join('\u0000');
  const hash = (label: string): Buffer => createHash('sha256').update(`${root}\u0000${label}`).digest();
  return {
    share: (label) => hash(label).readUInt32BE(0) / 2 ** 32,
    seed: (label) => hash(label).readUInt32BE(4),
    hex: (label, digits) => hash(label).toString('hex').slice(0, digits),
  };
}
