import { isObject } from '../../json/json.js';
import { judge } from '../../judge/judge.js';
import type { Outcome } from '../../judge/outcome.js';
import type { RetrySpec } from '../../suite/probe.js';
import type { Judging } from './ask-with-retries.js';
import { NotSent } from './not-sent.js';
import type { Sending } from '../course.js';

/**
 * The client's retry that the specification advises: the same input, less random, at most `max` times. Measured beside
 * the trial, whose failure it never undoes.
 * @returns whether it helped; null when none was due, none was answered, or one was not sent any more
 */
export function* recoveredBy(
  retry: RetrySpec | null,
  failed: Outcome,
  { step, body, expectation, values }: Judging,
): Sending<boolean | null> {
  if (retry === null || failed.fault || failed.class === null || !retry.on.includes(failed.class)) return null;
  const calmer = isObject(body) ? { ...body, temperature: retry.temperature } : body;
  let recovered: boolean | null = null;
  try {
    for (let attempt = 0; attempt < retry.max; attempt++) {
      const exchange = yield { purpose: 'retry', step, attempt, body: calmer };
      const outcome = judge(exchange, expectation, values);
      if (outcome.fault) continue;
      if (outcome.passed) return true;
      recovered = false;
    }
  } catch (error) {
    // A budget that ends here must not take the failed trial with it: the others would look better than the cell is.
    if (error instanceof NotSent) return null;
    throw error;
  }
  return recovered;
}
