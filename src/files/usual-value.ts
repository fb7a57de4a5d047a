import { nearest } from './problems/nearest.js';

/**
 * Whether a value is one of those in use, or nothing like them, where vendors add their own: one that is nearly among
 * them is probably a mistake.
 */
export function isUsual(usual: readonly string[], value: string): boolean {
  return usual.includes(value) || value.includes('{{') || nearest(value, usual) === null;
}
