import type { TransportFailure, TransportFailureKind } from '../chat/exchange.js';

/** How far an exchange had come when it failed. */
export type Phase = 'connecting' | 'waiting' | 'receiving';

const during: Record<Phase, string> = {
  connecting: 'while connecting',
  waiting: 'before an answer began',
  receiving: 'in the middle of the answer',
};

const byCode: Record<string, TransportFailureKind> = {
  ECONNREFUSED: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  EADDRNOTAVAIL: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  ENODATA: 'dns',
  ESERVFAIL: 'dns',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'headers_timeout',
  UND_ERR_BODY_TIMEOUT: 'body_timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  EPROTO: 'tls',
  UND_ERR_PRX_TLS: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  HOSTNAME_MISMATCH: 'tls',
};

const failureMessages: Record<TransportFailureKind, string> = {
  connection_refused: 'the connection was refused',
  connection_reset: 'the other side closed the connection',
  dns: 'the host name could not be resolved',
  tls: 'no secure connection could be made',
  connect_timeout: 'no connection was made in time',
  headers_timeout: 'no answer began in time',
  body_timeout: 'the answer stalled for too long',
  total_timeout: 'the whole exchange took too long',
  too_large: 'the answer is too large',
  redirect: 'the service redirects to another address',
  bad_encoding: 'the answer cannot be decoded',
  withheld: 'the answer is not shown: a configured key in it could not be replaced',
  interrupted: 'the run was interrupted',
  other: 'the exchange failed',
};

/** One sentence: what happened, when, and the details (a code, a limit) in brackets. */
export function transportFailure(
  kind: TransportFailureKind,
  phase: Phase | null,
  details: string | null,
): TransportFailure {
  const when = phase === null || kind === 'connection_refused' || kind === 'dns' ? '' : ` ${during[phase]}`;
  return { kind, message: `${failureMessages[kind]}${when}${details === null ? '' : ` (${details})`}` };
}

/** Turns an error of the network, of TLS or of undici into a failure. Its text is not masked yet. */
export function transportFailureFrom(error: unknown, phase: Phase): TransportFailure {
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  const kind = byCode[code] ?? (/^(?:ERR_TLS|ERR_SSL|CERT_)/.test(code) ? 'tls' : 'other');
  const tunnel = /Proxy response \((\d+)\)/.exec(text)?.[1];
  if (tunnel !== undefined) return transportFailure(kind, phase, `the proxy answered with HTTP ${tunnel}`);
  const openssl = /:SSL routines:[^:]*:([^:]+):/.exec(text)?.[1];
  if (openssl !== undefined) return transportFailure(kind, phase, `${code}: ${openssl}`);
  const answered = error instanceof Error && error.name === 'HTTPParserError' ? 'the answer is not HTTP: ' : '';
  // Every text includes the empty code.
  const details = `${answered}${text.includes(code) ? text : `${code}: ${text}`}`;
  return transportFailure(kind, phase, details === '' ? null : details);
}

/** The code of the error or of its cause: several attempts to connect arrive as one AggregateError. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code } = error as { code?: unknown };
  const { cause } = error;
  if (typeof code === 'string' && code !== 'UND_ERR' && code !== 'UND_ERR_INFO') return code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(cause);
}
