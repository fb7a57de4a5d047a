import type { Json } from '../json/json.js';
import failureCodes from './failure-codes.json' with { type: 'json' };

/** Why no complete answer arrived. */
export const transportFailureKinds = [
  'connection_refused',
  'connection_reset',
  'dns',
  'tls',
  'connect_timeout',
  'headers_timeout',
  'body_timeout',
  'total_timeout',
  'too_large',
  'redirect',
  'bad_encoding',
  'withheld',
  'interrupted',
  'other',
] as const;
export type TransportFailureKind = (typeof transportFailureKinds)[number];

/** The kind of failure that a code of the system, of TLS or of undici stands for; null for a code that nobody knows. */
export function failureKindOf(code: string): TransportFailureKind | null {
  const known: Readonly<Record<string, string>> = failureCodes;
  const named = Object.hasOwn(known, code) ? known[code] : undefined;
  const kind = transportFailureKinds.find((one) => one === named);
  return kind ?? (/^(?:ERR_TLS|ERR_SSL|CERT_)/.test(code) ? 'tls' : null);
}

/** The faults of a connection that an error can name. An advice follows from each. */
export const connectionFaults = [
  'certificate_authority',
  'certificate_date',
  'certificate_name',
  /** The other side does not speak TLS. */
  'no_tls',
  /** Without TLS: it closes before an answer, or what comes is no HTTP. */
  'no_http',
  'unknown_host',
  'refused',
  /** The error names the host or the port of the proxy. */
  'proxy',
  'proxy_login',
  'proxy_fails',
  'proxy_refuses',
] as const;
export type ConnectionFault = (typeof connectionFaults)[number];

export interface TransportFailure {
  readonly kind: TransportFailureKind;
  /** Absent: the error does not say, or an older version recorded it. */
  readonly connection?: ConnectionFault;
  /** One sentence for people; contains no credentials. */
  readonly message: string;
}

/** The answer of a service. It may be partial if the exchange failed, as when a stream is cut. */
export interface Answer {
  /** null: no status line arrived. */
  readonly status: number | null;
  /** Names in lower case; only those on the allow-list, credentials masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded body in the pieces in which it arrived: one for a plain answer, several for a stream. */
  readonly body: readonly string[];
  /** null when the answer arrived whole. */
  readonly failure: TransportFailure | null;
}

/** Whether a status is a 2xx; null, for an answer without a status line, is not. */
export function isSuccess(status: number | null): status is number {
  return status !== null && status >= 200 && status < 300;
}

/** When an exchange was over, in milliseconds since the epoch. */
export function endOf({ timing }: Exchange): number {
  return Date.parse(timing.started_at) + timing.total_ms;
}

/** One HTTP request and its answer, as recorded. */
export interface Exchange {
  readonly request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Json;
  };
  readonly answer: Answer;
  readonly timing: {
    /** ISO 8601, UTC. */
    readonly started_at: string;
    /** Milliseconds until the answer's headers; null when none came. */
    readonly headers_ms: number | null;
    /**
     * Milliseconds until each of the pieces of the body arrived; absent for a plain body of one piece, and where pieces
     * were joined to mask a key.
     */
    readonly pieces_ms?: readonly number[];
    /** Of the time until the first piece, the milliseconds in which the recording process was busy itself. */
    readonly busy_ms?: number;
    /** Milliseconds until the end of the answer, or until it failed. */
    readonly total_ms: number;
  };
}

/**
 * Whether a status says that the service, or a machine in front of it, has too much to do: 429 (RFC 6585), 503 (RFC
 * 9110; gateways throttle with it) and 529 (an overloaded site). The body is often an error page that says nothing.
 */
export function isLoadStatus(status: number | null): boolean {
  return status === 429 || status === 503 || status === 529;
}
