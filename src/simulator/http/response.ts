import type { Json } from '../../json/json.js';

/** An answer to be sent, with its delays and the way in which the connection ends. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Written one by one. */
  readonly parts: readonly (string | Uint8Array)[];
  /** Written after the parts, over and over. */
  readonly repeat: { readonly part: string | Uint8Array; readonly times: number } | null;
  /** Milliseconds. */
  readonly delay: { readonly before: number; readonly between: number };
  readonly ending: 'end' | 'reset_before_headers' | 'reset_during_headers' | 'reset' | 'stall_before_headers' | 'stall';
}

export function httpResponse(
  status: number,
  headers: Readonly<Record<string, string>>,
  parts: HttpResponse['parts'],
): HttpResponse {
  return { status, headers, parts, repeat: null, delay: { before: 0, between: 0 }, ending: 'end' };
}

export function jsonResponse(status: number, body: Json): HttpResponse {
  return httpResponse(status, { 'content-type': 'application/json; charset=utf-8' }, [JSON.stringify(body)]);
}

/** The whole body as bytes. */
export function bodyBytes(parts: HttpResponse['parts']): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
