/** What the connection, the machine or the moment decides, and not the library. */
const passing =
  /^(?:host|connection|content-length|accept-encoding|accept-language|transfer-encoding|expect|date|cookie|keep-alive|proxy-.*|sec-.*|traceparent|tracestate|x-request-id|idempotency-key|x-stainless-(?:arch|os|runtime-version|retry-count))$/;

/** Headers whose value is part of the shape. */
const kept: ReadonlySet<string> = new Set(['content-type', 'accept', 'x-stainless-lang', 'x-stainless-runtime']);

/** The helper of the library that was called, and the limits that it sets: the shape of a value that is worth reading. */
const telling: Readonly<Record<string, RegExp>> = {
  'x-stainless-helper-method': /^[\w.]{1,60}$/,
  'x-stainless-timeout': /^\d+(?:\.\d+)?$/,
  'x-stainless-read-timeout': /^\d+(?:\.\d+)?$/,
};

/** `OpenAI/JS 6.49.0`, `ai/5.0.1`, `ai-sdk/openai-compatible/1.0.2` */
const product = /([@A-Za-z][\w.@-]*(?:\/[@A-Za-z][\w.@-]*)*)[/ ]v?(\d+(?:\.\d+)*[\w.+-]*)/g;
/** What the program runs on, rather than a library that makes requests. */
const runsOn = /^(?:runtime(?:\/.*)?|node(?:\.js)?|deno|bun|undici|python|mozilla)$/i;

/** The headers that a library decides, with values where they do not differ from run to run. Keys are never among them. */
export function headerShape(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = Object.keys(headers)
    .filter((name) => !passing.test(name))
    .sort();
  return Object.fromEntries(names.map((name) => [name, shownValue(name, headers[name] ?? '')]));
}

function shownValue(name: string, value: string): string {
  if (name === 'user-agent') return value.replace(product, '$1').slice(0, 200);
  if (name === 'authorization') return `${/^\w+(?= )/.exec(value)?.[0] ?? ''} string`.trim();
  if (telling[name]?.test(value) === true) return value;
  return kept.has(name) ? value.toLowerCase() : 'string';
}

/** The libraries that a request names, with their versions. */
export function librariesIn(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const agent = headers['user-agent'] ?? '';
  const named = [...agent.matchAll(product)].map(([, name = '', version = '']) => [name, version] as const);
  return Object.fromEntries(named.filter(([name]) => !runsOn.test(name)));
}
