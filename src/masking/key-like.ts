/** The text in the place of a masked one. */
export const mask = '[redacted]';

const keyNames = 'api[-_]?key|(?:access|auth)[-_]?token|client[-_]?secret|secret[-_]?key|password';

/**
 * Key-like strings and e-mail addresses, each with what every match of it holds. Every repetition is bounded, so that
 * no text can make them slow.
 */
const builtInKeyPatterns: readonly { readonly pattern: RegExp; readonly holds: string | null }[] = [
  {
    pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,8192}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    holds: '-----BEGIN',
  },
  { pattern: /\b(?:Bearer|Basic)[ \t]{1,8}[A-Za-z0-9._~+/=-]{6,4096}/gi, holds: null },
  { pattern: /\b(?:sk|pk|rk|ak)[-_][A-Za-z0-9_-]{6,512}/g, holds: 'k' },
  {
    pattern: /\b(?:gh[opsur]_|github_pat_|glpat-|hf_|gsk_|xai-|nvapi-|xox[abeprs]-)[A-Za-z0-9_-]{8,512}/g,
    holds: null,
  },
  { pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, holds: 'IA' },
  { pattern: /\bAIza[A-Za-z0-9_-]{30,64}/g, holds: 'AIza' },
  { pattern: /\beyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,8192}(?:\.[A-Za-z0-9_-]{0,4096})?/g, holds: 'eyJ' },
  {
    pattern: new RegExp(
      String.raw`\b(?:${keyNames})\b` + String.raw`["'\\]{0,3}[ \t]{0,4}[:=][ \t]{0,4}["'\\]{0,3}[^\s"'\\,;}]{6,512}`,
      'gi',
    ),
    holds: null,
  },
  {
    pattern: /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,256}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/g,
    holds: '@',
  },
];

/** No built-in pattern matches anything shorter: "a@b.cd". */
const shortestMatch = 6;

/** Every match of a built-in pattern holds one of these. One look for all of them is much faster than one for each. */
export const sign = new RegExp(
  [
    String.raw`@|eyJ|AIza|A[KS]IA|-----BEGIN|(?:Bearer|Basic)[ \t]`,
    '(?:[spra]k|gh[opsur]|pat|hf|gsk|xai|nvapi|xox[abeprs])[-_]',
    keyNames,
  ].join('|'),
  'i',
);

/**
 * A text without key-like strings and e-mail addresses.
 * @param kept what looks like a key and is a name, see {@link keyLikeNames}
 */
export function builtInMasked(text: string, kept?: ReadonlySet<string>): string {
  return maskedBy(builtInKeyPatterns, text, kept);
}

/** The parts of these names that look like keys. */
export function keyLikeNames(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => builtInKeyPatterns.flatMap(({ pattern }) => name.match(pattern) ?? [])));
}

/** A text without key-like strings. */
export function keyLikeMasked(text: string): string {
  return maskedBy(keyPatternsWithoutEmail, text);
}

const keyPatternsWithoutEmail = builtInKeyPatterns.filter(({ holds }) => holds !== '@');

function maskedBy(patterns: typeof builtInKeyPatterns, text: string, kept?: ReadonlySet<string>): string {
  if (text.length < shortestMatch || !sign.test(text)) return text;
  let masked = text;
  for (const { pattern, holds } of patterns) {
    if (holds === null || masked.includes(holds)) {
      masked = masked.replace(pattern, (found) => (kept?.has(found) === true ? found : mask));
    }
  }
  return masked;
}
