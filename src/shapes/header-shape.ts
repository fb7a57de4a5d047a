/** Headers by name, in lower case. */
type Headers = Readonly<Record<string, string>>;

/** Headers that the connection or the moment decides, and not the library. An agent names `libraries`. */
const passing = [
  /^(?:host|connection|keep-alive|content-length|accept-.*|transfer-encoding|expect|date|cookie|user-agent|te)$/,
  /^(?:proxy-.*|sec-.*|trace.*|baggage|b3|x-b3-.*|x-request-id|idempotency-key|x-stainless-package-version)$/,
];

/**
 * Headers that only report: the system, the runtime, how often the request was tried, which helper was called, how the
 * connection may go on. What the SDKs of Stainless add is of this kind, but for the language.
 */
const reporting = [
  /^x-stainless-(?!lang$)/,
  /^(?:upgrade|http2-settings)$/,
  /(?:^|-)(?:os|arch|platform|runtime|hostname|device|attempts?|retry|retries|tries|telemetry|metrics|helper)(?:-|$)/,
  /^(?:x-goog-api-client|amz-sdk-.*|x-amz-user-agent|x-ms-useragent|x-datadog-.*|sentry-.*|newrelic|uber-trace-id)$/,
];

const isPassing = (name: string): boolean => passing.some((one) => one.test(name));
const isReport = (name: string): boolean => reporting.some((one) => one.test(name));

/** Headers whose value is part of the shape. */
const distinctiveHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'accept',
  'x-stainless-lang',
  'authorization',
]);

/** The headers that a library decides, with values where these do not differ from run to run, and never keys. */
export function headerShape(headers: Headers): Headers {
  const names = Object.keys(headers).filter((name) => !isPassing(name) && !isReport(name));
  return Object.fromEntries(
    names.sort().map((name) => [name, distinctiveHeaders.has(name) ? (headers[name] ?? '') : 'string']),
  );
}

/** The names of the headers that only report. */
export function reportNames(headers: Headers): readonly string[] {
  return Object.keys(headers)
    .filter((name) => !isPassing(name) && isReport(name))
    .sort();
}

/** `OpenAI/JS 6.49.0`, `ai/5.0.1`, `ai-sdk/openai-compatible/1.0.2` */
const product = /([@A-Za-z][\w.@-]*(?:\/[@A-Za-z][\w.@-]*)*)[/ ]v?(\d+(?:\.\d+)*[\w.+-]*)/g;
/** Runtimes: a program runs on these. */
const runsOn = /^(?:runtime(?:\/.*)?|node(?:\.js)?|deno|bun|c?python|pypy|mozilla|java|jvm|kotlin|go|ruby|php|dart)$/i;
/** HTTP clients: they carry a request, whichever library makes it. */
const transportNames = [
  'undici|node-fetch|axios|got|(?:python-)?(?:urllib3?|requests|httpx|httpcore|aiohttp)',
  'go-http-client|fasthttp|resty|(?:java|apache)-http-?client(?:/.*)?|okhttp|jetty|reactornetty|netty',
  String.raw`ktor-client|jersey|vert\.x.*|curl|libcurl|wget|faraday|httpie`,
];
const transports = new RegExp(`^(?:${transportNames.join('|')})$`, 'i');

/** Names of the SDKs of Stainless, by their `x-stainless-lang`. */
const sdkLanguages: Readonly<Record<string, string>> = {
  js: 'OpenAI/JS',
  python: 'OpenAI/Python',
  go: 'OpenAI/Go',
  java: 'OpenAI/Java',
  kotlin: 'OpenAI/Java',
  ruby: 'OpenAI/Ruby',
};

/**
 * The libraries that a request names, with their versions: those of its agent, and the SDK beneath a library that puts
 * its own name there.
 */
export function librariesIn(headers: Headers): Readonly<Record<string, string>> {
  // Text in brackets is a comment, mostly about the machine.
  const agent = (headers['user-agent'] ?? '').replaceAll(/\([^)]*\)/g, ' ');
  const named = [...agent.matchAll(product)].map(
    ([, name = '', version = '']) => [productName(name), version] as const,
  );
  const libraries = named.filter(([name]) => !runsOn.test(name) && !transports.test(name));
  const beneath = sdkLanguages[headers['x-stainless-lang'] ?? ''];
  const version = headers['x-stainless-package-version'];
  const isNamed = beneath === undefined || version === undefined || libraries.some(([, named]) => named === version);
  return Object.fromEntries(isNamed ? libraries : [...libraries, [beneath, version]]);
}

/** A client that waits and one that does not are one library: `AsyncOpenAI/Python`, `OpenAIClientAsyncImpl/Java`. */
function productName(name: string): string {
  const [first = '', ...rest] = name.split('/');
  const plain = first
    .replace(/Async(?=[A-Z]|$)/, '')
    .replace(/(?:Async)?Impl$/, '')
    .replace(/(?<=[a-zA-Z])Client$/, '');
  return rest.length === 0 ? first : [plain || first, ...rest].join('/');
}

interface LockedEntry {
  readonly headers: Headers;
  readonly libraries: Readonly<Record<string, string>>;
}

/** An entry of an older lock as it is written today: what only reports stood among its headers. */
export function asWrittenNow<Entry extends LockedEntry>(entry: Entry): Entry {
  const libraries = Object.entries(entry.libraries)
    .map(([name, version]) => [productName(name), version] as const)
    .filter(([name]) => !transports.test(name));
  return { ...entry, headers: headerShape(entry.headers), libraries: Object.fromEntries(libraries) };
}
