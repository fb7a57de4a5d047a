import type { Answer } from '../chat/exchange.js';
import type { Reply } from '../chat/reply.js';
import type { Json } from '../json/json.js';
import { type Redact, redactJson } from './redact.js';

/**
 * The body of an answer as it may be shown. JSON is decoded first, so that an escaped character hides nothing from the
 * redaction. A stream whose text is to be masked is withheld: its pieces could not be masked one by one.
 */
export function shownBody(answer: Answer, reply: Reply | null, redact: Redact): string {
  const text = answer.body.join('');
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
