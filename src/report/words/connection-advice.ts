import { urlOf } from '../../json/url-of.js';
import type { ReportModel } from '../../matrix/report-format.js';
import type { ConnectionFault } from '../../chat/exchange.js';
import { configFor } from '../../judge/clue.js';
import { unmeasuredAdvice } from './advice-text.js';
import { texts } from './catalogue.js';
import { say } from './message.js';

const { connections } = texts;

type UnreachedFailure = Omit<NonNullable<ReportModel['unreachable']>, 'detail'>;

/**
 * Advice about a request that got no answer.
 * @param fault null: the failure does not say why
 * @param baseUrl the address of the service
 */
function connectionAdvice(fault: ConnectionFault | null, baseUrl: string): string {
  const address = urlOf(baseUrl);
  if (fault === null || address === null) return say(connections.other);
  const { host, hostname } = address;
  switch (fault) {
    case 'certificate_authority':
      return say(connections.unknownAuthority, { host });
    case 'certificate_date':
      return say(connections.outOfDate, { host });
    case 'certificate_name':
      return say(connections.otherName, { hostname });
    case 'no_tls':
      return say(connections.noTls, { host });
    case 'no_http':
      return say(connections.perhapsTls, { host });
    case 'unknown_host':
      return say(connections.unknownHost, { hostname });
    case 'refused':
      return say(connections.refused, { host });
    case 'proxy':
      return say(connections.proxy);
    case 'proxy_login':
      return say(connections.proxyLogin);
    case 'proxy_fails':
      return say(connections.proxyFails, { hostname });
    case 'proxy_refuses':
      return say(connections.proxyRefuses, { hostname });
  }
}

/**
 * Things to check when a model did not answer its plain request; empty when its error says enough.
 * @param baseUrl the address that was asked; null for the embedded service
 * @param isKnown an earlier run reached the model, so that the address was right
 */
export function unreachedAdvice(
  { class: kind, reason, status, clue }: UnreachedFailure,
  baseUrl: string | null,
  isKnown = false,
): string {
  if (clue !== undefined && configFor(clue) !== null) return unmeasuredAdvice({ class: kind, reason, clue });
  if (baseUrl !== null && kind === 'transport') {
    return connectionAdvice(clue?.kind === 'connection' ? clue.fault : null, baseUrl);
  }
  if (baseUrl !== null && clue?.kind === 'wants_tls') return say(connections.tls, { host: new URL(baseUrl).host });
  if (status !== null && status >= 300 && status < 400) return say(connections.redirect);
  if (baseUrl !== null && status === 404 && (reason === null || reason === 'unknown' || reason === 'gateway')) {
    return nothingThere(baseUrl);
  }
  if (reason === 'model_not_found') return say(connections.unknownModel);
  if (kind === 'malformed_response' && reason === null) {
    if (clue?.kind === 'broken_completion') return say(connections.unreadable);
    return say(isKnown ? connections.replaced : connections.otherService);
  }
  return reason === 'gateway' ? say(connections.gateway) : '';
}

/** Advice where a plain request brought no usable answer: with the address, else about what failed. */
export function plainRequestAdvice(failure: UnreachedFailure, baseUrl: string | null): string {
  return unreachedAdvice(failure, baseUrl) || unmeasuredAdvice(failure);
}

/** 404, and no word about the model: nothing takes requests at this address. */
function nothingThere(baseUrl: string): string {
  const { pathname, origin } = new URL(baseUrl);
  const url = `${baseUrl}/chat/completions`;
  return pathname === '/' ? say(connections.noPath, { url, origin }) : say(connections.wrongPath, { url });
}
