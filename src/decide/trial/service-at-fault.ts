import type { Exchange, Failures } from '../../chat/exchange.js';
import { wilson } from '../../stats/wilson.js';

/** A service that fails so many of its requests at random would give the 5xx of one request in one of 10,000 trials. */
const byChance = 1e-4;

/** A burst in which a share of the requests fails would hit one trial and miss all others in one of 200. */
const byBurst = 0.005;

/**
 * Whether a service that fails some requests whatever they ask may have caused all 5xx of a request.
 * @param exchange the last 5xx
 * @param serverErrors how many came in a row
 */
export function mayBeTheService({ around }: Exchange, serverErrors: number): boolean {
  if (around === undefined || around.failed === 0) return false;
  return largestShare(around, around.own) ** serverErrors > byChance;
}

/**
 * The share of a model's requests that may fail whatever they ask: the upper end of what the requests allow. A model that
 * fails more often than the others, and not by chance, is judged by itself. Any other is helped by what they show, and one
 * that fails less often is not held to have their trouble.
 */
function largestShare(all: Failures, own: Failures | undefined): number {
  const [, most] = wilson(all.failed, all.of);
  if (own === undefined) return most;
  const [least, mostOwn] = wilson(own.failed, own.of);
  return least * all.of > all.failed ? mostOwn : Math.min(mostOwn, most);
}

/**
 * Whether the service is so calm that two 5xx of a request need no third: hardly any request of the run failed without a
 * cause of its own, none of this model around that time, and enough others were answered between the 5xx and the control.
 * @param control the good control after the 5xx
 */
export function isCalm({ around }: Exchange): boolean {
  if (around?.meanwhile === undefined || around.ever === undefined) return false;
  const { answered, alike, others } = around.meanwhile;
  if (around.failed > 0 || others > 0 || wilson(around.ever.failed, around.ever.of)[1] ** 2 > byChance) return false;
  return atMost(alike, answered) <= byBurst;
}

/** How probable it is, at whatever share of failures, that these requests fail and those do not. */
function atMost(failed: number, answered: number): number {
  const share = failed / (failed + answered);
  return share ** failed * (1 - share) ** answered;
}
