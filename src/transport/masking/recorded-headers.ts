import { maskTexts } from '../../masking/mask-body.js';
import { masked, type Masker } from '../../masking/masker.js';

/** Answer headers to keep. Cookies, organisation ids and anything else about the user of the service are left out. */
const kept = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
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

/** A service names its headers the same in all its answers, and to look for keys in names takes half of the time. */
const recordedNames = new WeakMap<Masker, Map<string, string | null>>();
const mostNames = 200;

/** The name under which a header is recorded; null: it is not. */
function recordedName(name: string, masker: Masker): string | null {
  const names = recordedNames.get(masker) ?? new Map<string, string | null>();
  recordedNames.set(masker, names);
  const before = names.get(name);
  if (before !== undefined) return before;
  const lower = name.toLowerCase();
  const shown = kept.has(lower) || keptByPattern.test(lower) ? masker.mask(lower) : null;
  if (names.size < mostNames) names.set(name, shown);
  return shown;
}

/**
 * The headers of an answer as they are recorded: those on the list, in lower case, with secrets masked, also those that
 * several headers hold together.
 */
export function recordedAnswerHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  masker: Masker,
): Record<string, string> {
  const names: string[] = [];
  const values: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    const shown = recordedName(name, masker);
    if (shown === null) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    names.push(shown);
    values.push(shown === 'location' ? (text.split('?', 1)[0] ?? '') : text);
  }
  // Masked before they are cut: a part of a secret might no longer be recognized.
  const shown = maskTexts(values, masker);
  const recorded: Record<string, string> = {};
  for (const [index, name] of names.entries()) recorded[name] = (shown[index] ?? '').slice(0, longestValue);
  return recorded;
}

/** The headers of a request as they are recorded: never with a credential, whatever it looks like. */
export function recordedRequestHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
  masker: Masker,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase();
      if (lower === 'authorization') return [lower, value.replace(/^(?:(\S+)\s+)?.*$/s, `$1 ${masked}`).trim()];
      if (/cookie|proxy-auth|api-key/.test(lower) || secrets.includes(value)) return [lower, masked];
      return [lower, masker.mask(value)];
    }),
  );
}
