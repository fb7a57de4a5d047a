import type { Exchange } from '../../chat/exchange.js';
import { wilson } from '../../stats/wilson.js';

/** A service that fails so many of its requests at random would give the 5xx of one request in one of 10,000 trials. */
const byChance = 1e-4;

/**
 * Whether a service that fails some requests whatever they ask may have caused all 5xx of a request. Its share of such
 * failures is taken at the upper end of what the requests around this time allow.
 * @param exchange the last 5xx
 * @param serverErrors how many came in a row
 */
export function mayBeTheService({ around }: Exchange, serverErrors: number): boolean {
  if (around === undefined || around.failed === 0) return false;
  const [, most] = wilson(around.failed, around.of);
  return most ** serverErrors > byChance;
}
