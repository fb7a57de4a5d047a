import type { ReportModel } from '../../matrix/report-format.js';
import { connectionAdvice, speaksOfTls } from './connection-advice.js';

/**
 * What to check when a model did not answer its plain request; empty when its error says enough.
 * @param baseUrl the address that was asked; null for the embedded service
 */
export function unreachedAdvice(
  { class: kind, reason, status, detail }: NonNullable<ReportModel['unreachable']>,
  baseUrl: string | null,
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
    return 'This is no answer of a Chat Completions service: check base_url (often it ends in /v1), and whether a proxy or a login page answers in its place.';
  }
  if (reason === 'gateway') return 'Check base_url, the proxy and the gateway in front of the service.';
  return '';
}

/** 404, and no word about the model: nothing takes requests at this address. */
function nothingThere(baseUrl: string): string {
  const { pathname, origin } = new URL(baseUrl);
  const asked = `${baseUrl}/chat/completions is answered with 404`;
  return pathname === '/'
    ? `base_url has no path, and ${asked}: write base_url: ${origin}/v1, or the path that the service documents.`
    : `Check base_url: ${asked}. It is what stands before /chat/completions; the service's documentation names it.`;
}
