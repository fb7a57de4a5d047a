import type { IncomingHttpHeaders } from 'node:http';
import { jsonOrUndefined, type Json } from '../../json/json.js';
import { keyLikeMasked } from '../../masking/key-like.js';
import { decodedPart, type Mask, maskedJson } from '../../masking/mask-json.js';
import { createMasker } from '../../masking/masker.js';

/** A request that the service received, for assertions. */
export interface LoggedRequest {
  readonly method: string;
  /** With the query, in which the values of credentials are left out, as are keys wherever they stand. */
  readonly path: string;
  /** Lower-case names; without those that carry credentials, and without keys in the others. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Parsed and without keys; text that is not JSON is a string; null without a body, and for a body of more than a
   * megabyte.
   */
  readonly body: Json;
  /** Of the answer; null while there is none, and where the connection breaks before it. */
  readonly status: number | null;
}

interface RequestLog {
  /** Takes a request down, and returns how to add the answer's status. */
  readonly add: (
    request: Pick<LoggedRequest, 'method'> & {
      readonly url: string;
      readonly headers: IncomingHttpHeaders;
      readonly text: string;
    },
  ) => (status: number) => void;
  /** Oldest first. */
  readonly requests: () => readonly LoggedRequest[];
  readonly clear: () => void;
}

/** Characters of a body, and of all that are kept. */
const longestBody = 2 ** 20;
const mostText = 16 * 2 ** 20;

interface RequestLogEntry {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string | null;
  status: number | null;
}

/** Keeps the newest `most` requests, and at most 16 MB of their bodies. */
export function createRequestLog(most: number): RequestLog {
  let entries: RequestLogEntry[] = [];
  let size = 0;
  return {
    add: ({ text, ...request }) => {
      const entry: RequestLogEntry = { ...request, text: text.length > longestBody ? null : text, status: null };
      entries.push(entry);
      size += entry.text?.length ?? 0;
      while (entries.length > most || size > mostText) size -= entries.shift()?.text?.length ?? 0;
      return (status) => {
        entry.status = status;
      };
    },
    requests: () => entries.map(loggedRequest),
    clear: () => {
      [entries, size] = [[], 0];
    },
  };
}

/** Parsed and masked when it is asked for, since most requests of a long run never are. */
function loggedRequest({ method, url, headers, text, status }: RequestLogEntry): LoggedRequest {
  const mask = maskOf(headers, url);
  const read = text === null || text === '' ? null : (jsonOrUndefined(text) ?? text);
  const body = maskedJson(read, mask);
  return { method, path: harmlessPath(url, mask), headers: harmlessHeaders(headers, mask), body, status };
}

const secret = /auth|key|token|secret|cookie|password|credential/i;

/** Masks what looks like a key, and what this request sends as a credential. */
function maskOf(headers: IncomingHttpHeaders, url: string): Mask {
  const sent = Object.entries(headers).flatMap(([name, value]) => (secret.test(name) ? [value ?? []].flat() : []));
  const asked = [...new URL(url, 'http://loopback').searchParams].flatMap(([name, value]) =>
    secret.test(name) ? [value] : [],
  );
  const { mask } = createMasker([...sent.map((value) => value.replace(/^\w+ /, '')), ...asked]);
  return (text) => keyLikeMasked(mask(text));
}

/** The headers that carry no credential, lists joined by commas. */
function harmlessHeaders(headers: IncomingHttpHeaders, mask: Mask): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || secret.test(name) ? [] : [[mask(name), mask([value].flat().join(', '))]],
    ),
  );
}

/** A path with its query, without the values of credentials. */
function harmlessPath(url: string, mask: Mask): string {
  return url
    .replaceAll(/([?&])([^=&]*)=([^&]*)/g, (whole, mark: string, name: string) =>
      secret.test(name) ? `${mark}${name}=` : whole,
    )
    .replaceAll(/[^/?&=]+/g, (part) => {
      const read = decodedPart(part);
      return mask(read) === read ? part : mask(read);
    });
}
