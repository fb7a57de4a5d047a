import { urlOf } from '../json/url-of.js';
import type { Dispatcher } from 'undici';
import type { Environment } from '../config/key-variables.js';

/** The values of the usual environment variables; an empty or absent value means none. */
export interface Proxies {
  readonly httpsProxy?: string | undefined;
  /** Hosts that are reached directly, separated by commas. */
  readonly noProxy?: string | undefined;
}

interface DispatcherOptions {
  readonly proxies?: Proxies;
  readonly ca?: string;
  readonly connectTimeoutMs?: number;
  readonly headersTimeoutMs?: number;
  readonly bodyTimeoutMs?: number;
}

const defaultConnectTimeoutMs = 10_000;

/** Never reached through a proxy, which would look for the service on its own machine. */
const loopback = 'localhost,127.0.0.1,[::1]';

/** A pool of connections that are kept alive. Follows no redirects and does not read the environment. */
export async function openDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { proxies, ca, connectTimeoutMs = defaultConnectTimeoutMs } = options;
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  const tls = { timeout: connectTimeoutMs, ...(ca === undefined ? {} : { ca }) };
  const shared = {
    connect: tls,
    // The whole exchange has a time-out of its own.
    headersTimeout: options.headersTimeoutMs ?? 0,
    bodyTimeout: options.bodyTimeoutMs ?? 0,
  };
  const everywhereDirect = (proxies?.noProxy ?? '').split(/[,\s]/).includes('*');
  if (everywhereDirect || proxies?.httpsProxy === undefined || proxies.httpsProxy === '') return new Agent(shared);
  return new EnvHttpProxyAgent({
    ...shared,
    httpProxy: '',
    httpsProxy: proxies.httpsProxy,
    noProxy: [proxies.noProxy ?? '', loopback].filter((hosts) => hosts !== '').join(','),
    requestTls: tls,
    proxyTls: { timeout: connectTimeoutMs },
  });
}

/** The password in the address of the proxy, if it has one. */
export function proxySecrets(proxies: Proxies | undefined): string[] {
  const password = urlOf(proxies?.httpsProxy ?? '')?.password ?? '';
  return password === '' ? [] : [decodeURIComponent(password)];
}

/** The proxy of an address: only https addresses are reached through one. */
export function proxiesFor(baseUrl: string, env: Environment): Proxies {
  if (!baseUrl.startsWith('https:')) return {};
  return { httpsProxy: env[proxyVariable(env)]?.trim(), noProxy: env['NO_PROXY'] ?? env['no_proxy'] };
}

/**
 * The fault of the variable that names the proxy of some address; null: it has none, or there is no proxy. It does not
 * show the value, which may hold a password.
 */
export function proxyFault(baseUrls: readonly string[], env: Environment): { message: string; hint: string } | null {
  const [value] = baseUrls.flatMap((baseUrl) => proxiesFor(baseUrl, env).httpsProxy || []);
  if (value === undefined) return null;
  const variable = `the environment variable ${proxyVariable(env)}`;
  const url = urlOf(value);
  if (url === null || !['http:', 'https:', 'socks5:', 'socks:'].includes(url.protocol) || url.hostname === '') {
    // Nothing but a host and a port: no secret.
    const bare = /^[\w.-]+:\d{1,5}$/.test(value) && urlOf(`http://${value}`) !== null;
    const hint = bare ? `write http://${value}` : 'write it as http://HOST:PORT, or unset it if there is no proxy';
    return { message: `${variable} is not the address of a proxy`, hint };
  }
  try {
    decodeURIComponent(url.username + url.password);
    return null;
  } catch {
    const hint = 'URL-encode name and password: % is written %25, @ is written %40';
    return { message: `${variable} has a name or a password that is not URL-encoded`, hint };
  }
}

const proxyVariable = (env: Environment): string => (env['HTTPS_PROXY'] === undefined ? 'https_proxy' : 'HTTPS_PROXY');
