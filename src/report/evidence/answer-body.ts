import type { Answer } from '../../chat/exchange.js';
import { parseJson } from '../../chat/parse-json.js';
import type { Reply } from '../../chat/reply.js';
import { type Redact, redactForeign } from '../safe/redact.js';

/** Characters up to which a body is masked for a page that shows its beginning; few answers are longer. */
const longestMasked = 1_000_000;

/**
 * The body of an answer as it may be shown. It is masked as a whole before anything of it is cut off, since half of an
 * address is still one, and JSON is decoded first, so that an escaped character hides nothing. A stream whose text is to
 * be masked is withheld: its pieces could not be masked one by one.
 * @param most characters that are wanted of it
 */
export function shownBody(
  answer: Answer,
  reply: Reply | null,
  redact: Redact,
  most = Number.POSITIVE_INFINITY,
): string {
  const text = answer.body.join('');
  if (most < longestMasked && text.length > longestMasked && !reply?.streamed) {
    return `[a body of ${text.length.toLocaleString('en')} characters, too long to be masked here: the journal has it]`;
  }
  if (reply?.streamed) {
    return textsOf(reply).some((part) => redact(part) !== part)
      ? '[the chunks are withheld: put together they hold text that is redacted]'
      : redact(text);
  }
  // What is nested too deeply to be judged is too deep to be walked here as well: it is shown as text.
  const json = parseJson(text);
  return json.ok ? JSON.stringify(redactForeign(json.value, redact), null, 2) : redactedText(text, redact);
}

/** What is no JSON (any more: a body that was cut off) as it came, unless an escape in it hides something. */
function redactedText(text: string, redact: Redact): string {
  const plain = text.replace(/\\u00([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const masked = redact(plain);
  return masked === plain && plain !== text ? redact(text) : masked;
}

/** What a reader of a stream would put together. */
function textsOf({ content, reasoning, refusal, tool_calls }: Reply): string[] {
  const calls = tool_calls.map((call) => call.arguments).filter((text) => typeof text === 'string');
  return [content, reasoning, refusal, ...calls].filter((text) => text !== null);
}
