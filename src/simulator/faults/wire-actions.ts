import { gzipSync } from 'node:zlib';
import type { Do } from '../profiles/profile.js';
import { bytesOf, type Wire } from '../http/wire.js';

type Name =
  | 'status'
  | 'headers'
  | 'raw_body'
  | 'line_ends'
  | 'cut_body'
  | 'huge_body_mb'
  | 'gzip_bomb_mb'
  | 'endless'
  | 'drip_ms'
  | 'delay'
  | 'stall'
  | 'reset';

type WireActions = { readonly [K in Name]: (wire: Wire, value: Exclude<Do[K], undefined>) => Wire };

/** What a fault can make of an answer on its way. */
export const wireActions: WireActions = {
  status: (wire, status) => ({ ...wire, status }),
  headers: (wire, headers) => ({ ...wire, headers: merged(wire.headers, headers) }),
  raw_body: (wire, { text, base64 }) => ({ ...wire, parts: [text ?? Buffer.from(base64 ?? '', 'base64')] }),
  line_ends: (wire, ends) => ({
    ...wire,
    parts: wire.parts.map((part) =>
      typeof part === 'string' ? part.replaceAll('\n', ends === 'cr' ? '\r' : '\r\n') : part,
    ),
  }),
  cut_body: (wire, share) => {
    const bytes = bytesOf(wire.parts);
    return { ...wire, parts: [bytes.subarray(0, Math.floor(bytes.length * share))], ending: 'reset' };
  },
  huge_body_mb: (wire, megabytes) => ({ ...wire, repeat: { part: spaces, times: megabytes } }),
  gzip_bomb_mb: (wire, megabytes) => ({
    ...wire,
    headers: { ...wire.headers, 'content-encoding': 'gzip' },
    parts: [bomb(megabytes)],
  }),
  endless: (wire) => {
    const parts = wire.parts.slice(0, 2);
    return { ...wire, parts: parts.slice(0, 1), repeat: { part: parts[1] ?? ' ', times: Infinity } };
  },
  drip_ms: (wire, milliseconds) => ({
    ...wire,
    parts: [...bytesOf(wire.parts)].map((byte) => Uint8Array.of(byte)),
    delay: { ...wire.delay, between: milliseconds },
  }),
  delay: (wire, { before_ms: before = 0, between_ms: between = 0 }) => ({ ...wire, delay: { before, between } }),
  stall: (wire, when) =>
    when === 'before_headers' ? { ...wire, ending: 'stall_before_headers' } : { ...firstHalf(wire), ending: 'stall' },
  reset: (wire, when) => {
    if (when === 'before_headers') return { ...wire, ending: 'reset_before_headers' };
    if (when === 'during_headers') return { ...wire, ending: 'reset_during_headers' };
    return { ...firstHalf(wire), ending: 'reset' };
  },
};

const spaces = Buffer.alloc(2 ** 20, ' ');

/** A gzip file may consist of several; packing one megabyte and repeating it blocks nobody. */
function bomb(megabytes: number): Buffer {
  const one = gzipSync(spaces, { level: 9 });
  return Buffer.concat(Array.from({ length: megabytes }, () => one));
}

function merged(
  headers: Wire['headers'],
  changes: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string>> {
  const kept = new Map(Object.entries(headers));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) kept.delete(name);
    else kept.set(name, value);
  }
  return Object.fromEntries(kept);
}

function firstHalf(wire: Wire): Wire {
  if (wire.parts.length > 1) return { ...wire, parts: wire.parts.slice(0, Math.ceil(wire.parts.length / 2)) };
  const bytes = bytesOf(wire.parts);
  return { ...wire, parts: [bytes.subarray(0, Math.ceil(bytes.length / 2))] };
}
