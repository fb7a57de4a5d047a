import { masked, type Masker } from '../masking/masker.js';

/** Answer headers to keep. Cookies, organisation ids and anything else about the user of the service are left out. */
const kept = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'date',
  'server',
  'via',
  'location',
  'retry-after',
  'retry-after-ms',
  'traceresponse',
  'cf-ray',
  'ratelimit',
  'ratelimit-policy',
  'x-should-retry',
]);

const keptByPattern = /^(?:x-)?ratelimit-|(?:^|-)(?:request|trace)-?id$/;

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
    if (!kept.has(lower) && !keptByPattern.test(lower)) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    const shown = lower === 'location' ? (text.split('?', 1)[0] ?? '') : text;
    // Masked before it is cut: a part of a key might no longer be recognized.
    recorded[masker.mask(lower)] = masker.mask(shown).slice(0, longestValue);
  }
  return recorded;
}

/** Of a request, the same in all of them. */
const leftOut = new Set(['accept', 'accept-encoding', 'user-agent']);

/** The headers of a request as they are recorded: never with a credential, whatever it looks like. */
export function recordedRequestHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
  masker: Masker,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const lower = name.toLowerCase();
      if (leftOut.has(lower)) return [];
      if (lower === 'authorization') return [[lower, value.replace(/^(?:(\S+)\s+)?.*$/s, `$1 ${masked}`).trim()]];
      if (/cookie|proxy-auth|api-key/.test(lower) || secrets.includes(value)) return [[lower, masked]];
      return [[lower, masker.mask(value)]];
    }),
  );
}
