import { readAnswer, replyIn } from '../../chat/read-answer.js';
import type { JsonObject } from '../../json/json.js';
import { digest } from '../../json/digest.js';
import type { ExchangeRecord } from '../../journal/event.js';
import { factsOf, type ExchangeFacts, type RepliedFacts } from '../../judge/application/exchange-facts.js';
import type { Redact } from '../safe/redact.js';
import { redactAll, redactForeign } from '../safe/redact-values.js';

/** @param reply of an exchange whose body is no longer there */
export function exchangeFacts(
  { exchange }: Pick<ExchangeRecord, 'exchange'>,
  reply: RepliedFacts | null = replyIn(readAnswer(exchange.answer)),
): ExchangeFacts {
  return factsOf(exchange, reply, digest);
}

/** The facts, redacted; in `usage`, names and numbers too, because the service wrote all of it. */
export function redactedFacts<Facts extends Pick<ExchangeFacts, 'usage'>>(facts: Facts, redact: Redact): Facts {
  const usage = redactForeign(facts.usage, redact) as JsonObject | null;
  return { ...redactAll(facts, redact), usage };
}
