import type { Exchange } from '../../chat/exchange.js';
import { itemsOrEmpty } from '../../chat/fields.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import { checkExpect, maskedOutcome } from '../application/judge-answer.js';
import { retryAdvice, type RetryAdvice } from '../application/retry-advice.js';
import { derive, explicit, type ExpectSpec } from '../expectation.js';
import { judgeExchange } from '../judge.js';
import type { Outcome } from '../outcome.js';
import type { RecordedPair } from './recorded-pair.js';

/** Thrown where the expectation of a pair cannot be used; the message says why. */
export class UnusableExpectation extends Error {
  override readonly name = 'UnusableExpectation';
}

/** An outcome, and what to do next. */
interface RecordedJudgement extends Outcome {
  readonly retry: RetryAdvice;
}

/**
 * Judges a recorded pair as a run judges an exchange, with the same limits of time. Throws an UnusableExpectation.
 */
export function judgeRecorded({ request, answer, expect, unseen }: RecordedPair): RecordedJudgement {
  const exchange: Exchange = {
    request: { url: '', headers: {}, body: request },
    answer,
    timing: { started_at: '', headers_ms: null, total_ms: 0 },
  };
  const expectation = explicit(derive(request), expectSpec(expect));
  const outcome = maskedOutcome(judgeExchange(exchange, expectation, { vars: {}, request, steps: {} }));
  const quirks = outcome.quirks.filter((quirk) => !unseen.some((one) => one === quirk));
  return { ...outcome, quirks, retry: retryAdvice(request, answer, outcome, Date.now()) };
}

function expectSpec(given: Json): ExpectSpec {
  if (given === null) return {};
  if (!isObject(given)) throw new UnusableExpectation('`expect` is no object');
  if (!itemsOrEmpty(given['rules']).every(isRule)) {
    throw new UnusableExpectation('a rule of `expect` needs `id` and `assert`, both texts');
  }
  try {
    checkExpect(given);
  } catch (error) {
    throw new UnusableExpectation(error instanceof Error ? error.message : String(error));
  }
  return given;
}

function isRule(rule: Json): boolean {
  return isObject(rule) && typeof rule['id'] === 'string' && typeof rule['assert'] === 'string';
}

/** The printed members of a judgement. Every one is always there. */
export function judgedFacts({ value, ...judged }: RecordedJudgement): JsonObject {
  const { advice, ...retry } = judged.retry;
  const { passed, fault, status, reason, rung, detail, violations, quirks } = judged;
  const facts = { passed, fault, class: judged.class, reason, status, rung, detail, value: value ?? null };
  return { ...facts, violations, quirks, advice, retry } as unknown as JsonObject;
}
