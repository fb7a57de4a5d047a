import type { Dispatcher } from 'undici';
import type { Exchange } from '../chat/exchange.js';
import { parseJson } from '../chat/parse-json.js';
import type { TargetConfig } from '../config/config.js';
import { ChatspecError } from '../errors/chatspec-error.js';
import { isObject, jsonText, type Json } from '../json/json.js';
import { holdsKey } from '../masking/joined-fields.js';
import { createMasker, type Masker } from '../masking/masker.js';
import { openDispatcher, proxySecrets, type Proxies } from './dispatcher.js';
import { exchangeOnce, type RawAnswer } from './exchange-once.js';
import { recordedAnswerHeaders, recordedRequestHeaders } from './recorded-headers.js';

/** Secrets that only the target may receive. */
export interface TransportCredentials {
  /** Sent with every request, the `authorization` header included. */
  readonly headers: Readonly<Record<string, string>>;
  /** The target's own keys. They are masked wherever they appear in what is recorded. */
  readonly secrets: readonly string[];
  /** Keys that this target must never receive. They are masked, too. */
  readonly foreignSecrets?: readonly string[];
}

/** Credentials that may change while requests are sent. */
export interface CredentialSource {
  /** The credentials to send now. Never rejects. */
  current(): Promise<TransportCredentials>;
  /** Other credentials, after a refusal of those that had worked; null: there are none. Never rejects. */
  afterRefusal(refused: TransportCredentials): Promise<TransportCredentials | null>;
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
}

/** The connections to one target. */
export interface Transport {
  /**
   * POSTs the body to `{baseUrl}/chat/completions` and records the exchange, with credentials masked. A network error
   * is never thrown: it is the `failure` of the exchange. Rejects with SecretInBody, and sends nothing, when the body
   * contains a credential.
   * @param extra `sent` is called when the request has been handed to the operating system
   */
  send(
    body: Json,
    extra?: { readonly headers?: Readonly<Record<string, string>>; readonly sent?: () => void },
    signal?: AbortSignal,
  ): Promise<Exchange>;
  /** The list that `GET {baseUrl}/models` gives, with credentials masked. Never rejects. */
  models(signal?: AbortSignal): Promise<ModelList>;
  /** Closes every connection, including those in use. */
  close(): Promise<void>;
}

/** The ids that a service lists; or none, and why, in a few words. */
export type ModelList =
  { readonly ids: readonly string[]; readonly why: null } | { readonly ids: null; readonly why: string };

const defaultMaxBodyBytes = 32 * 1024 * 1024;

/**
 * The transport to one target. Connects with the first request.
 * @param given a source is asked before each request, and once more where credentials that had worked are refused
 */
export function openTransport(
  target: TargetConfig,
  given: TransportCredentials | CredentialSource,
  options: TransportOptions = {},
): Transport {
  const source = 'current' in given ? given : fixedSource(given);
  const connection = openConnection(target, options);
  /** The credentials of the newest answer that was no refusal. */
  let worked: TransportCredentials | null = null;

  return {
    async send(body, extra = {}, signal) {
      const credentials = await source.current();
      const exchange = await sendWith(connection, credentials, body, extra, signal);
      const { status } = exchange.answer;
      if (status !== null && status < 300) worked = credentials;
      if (!isRefusalOfKey(status) || worked !== credentials) return exchange;
      const renewed = await source.afterRefusal(credentials);
      if (renewed !== null) return sendWith(connection, renewed, body, extra, signal);
      // There are no others: those that are refused from now on are not asked for again.
      worked = null;
      return exchange;
    },
    async models(signal) {
      return fetchModelList(connection, await source.current(), signal);
    },
    close: connection.close,
  };
}

/** The parts of a transport that do not change with the credentials. */
interface TargetConnection {
  readonly target: string;
  /** Of chat completions. */
  readonly url: URL;
  readonly limits: { readonly timeOutMs: number; readonly maxBodyBytes: number };
  readonly masks: ReturnType<typeof growingMasks>;
  /** Opened with the first request, so that a command that sends nothing loads no HTTP client. */
  readonly dispatcher: () => Promise<Dispatcher>;
  readonly close: () => Promise<void>;
}

function openConnection(target: TargetConfig, options: TransportOptions): TargetConnection {
  let opened: Promise<Dispatcher> | null = null;
  return {
    target: target.name,
    url: new URL(`${options.baseUrl ?? target.baseUrl}/chat/completions`),
    limits: {
      timeOutMs: target.limits.timeoutSeconds * 1000,
      maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    },
    masks: growingMasks(proxySecrets(options.proxies)),
    dispatcher: () => (opened ??= openDispatcher(options)),
    async close() {
      const closing = opened;
      opened = null;
      if (closing !== null) await (await closing).destroy();
    },
  };
}

