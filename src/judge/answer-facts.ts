import type { Exchange } from '../chat/exchange.js';
import { parseJson } from '../chat/parse-json.js';
import { contentTimes, timedChunks } from '../chat/stream/timed-chunks.js';
import type { Json, JsonObject } from '../json/json.js';

/** The members of `answer` in a rule. */
export const ruleAnswerMembers: ReadonlySet<string> = new Set(['status', 'headers', 'body', 'chunks', 'timing']);

/**
 * The answer as it came, for rules: `status`, `headers` (names in lower case), `body` (JSON, else text) or `chunks` (each
 * with `at_ms`), and `timing` in milliseconds since the request was sent. What is not known of the timing is null, as
 * the time of the content is where the answer is no stream.
 */
export function answerFacts(exchange: Exchange, streamed: boolean): JsonObject {
  const { status, headers, body } = exchange.answer;
  const { headers_ms, total_ms } = exchange.timing;
  const head = { status, headers };
  if (!streamed) {
    const times = { headers_ms, first_content_ms: null, last_content_ms: null, total_ms };
    return { ...head, body: jsonOrText(body.join('')), timing: times };
  }
  const chunks = timedChunks(exchange);
  const { first, last } = contentTimes(chunks);
  const times = { headers_ms, first_content_ms: first, last_content_ms: last, total_ms };
  return { ...head, chunks: chunks.map(({ chunk, at_ms }) => ({ ...chunk, at_ms })), timing: times };
}

function jsonOrText(text: string): Json {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}

/** Whether an expression may read `answer`, which nobody parses twice in vain. */
export const readsAnswer = (assert: string): boolean => assert.includes('answer');
