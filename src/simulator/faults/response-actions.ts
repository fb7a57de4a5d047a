import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { remembered } from '../../json/remembered.js';
import { bodyBytes, httpResponse, type HttpResponse } from '../http/response.js';
import type { ActionsOn } from '../profiles/profile.js';

/** Faults of an answer as it is sent. */
export const responseActions: ActionsOn<HttpResponse> = {
  status: (response, status) => ({ ...response, status }),
  headers: (response, headers) => ({ ...response, headers: changedHeaders(response.headers, headers) }),
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

function changedHeaders(
  headers: HttpResponse['headers'],
  changes: Readonly<Record<string, string | null>>,
): Readonly<Record<string, string>> {
  const kept = new Map(Object.entries(headers));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) {
      kept.delete(name);
    } else {
      kept.set(name, value);
    }
  }
  return Object.fromEntries(kept);
}

function firstHalf(response: HttpResponse): HttpResponse {
  if (response.parts.length > 1) {
    return { ...response, parts: response.parts.slice(0, Math.ceil(response.parts.length / 2)) };
  }
  const bytes = bodyBytes(response.parts);
  return { ...response, parts: [bytes.subarray(0, Math.ceil(bytes.length / 2))] };
}

/** Returns the recorded answer of a file. */
type ReplayedAnswers = (file: string) => HttpResponse;

/**
 * Reads recorded answers, each once, from the first of the folders that has them. The function it returns throws when a
 * file is missing or lies outside the folders.
 */
export function replayedAnswersIn(...folders: readonly string[]): ReplayedAnswers {
  return remembered(1000, (file: string) => {
    const inside = folders.map((folder) => [resolve(folder), resolve(folder, file)] as const);
    const paths = inside.filter(([folder, path]) => path.startsWith(`${folder}/`)).map(([, path]) => path);
    const path = paths.find((candidate) => existsSync(candidate)) ?? paths[0];
    if (path === undefined) throw new TypeError(`${file} lies outside ${folders.join(', ')}`);
    return parseRecorded(readFileSync(path, 'latin1'));
  });
}

/** Keeps only the content type; the other headers belong to the recorded connection. */
function parseRecorded(recorded: string): HttpResponse {
  const end = recorded.search(/\r?\n\r?\n/);
  const head = recorded.slice(0, end);
  const body = recorded.slice(end).replace(/^\r?\n\r?\n/, '');
  const status = Number(/^HTTP\/\S+ (\d{3})/.exec(head)?.[1] ?? 200);
  const type = /^content-type:\s*(.*?)\s*$/im.exec(head)?.[1] ?? 'application/json';
  return httpResponse(status, { 'content-type': type }, [Buffer.from(body, 'latin1')]);
}
