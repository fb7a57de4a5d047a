import type { Problem } from '../files/problems/problem.js';
import { isObject, type Json } from '../json/json.js';
import { masked, type Masker } from '../masking/masker.js';

/** Names of members that contain a credential. */
const secretName = /^(api[-_]?key|key|secret|password|token|access[-_]?token|bearer|authorization)$/i;
/** Texts that look like a credential, whatever the member is called. */
const keyLike =
  /\bsk-[\w-]{8,}|\bBearer\s+\S{8,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+|\bgh[pousr]_\w{20,}|\bAKIA[A-Z0-9]{16}\b/;

/** Whether a text looks like a credential rather than the name of a variable. */
export function looksLikeKey(text: string): boolean {
  return keyLike.test(text) || (/^[\w-]{32,}$/.test(text) && /\d/.test(text) && /[a-z]/.test(text));
}

/** Parts of a text that are keys, in any case. */
const keyParts =
  /(?<![a-z0-9])(?:sk-[\w-]{6,}|Bearer\s+\S{8,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+|gh[pousr]_\w{20,}|(?:github_pat|hf|gsk)_\w{20,}|(?:glpat|xai|nvapi)-[\w-]{16,}|AKIA[A-Z0-9]{16}\b|AIza[\w-]{30,})/gi;
/** Words with a number at the end at most, as names are made of. */
const words = /^(?:[A-Za-z]*\d{0,4}(?:[_-]|$))+$/;

/** A text without what looks like a key, whoever wrote it; long names in words stay. */
export function withoutKeyLike(text: string): string {
  return text
    .replace(keyParts, masked)
    .replace(/[\w-]{32,}/g, (part) => (looksLikeKey(part) && !words.test(part) ? masked : part));
}

export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/**
 * Whether a text is written as the names of variables usually are. Anything else may be the key itself, written in the
 * wrong place.
 */
export function isVariableName(text: string): boolean {
  if (!/^[A-Za-z_]\w*$/.test(text) || looksLikeKey(text)) return false;
  return /[A-Z]|_/.test(text) && classChanges(text.replaceAll('_', '')) < 4;
}

/** How often a text changes between lower case, upper case, digits and others: words seldom do, random keys often. */
function classChanges(text: string): number {
  return (text.match(/(?<=[a-z])[^a-z]|(?<=[A-Z])[^A-Z]|(?<=[0-9])[^0-9]|(?<=[^a-zA-Z0-9])[a-zA-Z0-9]/g) ?? []).length;
}

/** Members whose texts may be credentials: more of them than are refused. */
const maybeSecretName =
  /^(?!max_).*(?:key|token|secret|passw(?:or)?d|auth|authorization|credentials?|cookie|session|bearer)$/i;
/** What stands there may be anything, and people write the key there that they want to be masked. */
const freeTexts = new Set(['redact']);

/** Every text of a config file that may be a credential and must never be printed. */
export function* secretTexts(data: Json, name = ''): Generator<string> {
  if (typeof data === 'string') {
    const isName = name === 'api_key_env' || name === 'env';
    if (isName && data.length > 2 && !isVariableName(data)) yield data;
    else if (!isName && data.length > 5 && (maybeSecretName.test(name) || freeTexts.has(name))) yield data;
    else if ((data.length > 2 && isSecretName(name)) || looksLikeKey(data)) yield data;
  } else if (Array.isArray(data)) {
    for (const item of data as readonly Json[]) yield* secretTexts(item, name);
  } else if (isObject(data)) {
    for (const [key, value] of Object.entries(data)) {
      if (looksLikeKey(key)) yield key;
      yield* secretTexts(value, name === 'api_key_env' ? name : key);
    }
  }
}

/**
 * Masks secrets in a problem, including the lines of its code frame.
 * @param live finds the keys in use
 */
export function withoutSecrets(problem: Problem, secrets: readonly string[], live?: Masker): Problem {
  const mask = (text: string) => {
    const known = secrets.reduce((shown, secret) => shown.replaceAll(secret, masked), text);
    // The texts of a file that does not parse are unknown, so anything that looks like a key is masked.
    return withoutKeys(known, live)
      .replace(new RegExp(keyLike, 'g'), '***')
      .replace(/(\b(?:api[-_]?key|secret|password|token|authorization)["']?\s*:\s*)(?![{~&*|>\s])[^\n#]+/gi, '$1***')
      .replace(/(:\/\/)[^/\s@]+@/g, '$1***@')
      .replace(/(:\/\/[^\s"'?#]*[?#])[^\s"']+/g, '$1***');
  };
  return {
    ...problem,
    message: mask(problem.message),
    ...(problem.hint === undefined ? {} : { hint: mask(problem.hint) }),
    ...(problem.frame === undefined ? {} : { frame: mask(problem.frame) }),
  };
}

/** Line by line, because the lines of a code frame are cut, perhaps within a key. */
function withoutKeys(text: string, keys: Masker | undefined): string {
  if (keys === undefined || !keys.active) return text;
  return text
    .split('\n')
    .map((line) => keys.mask(line, true))
    .join('\n');
}