async function sendWith(
  { target, url, limits, masks, dispatcher }: TargetConnection,
  credentials: TransportCredentials,
  body: Json,
  extra: NonNullable<Parameters<Transport['send']>[1]>,
  signal: AbortSignal | undefined,
): Promise<Exchange> {
  const { masker, isClean } = masks.with(credentials);
  if (!isClean(body)) throw new SecretInBody(target);
  const headers = requestHeaders(credentials, extra.headers ?? {});
  if (Object.entries(headers).some((header) => isMisplaced(header, masker, credentials.secrets))) {
    throw new SecretInBody(target, 'headers');
  }
  const connected = await dispatcher();
  const started_at = new Date().toISOString();
  const answer = await exchangeOnce(connected, {
    ...limits,
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    masker,
    headers,
    signal,
    body: jsonText(body),
    sent: extra.sent,
  });
  const { headersMs, piecesMs, busyMs, totalMs } = answer;
  const timing = {
    started_at,
    headers_ms: headersMs,
    ...(piecesMs !== null && { pieces_ms: piecesMs, busy_ms: busyMs ?? 0 }),
    total_ms: totalMs,
  };
  const recorded = recordedRequestHeaders(headers, credentials.secrets, masker);
  const request = { url: masker.mask(`${url.origin}${url.pathname}`), headers: recorded, body };
  return { request, answer: recordedAnswer(answer, masker), timing };
}

function requestHeaders(
  credentials: TransportCredentials,
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'accept-encoding': 'identity',
    'user-agent': 'chatspec',
    ...lowerCased(credentials.headers),
    ...lowerCased(extra),
  };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

async function fetchModelList(
  { url, limits, masks, dispatcher }: TargetConnection,
  credentials: TransportCredentials,
  signal: AbortSignal | undefined,
): Promise<ModelList> {
  const { masker } = masks.with(credentials);
  const { status, body, failure } = await exchangeOnce(await dispatcher(), {
    ...limits,
    origin: url.origin,
    path: `${url.pathname.replace(/\/chat\/completions$/, '/models')}${url.search}`,
    masker,
    headers: { accept: 'application/json', 'user-agent': 'chatspec', ...lowerCased(credentials.headers) },
    body: null,
    sent: undefined,
    signal,
  });
  const ids = status === 200 && failure === null ? idsIn(body.join('')) : null;
  if (ids !== null) return { ids, why: null };
  if (failure !== null) return { ids, why: masker.mask(failure.message) };
  return { ids, why: status === 200 ? 'its answer is no list' : `HTTP ${status}` };
}

const isRefusalOfKey = (status: number | null): boolean => status === 401 || status === 403;

function fixedSource(credentials: TransportCredentials): CredentialSource {
  return { current: () => Promise.resolve(credentials), afterRefusal: () => Promise.resolve(null) };
}

/** Every key that was ever sent is masked, also after it was replaced. */
function growingMasks(always: readonly string[]) {
  const seen = new Set(always);
  let newest: TransportCredentials | null = null;
  let masks = bodyMasks(createMasker(always));
  return {
    with(credentials: TransportCredentials): BodyMasks {
      if (credentials !== newest) {
        for (const secret of [...credentials.secrets, ...(credentials.foreignSecrets ?? [])]) seen.add(secret);
        masks = bodyMasks(createMasker([...seen]));
        newest = credentials;
      }
      return masks;
    },
  };
}

interface BodyMasks {
  readonly masker: Masker;
  /** Whether a body holds no key. Each is searched once, however often it is sent. */
  readonly isClean: (body: Json) => boolean;
}

function bodyMasks(masker: Masker): BodyMasks {
  const clean = new WeakSet<object>();
  return {
    masker,
    isClean(body) {
      const isObjectBody = typeof body === 'object' && body !== null;
      if (isObjectBody && clean.has(body)) return true;
      if (holdsKey(body, masker)) return false;
      if (isObjectBody) clean.add(body);
      return true;
    },
  };
}

function recordedAnswer({ status, headers, body, failure }: RawAnswer, masker: Masker): Exchange['answer'] {
  const shown = failure === null ? null : { ...failure, message: masker.mask(failure.message) };
  return { status, headers: recordedAnswerHeaders(headers, masker), body, failure: shown };
}

/** Whether a header holds a key that is not just the target's own: in its name, or in a text around it. */
function isMisplaced([name, value]: readonly [string, string], secrets: Masker, own: readonly string[]): boolean {
  if (secrets.holds(name)) return true;
  return secrets.holds(value) && !own.some((secret) => value === secret || value === `Bearer ${secret}`);
}

/** No service has more models; what is longer is no list of them. */
const mostIds = 20_000;

/** The ids of a list of models: `{ "data": [{ "id": ... }] }`, or the list by itself. null: it is none. */
function idsIn(text: string): readonly string[] | null {
  const parsed = parseJson(text);
  if (!parsed.ok) return null;
  const list = isObject(parsed.value) ? (parsed.value['data'] ?? parsed.value['models']) : parsed.value;
  if (!Array.isArray(list) || list.length > mostIds) return null;
  const ids = (list as readonly Json[]).flatMap((item) => {
    const id = isObject(item) ? (item['id'] ?? item['name']) : item;
    return typeof id === 'string' ? [id] : [];
  });
  return ids.length === 0 ? null : ids;
}

/** A request that holds a credential where none belongs. It was not sent; the run ends with exit code 2. */
export class SecretInBody extends ChatspecError {
  readonly kind = 'secret_in_body';
  constructor(
    readonly target: string,
    part: 'body' | 'headers' = 'body',
  ) {
    super(
      part === 'body'
        ? `a request to ${target} was not sent: its body holds a configured key`
        : `a request to ${target} was not sent: its headers hold a key where none belongs`,
      {
        hint: 'take the key out of the suite or the config; chatspec sends it as a header, and only to its own target',
      },
    );
  }
}
