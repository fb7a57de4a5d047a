import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from '../../json/json.js';

/** A request that the service received, for assertions. */
export interface LoggedRequest {
  readonly method: string;
  /** With the query, in which the values of credentials are left out. */
  readonly path: string;
  /** Lower-case names; without those that carry credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed; text that is not JSON is a string; null without a body, and for a body of more than a megabyte. */
  readonly body: Json;
  /** Of the answer; null while there is none, and where the connection breaks before it. */
  readonly status: number | null;
}

export interface RequestLog {
  /** Takes a request down, and returns how to add the answer's status. */
  readonly add: (
    request: Omit<LoggedRequest, 'status' | 'body'> & { readonly text: string },
  ) => (status: number) => void;
  /** Oldest first. */
  readonly requests: () => readonly LoggedRequest[];
  readonly clear: () => void;
}

/** Characters of a body, and of all that are kept. */
const longestBody = 2 ** 20;
const mostText = 16 * 2 ** 20;

interface Entry {
  readonly request: Omit<LoggedRequest, 'status' | 'body'>;
  /** Parsed when it is asked for, since most requests of a long run never are. */
  readonly text: string | null;
  status: number | null;
}

/** Keeps the newest `most` requests, and at most 16 MB of their bodies. */
export function createRequestLog(most: number): RequestLog {
  let entries: Entry[] = [];
  let size = 0;
  return {
    add: ({ text, ...request }) => {
      const entry: Entry = { request, text: text.length > longestBody ? null : text, status: null };
      entries.push(entry);
      size += entry.text?.length ?? 0;
      while (entries.length > most || size > mostText) size -= entries.shift()?.text?.length ?? 0;
      return (status) => {
        entry.status = status;
      };
    },
    requests: () => entries.map(({ request, text, status }) => ({ ...request, body: bodyOf(text), status })),
    clear: () => {
      [entries, size] = [[], 0];
    },
  };
}

function bodyOf(text: string | null): Json {
  if (text === null || text === '') return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

const secret = /auth|key|token|secret|cookie|password|credential/i;

/** The headers that carry no credential, lists joined by commas. */
export function harmlessHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || secret.test(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** A path with its query, without the values of credentials. */
export function harmlessPath(url: string): string {
  return url.replaceAll(/([?&])([^=&]*)=([^&]*)/g, (whole, mark: string, name: string) =>
    secret.test(name) ? `${mark}${name}=` : whole,
  );
}
