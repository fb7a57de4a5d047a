import type { Dispatcher } from 'undici';
import type { Exchange } from '../chat/exchange.js';
import type { TargetConfig } from '../config/config.js';
import type { Json } from '../json/json.js';
import { jsonText } from '../json/json-text.js';
import { answerMemory, type AnswerMemory } from './answer-memory.js';
import { openDispatcher, proxySecrets, type Proxies } from './dispatcher.js';
import { exchangeOnce, type RawAnswer, type TimeOuts } from './exchange-once.js';
import { holdsKey } from '../masking/holds-key.js';
import { createMasker, type Masker } from '../masking/masker.js';
import { idsIn } from './model-list.js';
import { recordedAnswerHeaders, recordedRequestHeaders } from './masking/recorded-headers.js';
import { SecretInBody } from './masking/secret-in-body.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { anObject, aText, aWhole } from '../options/kinds.js';
import { aTarget } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';

/** Secrets that only the target may receive. */
export interface TransportCredentials {
  /** Sent with every request, the `authorization` header included. */
  readonly headers: Readonly<Record<string, string>>;
  /** The target's own keys. They are masked wherever they appear in what is recorded. */
  readonly secrets: readonly string[];
  /** Keys that this target must never receive. They are masked, too. */
  readonly foreignSecrets?: readonly string[];
}

export interface TransportOptions {
  /** The address of the target where it differs from its `baseUrl` (the embedded service). */
  readonly baseUrl?: string;
  /** Default: no proxy. */
  readonly proxies?: Proxies;
  /** Further certificate authorities, in PEM. */
  readonly ca?: string;
  /** Bytes of an answer's body after decompression; default 32 MiB. */
  readonly maxBodyBytes?: number;
  /** Milliseconds; default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds until an answer begins; default: the target's time-out for the whole exchange. */
  readonly headersTimeoutMs?: number;
  /** Milliseconds between two pieces of a body; default: the target's time-out for the whole exchange. */
  readonly bodyTimeoutMs?: number;
  /** Default: that of the process. */
  readonly memory?: AnswerMemory;
}

const optionTable: OptionTable<TransportOptions> = {
  ...{ baseUrl: aText, proxies: anObject, ca: aText, memory: anObject },
  ...{ maxBodyBytes: aWhole(1), connectTimeoutMs: aWhole(0), headersTimeoutMs: aWhole(0), bodyTimeoutMs: aWhole(0) },
};

/** The connections to one target. */
export interface Transport {
  /**
   * POSTs the body to `{baseUrl}/chat/completions` and records the exchange, with credentials masked. A network error is
   * never thrown: it is the `failure` of the exchange. Rejects with SecretInBody, and sends nothing, when the body
   * contains a credential.
   * @param extra `sent` is called when the request has been handed to the operating system; `over` settles when nothing
   * needs the answer any more (default: at once), and until then a large one may keep other large ones waiting
   */
  send(
    body: Json,
    extra?: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly sent?: () => void;
      readonly over?: Promise<void>;
    },
    signal?: AbortSignal,
  ): Promise<Exchange>;
  /**
   * The ids that `GET {baseUrl}/models` lists, with credentials masked; null where the service has no such list. Never
   * rejects.
   */
  models(signal?: AbortSignal): Promise<readonly string[] | null>;
  /** Closes every connection, including those in use. */
  close(): Promise<void>;
}

/** What all requests with one body have in common: searched for keys, and written as it is recorded, only once. */
interface Prepared {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly recorded: Exchange['request'];
}

const defaultMaxBodyBytes = 32 * 1024 * 1024;
const defaultConnectTimeoutMs = 10_000;

