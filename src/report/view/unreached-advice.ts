import type { ReportModel } from '../../matrix/report-format.js';
import { connectionAdvice, speaksOfTls } from './connection-advice.js';

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
  if (reason === 'model_not_found') {
    return 'Check the id; chatspec doctor names ids of the service that are near.';
  }
  if (kind === 'malformed_response' && reason === null) {
    if (holdsChoices.test(detail ?? ''))
      return 'The service was reached, but no client can read such an answer: ask whoever runs it, or a gateway in front of it.';
    if (isKnown)
      return 'This is no answer of a Chat Completions service, although the model has answered before: check whether a proxy or a login page answers in its place, and whether base_url was changed.';
    return 'This is no answer of a Chat Completions service: check base_url (often it ends in /v1), and whether a proxy or a login page answers in its place.';
  }
  if (reason === 'gateway') return 'Check base_url, the proxy and the gateway in front of the service.';
  return '';
}

/** What is said of a body that only a Chat Completions service sends. */
const holdsChoices = /^(?:choices\b|the body is a completion )/;

/** 404, and no word about the model: nothing takes requests at this address. */
function nothingThere(baseUrl: string): string {
  const { pathname, origin } = new URL(baseUrl);
  const asked = `${baseUrl}/chat/completions is answered with 404`;
  return pathname === '/'
    ? `base_url has no path, and ${asked}: write base_url: ${origin}/v1, or the path that the service documents.`
    : `Check base_url: ${asked}. It is what stands before /chat/completions; the service's documentation names it.`;
}
