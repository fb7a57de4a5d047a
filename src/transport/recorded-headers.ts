import { isRecordedHeader } from '../chat/answer-headers.js';
import { maskText, type Masker } from '../masking/masker.js';

/** Characters of a header value; a longer one is cut. */
const longestValue = 2048;

/** The headers of an answer as they are recorded: those on the list, in lower case, with keys masked. */
export function recordedAnswerHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  masker: Masker,
): Record<string, string> {
  const recorded: Record<string, string> = {};
  for (const [name, value = []] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!isRecordedHeader(lower)) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    const shown = lower === 'location' ? (text.split('?', 1)[0] ?? '') : text;
    // Masked before it is cut: a part of a key might no longer be recognized.
    recorded[masker.mask(lower)] = masker.mask(shown).slice(0, longestValue);
  }
  return recorded;
}

/** Of a request, the same in all of them. */
const omittedHeaderNames = new Set(['accept', 'accept-encoding', 'user-agent']);

/** The headers of a request as they are recorded: never with a credential, whatever it looks like. */
export function recordedRequestHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
  masker: Masker,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const lower = name.toLowerCase();
      if (omittedHeaderNames.has(lower)) return [];
      if (lower === 'authorization') return [[lower, value.replace(/^(?:(\S+)\s+)?.*$/s, `$1 ${maskText}`).trim()]];
      if (/cookie|proxy-auth|api-key/.test(lower) || secrets.includes(value)) return [[lower, maskText]];
      return [[lower, masker.mask(value)]];
    }),
  );
}
