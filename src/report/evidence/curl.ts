import type { Exchange } from '../../chat/exchange.js';

/** Headers that curl sends anyway, or that hold the key. */
const notRepeated = new Set([
  'authorization',
  'content-type',
  'content-length',
  'host',
  'connection',
  'accept-encoding',
]);

/**
 * A command that sends the request again, with `$API_KEY` in place of the key, and `$X_TOKEN` in place of what a header
 * `x-token` held in secret. The body must be redacted already.
 */
export function curlLine({ url, headers, body }: Exchange['request']): string {
  const stream = typeof body === 'object' && body !== null && 'stream' in body && body.stream === true;
  const further = Object.entries(headers).filter(([name]) => !notRepeated.has(name));
  return [
    `curl -sS -i${stream ? ' -N' : ''} ${quoted(url)}`,
    `-H "Authorization: Bearer $API_KEY"`,
    `-H 'Content-Type: application/json'`,
    ...further.map(([name, value]) => `-H ${headerText(name, value)}`),
    `--data-raw ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ');
}

/** What was masked as a whole is a credential as well: it comes from the variable that is named like the header. */
function headerText(name: string, value: string): string {
  const isMasked = value === '***' || value === '[redacted]';
  return isMasked ? `"${name}: $${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}"` : quoted(`${name}: ${value}`);
}

/** Single quotes leave a shell nothing to interpret. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
