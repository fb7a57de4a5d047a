/** The first 32 bits of the fractional parts of roots of the first primes: square roots, then cube roots (FIPS 180-4). */
const primes = firstPrimes(64);
const initial = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const constants = primes.map((prime) => fraction(Math.cbrt(prime)));

/**
 * SHA-256 of a text in UTF-8, in lower-case hex. For places that have neither `node:crypto` nor time to wait for the Web
 * Crypto API, which answers only later.
 */
export function sha256(text: string): string {
  const bytes = padded(utf8(text));
  let state = initial;
  const words = new Int32Array(64);
  for (let block = 0; block < bytes.length; block += 64) state = compressed(state, bytes, block, words);
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function compressed(state: readonly number[], bytes: Uint8Array, block: number, words: Int32Array): number[] {
  const view = new DataView(bytes.buffer, block, 64);
  for (let at = 0; at < 16; at += 1) words[at] = view.getInt32(at * 4);
  const word = (at: number): number => words[at] ?? 0;
  for (let at = 16; at < 64; at += 1) {
    const [early, late] = [word(at - 15), word(at - 2)];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[at] = (word(at - 16) + first + word(at - 7) + second) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const next = (h + high + ((e & f) ^ (~e & g)) + (constants[at] ?? 0) + word(at)) | 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const other = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + next) | 0, c, b, a, (next + other) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((value, at) => ((state[at] ?? 0) + value) | 0);
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** A one bit, zeros, and the length in bits: whole blocks of 64 bytes. */
function padded(bytes: readonly number[]): Uint8Array {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const blocks = new Uint8Array(length);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(length - 4, bytes.length << 3);
  return blocks;
}

/** By hand, since a bare JavaScript engine has no TextEncoder. A lone surrogate becomes U+FFFD. */
function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const read = character.codePointAt(0) ?? 0;
    const code = read >= 0xd800 && read <= 0xdfff ? 0xfffd : read;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), trail(code, 0));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), trail(code, 6), trail(code, 0));
    else bytes.push(0xf0 | (code >> 18), trail(code, 12), trail(code, 6), trail(code, 0));
  }
  return bytes;
}

function trail(code: number, shift: number): number {
  return 0x80 | ((code >> shift) & 0x3f);
}

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 0x100000000) | 0;
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}
