import { urlOf } from '../json/url-of.js';
import type { Limits, SecretCommand, TargetConfig } from './config.js';
import type { Environment } from './key-variables.js';
import { isCredentialHeader } from './secrets.js';
import { writtenJson } from '../json/json.js';

/**
 * The targets that a service counts together: those with the same origin and the same key, whatever the variables are
 * called that hold it. Without a key there is no reason to take two targets for one account.
 * @param env null: the values are not known, and one variable is one key
 * @returns by name of the target, equal texts for one account; they show nothing of the key
 */
export function accountsOf(targets: readonly TargetConfig[], env: Environment | null): ReadonlyMap<string, string> {
  const firsts = new Map<string, string>();
  return new Map(
    targets.map((target) => {
      const key = accountKey(target, env);
      if (key === null) return [target.name, target.name];
      const account = writtenJson([originOf(target.baseUrl), key]);
      const first = firsts.get(account) ?? target.name;
      firsts.set(account, first);
      return [target.name, first];
    }),
  );
}

/** The key as a service sees it: of several secret headers those that are named like one. */
function accountKey({ apiKeyEnv, apiKeyCommand, headers }: TargetConfig, env: Environment | null): string | null {
  const valueOf = (variable: string): string => (env === null ? variable : (env[variable]?.trim() ?? ''));
  const secret = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [] : [{ name, value: 'env' in value ? valueOf(value.env) : programText(value) }],
  );
  if (apiKeyEnv !== null) secret.push({ name: 'authorization', value: valueOf(apiKeyEnv) });
  if (apiKeyCommand) secret.push({ name: 'authorization', value: programText(apiKeyCommand) });
  const named = secret.filter(({ name }) => isCredentialHeader(name));
  const values = (named.length > 0 ? named : secret).map(({ value }) => value.replace(/^Bearer\s+/i, ''));
  const known = [...new Set(values)].filter((value) => value !== '').sort();
  return known.length === 0 ? null : writtenJson(known);
}

/** Stands for what a program prints: the same program gives the same key. */
const programText = ({ command }: SecretCommand): string => writtenJson(command);

/** Equal for addresses that lead to the same place: the usual names of this machine are one host. */
function originOf(baseUrl: string): string {
  const url = urlOf(baseUrl);
  if (url === null) return baseUrl;
  const { protocol, hostname, port } = url;
  const host = hostname.replace(/\.$/, '');
  return writtenJson([protocol, /^(?:localhost|127\..*|\[::1\])$/.test(host) ? 'localhost' : host, port]);
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

/**
 * The part of a limit that one shard may use, rounded down. Rounding errors of the division do not count: a third of 3
 * times a limit is the limit.
 * @param share above 0 and up to 1
 */
export function shareOfLimit(limit: number, share: number): number {
  return Math.floor(limit * share + 1e-9);
}
