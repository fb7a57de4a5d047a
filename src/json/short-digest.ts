import { hash } from 'node:crypto';

const letters = 'ghijklmnop';

/**
 * Sixteen letters of the SHA-256 of a text: enough to tell the texts of a run apart. Letters only, since digits in a row
 * may be redacted as a number.
 */
export function shortDigest(text: string): string {
  return hash('sha256', text, 'hex')
    .slice(0, 16)
    .replace(/\d/g, (digit) => letters.charAt(Number(digit)));
}
