import { createRequire } from 'node:module';
import type { Agent, Dispatcher } from 'undici';

/** The values of the usual environment variables; an empty or absent value means none. */
export interface Proxies {
  readonly httpsProxy?: string | undefined;
  /** Hosts that are reached directly, separated by commas. */
  readonly noProxy?: string | undefined;
}

export interface DispatcherOptions {
  readonly proxies?: Proxies;
  readonly ca?: string;
  readonly connectTimeoutMs: number;
}

/** Never reached through a proxy, which would look for the service on its own machine. */
const loopback = 'localhost,127.0.0.1,[::1]';

/** A pool of connections that are kept alive. Follows no redirects and does not read the environment. */
export async function openDispatcher({ proxies, ca, connectTimeoutMs }: DispatcherOptions): Promise<Dispatcher> {
  const tls = ca === undefined ? {} : { ca };
  const shared = {
    connect: { timeout: connectTimeoutMs, ...tls },
    // The exchange has its own timers, to distinguish its phases.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    keepAliveTimeout: 4000,
  };
  const everywhereDirect = (proxies?.noProxy ?? '').split(/[,\s]/).includes('*');
  if (everywhereDirect || proxies?.httpsProxy === undefined || proxies.httpsProxy === '')
    return new (await agentAlone())(shared);
  const { EnvHttpProxyAgent } = await import('undici');
  return new EnvHttpProxyAgent({
    ...shared,
    httpProxy: '',
    httpsProxy: proxies.httpsProxy,
    noProxy: [proxies.noProxy ?? '', loopback].filter((hosts) => hosts !== '').join(','),
    requestTls: { timeout: connectTimeoutMs, ...tls },
    proxyTls: { timeout: connectTimeoutMs },
  });
}

/**
 * The agent without the rest of undici (caches, mocks, web sockets), with which it takes 8 MB more and twice the time to
 * load. Where undici moves the file, which it may, the whole is loaded.
 */
async function agentAlone(): Promise<typeof Agent> {
  try {
    return createRequire(import.meta.url)('undici/lib/dispatcher/agent.js') as typeof Agent;
  } catch {
    return (await import('undici')).Agent;
  }
}

/** The password in the address of the proxy, if it has one. */
export function proxySecrets(proxies: Proxies | undefined): string[] {
  const address = proxies?.httpsProxy ?? '';
  if (!URL.canParse(address)) return [];
  const { password } = new URL(address);
  return password === '' ? [] : [decodeURIComponent(password)];
}
