import type { ReportModel } from '../../matrix/report-format.js';
import { connections } from './catalogue.js';
import { connectionAdvice, speaksOfTls } from './connection-advice.js';
import { say } from './message.js';

/**
 * What to check when a model did not answer its plain request; empty when its error says enough.
 * @param baseUrl the address that was asked; null for the embedded service
 * @param isKnown an earlier run reached the model, so that the address was right
 */
export function unreachedAdvice(
  { class: kind, reason, status, detail }: NonNullable<ReportModel['unreachable']>,
  baseUrl: string | null,
  isKnown = false,
): string {
  if (baseUrl !== null && (kind === 'transport' || speaksOfTls(detail ?? '')))
    return connectionAdvice(detail ?? '', baseUrl);
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
