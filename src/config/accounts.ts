import { BlockList, isIP } from 'node:net';
import type { Limits, TargetConfig } from './config.js';
import type { Environment } from './credentials.js';
import { isCredentialHeader } from './read-targets.js';

/**
 * Which targets a service counts together: those with the same origin and the same key, whatever the variables are
 * called that hold it. Without a key there is no reason to take two targets for one account.
 * @param env null: the values are not known, and one variable is one key
 * @returns by name of the target, equal texts for one account; they show nothing of the key
 */
export function accountsOf(targets: readonly TargetConfig[], env: Environment | null): ReadonlyMap<string, string> {
  const firsts = new Map<string, string>();
  return new Map(
    targets.map((target) => {
      const key = keyOf(target, env);
      if (key === null) return [target.name, target.name];
      const account = JSON.stringify([originOf(target.baseUrl), key]);
      const first = firsts.get(account) ?? target.name;
      firsts.set(account, first);
      return [target.name, first];
    }),
  );
}

/** The limits that hold for an account that two targets share. */
export function strictest(one: Limits, other: Limits): Limits {
  const least = (a: number | null, b: number | null): number | null =>
    a === null || b === null ? (a ?? b) : Math.min(a, b);
  return {
    ...one,
    concurrency: Math.min(one.concurrency, other.concurrency),
    requestsPerMinute: least(one.requestsPerMinute, other.requestsPerMinute),
    tokensPerMinute: least(one.tokensPerMinute, other.tokensPerMinute),
  };
}

/** What a service takes for the key: of several secret headers those that are named like one. */
function keyOf({ apiKeyEnv, headers }: TargetConfig, env: Environment | null): string | null {
  const valueOf = (variable: string): string => (env === null ? variable : (env[variable]?.trim() ?? ''));
  const secret = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [] : [{ name: name.toLowerCase(), value: valueOf(value.env) }],
  );
  if (apiKeyEnv !== null) secret.push({ name: 'authorization', value: valueOf(apiKeyEnv) });
  const named = secret.filter(({ name }) => isCredentialHeader(name));
  const values = (named.length > 0 ? named : secret).map(({ value }) => value.replace(/^Bearer\s+/i, ''));
  const known = [...new Set(values)].filter((value) => value !== '').sort();
  return known.length === 0 ? null : JSON.stringify(known);
}

/** Equal for addresses that lead to the same place: every name of this machine's loopback is the same host. */
function originOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const { protocol, hostname, port } = new URL(baseUrl);
  const host = hostname.replace(/\.$/, '');
  return JSON.stringify([protocol, isThisMachine(host) ? 'localhost' : host, port]);
}

/** Loopback (RFC 1122, RFC 4291, RFC 6761), also as an IPv6 address, and "any address", which connects to it. */
function isThisMachine(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  if (version === 0) return /(^|\.)localhost$/.test(host);
  return loopback.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('0.0.0.0');
loopback.addAddress('::1', 'ipv6');
loopback.addAddress('::', 'ipv6');
