import type { Dispatcher } from 'undici';

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
  const address = proxies?.httpsProxy ?? '';
  if (!URL.canParse(address)) return [];
  const { password } = new URL(address);
  return password === '' ? [] : [decodeURIComponent(password)];
}
