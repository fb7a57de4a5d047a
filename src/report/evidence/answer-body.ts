import type { Answer } from '../../chat/exchange.js';
import { parseJson } from '../../chat/parse-json.js';
import type { Reply } from '../../chat/reply.js';
import { everything } from '../safe/capped.js';
import type { Redact } from '../safe/redact.js';
import { redactForeign } from '../safe/redact-values.js';

/** A page that shows only the beginning of a body masks at most this many characters; few answers are longer. */
const longestMasked = 1_000_000;

/**
 * The body of an answer as it may be shown. It is masked before it is cut, since half an address is still an address, and
 * JSON is decoded first, so that escapes hide nothing. A stream whose text needs masking is withheld, because its pieces
 * cannot be masked one by one.
 * @param most how many characters the caller shows
 */
export function printableBody(
  answer: Answer,
  reply: Reply | null,
  redact: Redact,
  most = Number.POSITIVE_INFINITY,
): string {
  const text = answer.body.join('');
  if (most < longestMasked && text.length > longestMasked && !reply?.streamed) {
    return `[a body of ${text.length.toLocaleString('en')} characters, too long to be masked here; ${everything}]`;
  }
  if (reply?.streamed) {
    return textsOf(reply).some((part) => redact(part) !== part)
      ? '[the chunks are withheld because their text is redacted]'
      : redact(text);
  }
  // JSON that is nested too deeply to be judged cannot be walked here either, so it is shown as text.
  const json = parseJson(text);
  return json.ok ? JSON.stringify(redactForeign(json.value, redact), null, 2) : redactedText(text, redact);
}

/** Text that is not JSON, or no longer because it was cut: unchanged, unless an escape hides something in it. */
function redactedText(text: string, redact: Redact): string {
  const plain = text.replace(/\\u00([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const masked = redact(plain);
  return masked === plain && plain !== text ? redact(text) : masked;
}

/** The texts that a client would assemble from a stream. */
function textsOf({ content, reasoning, refusal, tool_calls }: Reply): string[] {
  const calls = tool_calls.map((call) => call.arguments).filter((text) => typeof text === 'string');
  return [content, reasoning, refusal, ...calls].filter((text) => text !== null);
}
