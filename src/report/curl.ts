import type { Exchange } from '../chat/exchange.js';

/** Headers that curl sends anyway, or that hold the key. */
const notRepeated = new Set([
  'authorization',
  'content-type',
  'content-length',
  'host',
  'connection',
  'accept-encoding',
]);

/** A command that sends the request again, with `$API_KEY` in place of the key. The body must be redacted already. */
export function curlLine({ url, headers, body }: Exchange['request']): string {
  const stream = typeof body === 'object' && body !== null && 'stream' in body && body.stream === true;
  const further = Object.entries(headers).filter(
    ([name, value]) => !notRepeated.has(name) && !/masked|redacted/.test(value),
  );
  return [
    `curl -sS -i${stream ? ' -N' : ''} ${quoted(url)}`,
    `-H "Authorization: Bearer $API_KEY"`,
    `-H 'Content-Type: application/json'`,
    ...further.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ');
}

/** Single quotes leave a shell nothing to interpret. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
