import { gzipSync } from 'node:zlib';
import type { ActionsOn } from '../profiles/profile.js';
import { bodyBytes, type HttpResponse } from '../http/response.js';

/** What a fault can do to an answer as it is sent. */
export const responseActions: ActionsOn<HttpResponse> = {
  status: (response, status) => ({ ...response, status }),
  headers: (response, headers) => ({ ...response, headers: merged(response.headers, headers) }),
  raw_body: (response, { text, base64 }) => ({ ...response, parts: [text ?? Buffer.from(base64 ?? '', 'base64')] }),
  line_ends: (response, ends) => ({
    ...response,
    parts: response.parts.map((part) =>
      typeof part === 'string' ? part.replaceAll('\n', ends === 'cr' ? '\r' : '\r\n') : part,
    ),
  }),
  no_blank: (response) => ({
    ...response,
    parts: response.parts.map((part) => (typeof part === 'string' ? part.replaceAll(/^data: /gm, 'data:') : part)),
  }),
  cut_body: (response, share) => {
    const bytes = bodyBytes(response.parts);
    return { ...response, parts: [bytes.subarray(0, Math.floor(bytes.length * share))], ending: 'reset' };
  },
  huge_body_mb: (response, megabytes) => ({ ...response, repeat: { part: spaces, times: megabytes } }),
  gzip_bomb_mb: (response, megabytes) => ({
    ...response,
    headers: { ...response.headers, 'content-encoding': 'gzip' },
    parts: [bomb(megabytes)],
  }),
  endless: (response) => {
    const parts = response.parts.slice(0, 2);
    return { ...response, parts: parts.slice(0, 1), repeat: { part: parts[1] ?? ' ', times: Infinity } };
  },
  drip_ms: (response, milliseconds) => ({
    ...response,
    parts: [...bodyBytes(response.parts)].map((byte) => Uint8Array.of(byte)),
    delay: { ...response.delay, between: milliseconds },
  }),
  delay: (response, { before_ms: before = 0, between_ms: between = 0 }) => ({
    ...response,
    delay: { before, between },
  }),
  stall: (response, when) =>
    when === 'before_headers'
      ? { ...response, ending: 'stall_before_headers' }
      : { ...firstHalf(response), ending: 'stall' },
  reset: (response, when) => {
    if (when === 'before_headers') return { ...response, ending: 'reset_before_headers' };
    if (when === 'during_headers') return { ...response, ending: 'reset_during_headers' };
    return { ...(when === 'after_body' ? response : firstHalf(response)), ending: 'reset' };
  },
};

const spaces = Buffer.alloc(2 ** 20, ' ');

/** Gzip allows concatenation, so one compressed megabyte is repeated instead of compressing them all. */
function bomb(megabytes: number): Buffer {
  const one = gzipSync(spaces, { level: 9 });
  return Buffer.concat(Array.from({ length: megabytes }, () => one));
}

function merged(
  headers: HttpResponse['headers'],
  changes: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string>> {
  const kept = new Map(Object.entries(headers));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) kept.delete(name);
    else kept.set(name, value);
  }
  return Object.fromEntries(kept);
}

function firstHalf(response: HttpResponse): HttpResponse {
  if (response.parts.length > 1)
    return { ...response, parts: response.parts.slice(0, Math.ceil(response.parts.length / 2)) };
  const bytes = bodyBytes(response.parts);
  return { ...response, parts: [bytes.subarray(0, Math.ceil(bytes.length / 2))] };
}
