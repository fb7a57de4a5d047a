import type { TargetConfig } from '../config/config.js';
import type { Problem } from '../files/problems/problem.js';
import type { Proxies } from '../transport/dispatcher.js';
import type { Environment } from './project.js';

/** The proxy of a target: only https addresses are reached through one. */
export function proxiesFor({ baseUrl }: TargetConfig, env: Environment): Proxies {
  if (!baseUrl.startsWith('https:')) return {};
  return { httpsProxy: env[proxyVariable(env)]?.trim(), noProxy: env['NO_PROXY'] ?? env['no_proxy'] };
}

/** Errors for a variable that names no proxy, where a target would use it. They do not show the value: it may hold a password. */
export function proxyProblems(targets: readonly TargetConfig[], env: Environment): readonly Problem[] {
  const user = targets.find((target) => (proxiesFor(target, env).httpsProxy ?? '') !== '');
  const variable = proxyVariable(env);
  const fault = user === undefined ? null : faultOf(env[variable]?.trim() ?? '');
  if (fault === null) return [];
  return [
    { severity: 'error', place: null, message: `the environment variable ${variable} ${fault.what}`, hint: fault.hint },
  ];
}

function faultOf(value: string): { readonly what: string; readonly hint: string } | null {
  const hint = 'write it as http://HOST:PORT, or unset it if there is no proxy';
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !['http:', 'https:', 'socks5:', 'socks:'].includes(url.protocol) || url.hostname === '') {
    // Nothing but a host and a port: no secret.
    const bare = /^[\w.-]+:\d{1,5}$/.test(value) && URL.canParse(`http://${value}`);
    return { what: 'is not the address of a proxy', hint: bare ? `write http://${value}` : hint };
  }
  try {
    decodeURIComponent(url.username);
    decodeURIComponent(url.password);
    return null;
  } catch {
    const encoded = 'URL-encode name and password: % is written %25, @ is written %40';
    return { what: 'has a name or a password that is not URL-encoded', hint: encoded };
  }
}

function proxyVariable(env: Environment): 'HTTPS_PROXY' | 'https_proxy' {
  return env['HTTPS_PROXY'] === undefined ? 'https_proxy' : 'HTTPS_PROXY';
}
