import { urlOf } from '../../json/url-of.js';
import type { ReportModel } from '../../matrix/report-format.js';
import { configFor } from '../../judge/clue.js';
import { unmeasuredAdvice } from './advice-text.js';
import { texts } from './catalogue.js';
import { say } from './message.js';

const { connections } = texts;

/** One kind of failure to connect, and what to do about it; null: another kind of failure explains it. */
interface Remedy {
  readonly sign: RegExp;
  readonly advice: (address: URL, sign: RegExpExecArray) => string | null;
}

/** In order: the first sign that the failure shows decides. */
const connectionRemedies: readonly Remedy[] = [
  {
    sign: /\b(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/,
    advice: ({ host }) => say(connections.unknownAuthority, { host }),
  },
  { sign: /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/, advice: ({ host }) => say(connections.outOfDate, { host }) },
  {
    sign: /ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH/,
    advice: ({ hostname }) => say(connections.otherName, { hostname }),
  },
  {
    sign: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL/,
    advice: ({ host, protocol }) => (protocol === 'https:' ? say(connections.noTls, { host }) : null),
  },
  {
    sign: /HTTP request (?:was )?(?:sent )?to (?:an )?HTTPS|requires? (?:the use of )?TLS|speaking plain HTTP to an SSL/i,
    advice: ({ host }) => say(connections.tls, { host }),
  },
  {
    sign: /the proxy answered with HTTP (\d+)/,
    advice: ({ hostname }, [, status]) =>
      status === '407'
        ? say(connections.proxyLogin)
        : say(Number(status) >= 500 ? connections.proxyFails : connections.proxyRefuses, { hostname }),
  },
  {
    // A host or a port other than that of the service is the proxy's.
    sign: /\b(?:ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA)\b(?: (\S+?)(?=[\s)]|$))?/,
    advice: ({ hostname }, [, name]) =>
      name !== undefined && name !== hostname ? say(connections.proxy) : say(connections.unknownHost, { hostname }),
  },
  {
    sign: /\bECONNREFUSED\b(?: \S*:(\d+))?/,
    advice: (address, [, port]) =>
      port !== undefined && port !== portOf(address)
        ? say(connections.proxy)
        : say(connections.refused, { host: address.host }),
  },
  {
    sign: /closed the connection before an answer began|the answer is not HTTP/,
    advice: ({ host, protocol }) => (protocol === 'http:' ? say(connections.perhapsTls, { host }) : null),
  },
];

/**
 * What to do about a request that got no answer.
 * @param detail what the transport said
 * @param baseUrl the address of the service
 */
function connectionAdvice(detail: string, baseUrl: string): string {
  const address = urlOf(baseUrl);
  for (const { sign, advice } of address === null ? [] : connectionRemedies) {
    const found = sign.exec(detail);
    const said = found === null || address === null ? null : advice(address, found);
    if (said !== null) return said;
  }
  return say(connections.other);
}

/** Whether an answer says that the connection itself was of the wrong kind. */
function speaksOfTls(detail: string): boolean {
  return /HTTP request (?:was )?(?:sent )?to (?:an )?HTTPS|speaking plain HTTP to an SSL/i.test(detail);
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}

/**
 * What to check when a model did not answer its plain request; empty when its error says enough.
 * @param baseUrl the address that was asked; null for the embedded service
 * @param isKnown an earlier run reached the model, so that the address was right
 */
export function unreachedAdvice(
  { class: kind, reason, status, detail, clue }: NonNullable<ReportModel['unreachable']>,
  baseUrl: string | null,
  isKnown = false,
): string {
  if (clue !== undefined && configFor(clue) !== null) return unmeasuredAdvice({ class: kind, reason, clue });
  if (baseUrl !== null && (kind === 'transport' || speaksOfTls(detail ?? ''))) {
    return connectionAdvice(detail ?? '', baseUrl);
  }
  if (status !== null && status >= 300 && status < 400) return say(connections.redirect);
  if (baseUrl !== null && status === 404 && (reason === null || reason === 'unknown' || reason === 'gateway')) {
    return nothingThere(baseUrl);
  }
  if (reason === 'model_not_found') return say(connections.unknownModel);
  if (kind === 'malformed_response' && reason === null) {
    if (holdsChoices.test(detail ?? '')) return say(connections.unreadable);
    return say(isKnown ? connections.replaced : connections.otherService);
  }
  return reason === 'gateway' ? say(connections.gateway) : '';
}

/** What is said of a body that only a Chat Completions service sends. */
const holdsChoices = /^(?:choices\b|the body is a completion )/;

/** 404, and no word about the model: nothing takes requests at this address. */
function nothingThere(baseUrl: string): string {
  const { pathname, origin } = new URL(baseUrl);
  const url = `${baseUrl}/chat/completions`;
  return pathname === '/' ? say(connections.noPath, { url, origin }) : say(connections.wrongPath, { url });
}
