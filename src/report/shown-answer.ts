import type { Answer } from '../chat/exchange.js';
import type { Reply } from '../chat/reply.js';
import type { Json } from '../json/json.js';
import { type Redact, redactJson } from './redact.js';

/**
 * The body of an answer as it may be shown. JSON is decoded first, so that an escaped character hides nothing from the
 * redaction, but for bodies much longer than the `most` characters that are to be shown. A stream whose text is to be masked is withheld: its pieces could not be masked one by one.
 */
export function shownBody(
  answer: Answer,
  reply: Reply | null,
  redact: Redact,
  most = Number.POSITIVE_INFINITY,
): string {
  const text = answer.body.join('');
  // Twice as much as is shown, so that nothing that is to be masked is cut in half where it still shows.
  if (text.length > most * 2 && !reply?.streamed) return redact(text.slice(0, most * 2));
  if (reply?.streamed) {
    return textsOf(reply).some((part) => redact(part) !== part)
      ? '[the chunks are withheld: put together they hold text that is redacted]'
      : redact(text);
  }
  const json = parsed(text);
  return json === undefined ? redact(text) : JSON.stringify(redactJson(json, redact), null, 2);
}

/** What a reader of a stream would put together. */
function textsOf({ content, reasoning, refusal, tool_calls }: Reply): string[] {
  const calls = tool_calls.map((call) => call.arguments).filter((text) => typeof text === 'string');
  return [content, reasoning, refusal, ...calls].filter((text) => text !== null);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
