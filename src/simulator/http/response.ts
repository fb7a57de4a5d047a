import { type Json, type JsonObject, writtenJson } from '../../json/json.js';

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
  return httpResponse(status, { 'content-type': 'application/json; charset=utf-8' }, [writtenJson(body)]);
}

/** The whole body as bytes. */
export function bodyBytes(parts: HttpResponse['parts']): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** A refusal with an error body in the usual Chat Completions form. */
export interface ServiceError {
  readonly status: number;
  readonly body: JsonObject;
}

/** `param` names the field at fault; null when there is none. */
export function serviceError(
  status: number,
  message: string,
  param: string | null = null,
  code: Json = null,
  type = 'invalid_request_error',
): ServiceError {
  return { status, body: { error: { message, type, param, code } } };
}

/** An answer as far as it will be sent. */
export interface SeenAnswer {
  /** Text of the request's body. */
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Without what is repeated at its end. */
  readonly body: Uint8Array;
  /** false: the connection breaks, hangs or goes on for ever. */
  readonly complete: boolean;
  /** How: `end` where it is complete. */
  readonly ending: HttpResponse['ending'] | 'endless';
}

export function seenAnswer(request: string, { status, headers, parts, repeat, ending }: HttpResponse): SeenAnswer {
  const complete = ending === 'end' && repeat === null;
  const how = repeat?.times === Infinity ? 'endless' : ending;
  return { request, status, headers, body: bodyBytes(parts), complete, ending: how };
}
