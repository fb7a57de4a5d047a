import type { Exchange } from '../../chat/exchange.js';

/** Headers that curl sends itself, or that hold the key. */
const notRepeated = new Set([
  'authorization',
  'content-type',
  'content-length',
  'host',
  'connection',
  'accept-encoding',
]);

/**
 * A command that sends the request again, with `$API_KEY` in place of the key, and `$X_TOKEN` in place of the secret value
 * of a header `x-token`. The body must be redacted already.
 */
export function curlLine(request: Exchange['request']): string {
  return `${curlHead(request)} ${quoted(JSON.stringify(request.body))}`;
}

/** The command up to its last word, which is the quoted body. */
export function curlHead({ url, headers, body }: Exchange['request']): string {
  const stream = typeof body === 'object' && body !== null && 'stream' in body && body.stream === true;
  const further = Object.entries(headers).filter(([name]) => !notRepeated.has(name));
  return [
    `curl -sS -i${stream ? ' -N' : ''} ${quoted(url)}`,
    `-H "Authorization: Bearer $API_KEY"`,
    `-H 'Content-Type: application/json'`,
    ...further.map(([name, value]) => `-H ${headerText(name, value)}`),
    '--data-raw',
  ].join(' \\\n  ');
}

/** A value that was masked as a whole is a credential, so it is read from a variable named after the header. */
function headerText(name: string, value: string): string {
  const isMasked = value === '***' || value === '[redacted]';
  return isMasked ? `"${name}: $${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}"` : quoted(`${name}: ${value}`);
}

/** Inside single quotes, a shell interprets nothing. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