/** The transport to one target. Connects with the first request. */
export function openTransport(
  target: TargetConfig,
  credentials: TransportCredentials,
  options: TransportOptions = {},
): Transport {
  checkFirst('openTransport', target, aTarget);
  checkOptions('`openTransport`', options, optionTable);
  const url = new URL(`${options.baseUrl ?? target.baseUrl}/chat/completions`);
  const { origin } = url;
  const path = `${url.pathname}${url.search}`;
  const { secrets: own, foreignSecrets = [] } = credentials;
  const secrets = createMasker([...own, ...foreignSecrets, ...proxySecrets(options.proxies)]);
  const recordedUrl = secrets.mask(`${url.origin}${url.pathname}`);
  const timeOuts: TimeOuts = {
    connectMs: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
    headersMs: options.headersTimeoutMs ?? null,
    bodyMs: options.bodyTimeoutMs ?? null,
    totalMs: target.limits.timeoutSeconds * 1000,
  };
  const prepare = (body: Json, extra: Readonly<Record<string, string>>): Prepared => {
    const text = jsonText(body);
    if (holdsKey(body, secrets)) throw new SecretInBody(target.name);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      'user-agent': 'chatspec',
      ...lowerCased(credentials.headers),
      ...lowerCased(extra),
    };
    if (Object.entries(headers).some((header) => isMisplaced(header, secrets, own)))
      throw new SecretInBody(target.name, 'headers');
    return {
      ...{ text, headers },
      recorded: { url: recordedUrl, headers: recordedRequestHeaders(headers, own, secrets), body },
    };
  };
  const known = new WeakMap<object, Prepared>();
  const prepared = (body: Json, extra: Readonly<Record<string, string>> | undefined): Prepared => {
    if (extra !== undefined && Object.keys(extra).length > 0) return prepare(body, extra);
    if (typeof body !== 'object' || body === null) return prepare(body, {});
    const before = known.get(body) ?? prepare(body, {});
    known.set(body, before);
    return before;
  };
  /** Opened with the first request, so that a command that sends nothing loads no HTTP client. */
  let dispatcher: Promise<Dispatcher> | null = null;
  const connections = (): Promise<Dispatcher> =>
    (dispatcher ??= openDispatcher({ ...options, connectTimeoutMs: timeOuts.connectMs }));

  return {
    async send(body, extra = {}, signal) {
      const { text, headers, recorded } = prepared(body, extra.headers);
      const connected = await connections();
      const started_at = new Date().toISOString();
      const answer = await exchangeOnce(connected, {
        origin,
        path,
        headers,
        body: text,
        timeOuts,
        maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
        masker: secrets,
        sent: extra.sent,
        over: extra.over,
        memory: options.memory ?? answerMemory,
        signal,
      });
      const timing = { started_at, headers_ms: answer.headersMs, total_ms: answer.totalMs };
      return { request: recorded, answer: recordedAnswer(answer, secrets), timing };
    },
    async models(signal) {
      const { status, body } = await exchangeOnce(await connections(), {
        origin,
        path: `${url.pathname.replace(/\/chat\/completions$/, '/models')}${url.search}`,
        headers: { accept: 'application/json', 'user-agent': 'chatspec', ...lowerCased(credentials.headers) },
        body: null,
        timeOuts,
        maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
        masker: secrets,
        ...{ sent: undefined, over: undefined, memory: options.memory ?? answerMemory, signal },
      });
      return status === 200 ? idsIn(body.join('')) : null;
    },
    async close() {
      const opened = dispatcher;
      dispatcher = null;
      if (opened !== null) await (await opened).destroy();
    },
  };
}

function recordedAnswer({ status, headers, body, failure }: RawAnswer, masker: Masker): Exchange['answer'] {
  const shown = failure === null ? null : { kind: failure.kind, message: masker.mask(failure.message) };
  return { status, headers: recordedAnswerHeaders(headers, masker), body, failure: shown };
}

/** Whether a header holds a key that is not just the target's own: in its name, or in a text around it. */
function isMisplaced([name, value]: readonly [string, string], secrets: Masker, own: readonly string[]): boolean {
  if (secrets.holds(name)) return true;
  return secrets.holds(value) && !own.some((secret) => value === secret || value === `Bearer ${secret}`);
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
