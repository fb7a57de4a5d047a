import { urlOf } from '../json/url-of.js';
import {
  failureKindOf,
  type ConnectionFault,
  type TransportFailure,
  type TransportFailureKind,
} from '../chat/exchange.js';

/** The phase of an exchange in which it failed. */
export type Phase = 'connecting' | 'waiting' | 'receiving';

const during: Record<Phase, string> = {
  connecting: 'while connecting',
  waiting: 'before an answer began',
  receiving: 'in the middle of the answer',
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

/** A sentence: what happened, when, and the details (a code, a limit) in brackets. */
export function transportFailure(
  kind: TransportFailureKind,
  phase: Phase | null,
  details: string | null,
): TransportFailure {
  const when = phase === null || kind === 'connection_refused' || kind === 'dns' ? '' : ` ${during[phase]}`;
  return { kind, message: `${failureMessages[kind]}${when}${details === null ? '' : ` (${details})`}` };
}

/**
 * Turns an error of the network, of TLS or of undici into a failure. Its text is not masked yet.
 * @param origin the service that was asked: an error that names another host or port is one of the proxy
 */
export function transportFailureFrom(error: unknown, phase: Phase, origin: string): TransportFailure {
  const connection = connectionFaultIn(error, phase, urlOf(origin));
  return { ...describedFailure(error, phase), ...(connection !== null && { connection }) };
}

function describedFailure(error: unknown, phase: Phase): TransportFailure {
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  const kind = failureKindOf(code) ?? 'other';
  const tunnel = statusOfTunnel(error);
  if (tunnel !== null) return transportFailure(kind, phase, `the proxy answered with HTTP ${tunnel}`);
  const openssl = /:SSL routines:[^:]*:([^:]+):/.exec(text)?.[1];
  if (openssl !== undefined) return transportFailure(kind, phase, `${code}: ${openssl}`);
  const answered = isHttpParserError(error) ? 'the answer is not HTTP: ' : '';
  // Every text includes the empty code.
  const details = `${answered}${text.includes(code) ? text : `${code}: ${text}`}`;
  return transportFailure(kind, phase, details === '' ? null : details);
}

const certificateFaults: Readonly<Record<string, ConnectionFault>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_authority',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_authority',
  CERT_HAS_EXPIRED: 'certificate_date',
  CERT_NOT_YET_VALID: 'certificate_date',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name',
  HOSTNAME_MISMATCH: 'certificate_name',
  UND_ERR_PRX_TLS: 'proxy',
};

/** Errors of TLS by which another protocol is known. */
const noTlsCode = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL/;

function connectionFaultIn(error: unknown, phase: Phase, service: URL | null): ConnectionFault | null {
  const code = codeOf(error);
  const tunnel = statusOfTunnel(error);
  if (tunnel !== null) {
    if (tunnel === 407) return 'proxy_login';
    return tunnel >= 500 ? 'proxy_fails' : 'proxy_refuses';
  }
  const certificate = certificateFaults[code];
  if (certificate !== undefined) return certificate;
  const isTls = service?.protocol === 'https:';
  if (noTlsCode.test(code)) return isTls ? 'no_tls' : null;
  const kind = failureKindOf(code);
  if (kind === 'dns') return isAt(error, { hostname: service?.hostname }) ? 'unknown_host' : 'proxy';
  if (code === 'ECONNREFUSED') return isAt(error, { port: portOf(service) }) ? 'refused' : 'proxy';
  const isForeign = (kind === 'connection_reset' && phase === 'waiting') || isHttpParserError(error);
  return isForeign && !isTls ? 'no_http' : null;
}

/** Whether a network error names this host or port, or none. */
function isAt(error: unknown, { hostname, port }: { readonly hostname?: string | undefined; readonly port?: string }) {
  const place = causeWithCode(error) as { readonly hostname?: unknown; readonly port?: unknown } | null;
  if (hostname !== undefined && typeof place?.hostname === 'string' && place.hostname !== hostname) return false;
  return port === undefined || typeof place?.port !== 'number' || String(place.port) === port;
}

function portOf(url: URL | null): string {
  const usual = url?.protocol === 'https:' ? '443' : '80';
  return url === null || url.port === '' ? usual : url.port;
}

const isHttpParserError = (error: unknown): boolean => error instanceof Error && error.name === 'HTTPParserError';

/** The status with which a proxy refuses a tunnel, as undici writes it; null for another error. */
function statusOfTunnel(error: unknown): number | null {
  const status = /Proxy response \((\d+)\)/.exec(error instanceof Error ? error.message : '')?.[1];
  return status === undefined ? null : Number(status);
}

/** The code of the error or of its cause: several attempts to connect arrive as one AggregateError. */
function codeOf(error: unknown): string {
  return (causeWithCode(error) as { readonly code?: string } | null)?.code ?? '';
}

function causeWithCode(error: unknown): Error | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof AggregateError && error.errors.length > 0) return causeWithCode(error.errors[0]);
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && code !== 'UND_ERR' && code !== 'UND_ERR_INFO') return error;
  return causeWithCode(error.cause);
}
