import type { Problem } from '../files/problems/problem.js';
import { isObject, type Json } from '../json/json.js';
import { maskText, type Masker } from '../masking/masker.js';

/** Names of members that contain a credential. */
const secretName = /^(api[-_]?key|key|secret|password|token|access[-_]?token|bearer|authorization)$/i;
/** Headers that do. */
const credentialHeader = /^(authorization|proxy-authorization|cookie|x-api-key|api-key)$/i;
/** Texts that look like a credential, whatever the member is called, in any case. */
const credentialForms = [
  String.raw`sk-[\w-]{6,}`,
  String.raw`Bearer\s+\S{8,}`,
  String.raw`eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+`,
  String.raw`gh[pousr]_\w{20,}|(?:github_pat|hf|gsk)_\w{20,}|(?:glpat|xai|nvapi)-[\w-]{16,}`,
  String.raw`AKIA[A-Z0-9]{16}\b|AIza[\w-]{30,}`,
];
const credentialPattern = new RegExp(`(?<![a-z0-9])(?:${credentialForms.join('|')})`, 'gi');

/** Whether a text looks like a credential rather than the name of a variable. */
export function looksLikeKey(text: string): boolean {
  return text.search(credentialPattern) >= 0 || (/^[\w-]{32,}$/.test(text) && /\d/.test(text) && /[a-z]/.test(text));
}

/** Words with a number at the end at most, as names are made of. */
const wordsOnly = /^(?:[A-Za-z]*\d{0,4}(?:[_-]|$))+$/;

/** A text without what looks like a key, whoever wrote it; long names in words stay. */
export function withoutKeyLike(text: string): string {
  return text
    .replace(credentialPattern, maskText)
    .replace(/[\w-]{32,}/g, (part) => (looksLikeKey(part) && !wordsOnly.test(part) ? maskText : part));
}

export const isSecretName = (name: string): boolean => secretName.test(name);

export const isCredentialHeader = (name: string): boolean => credentialHeader.test(name) || isSecretName(name);

/**
 * Whether a text is written as the names of variables usually are. Anything else may be the key itself, written in the
 * wrong place: words seldom change between lower case, upper case and digits, random keys often.
 */
export function isVariableName(text: string): boolean {
  if (!/^[A-Za-z_]\w*$/.test(text) || looksLikeKey(text) || !/[A-Z]|_/.test(text)) return false;
  const changes = text.replaceAll('_', '').match(/(?<=[a-z])[^a-z]|(?<=[A-Z])[^A-Z]|(?<=[0-9])[^0-9]/g) ?? [];
  return changes.length < 4;
}

/**
 * Members whose texts may be credentials: more of them than are refused. People write keys under `redact`, to be
 * masked.
 */
const maybeSecretName =
  /^(?!max_).*(?:key|token|secret|passw(?:or)?d|auth|authorization|credentials?|cookie|session|bearer|redact)$/i;

/** Every text of a config file that may be a credential and must never be printed. */
export function* secretTexts(data: Json, name = ''): Generator<string> {
  if (typeof data === 'string') {
    const isName = name === 'api_key_env' || name === 'env';
    if (isName ? data.length > 2 && !isVariableName(data) : data.length > 5 && maybeSecretName.test(name)) {
      yield data;
    } else if ((data.length > 2 && isSecretName(name)) || looksLikeKey(data)) {
      yield data;
    }
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
  const mask = (text: string): string => {
    const known = secrets.reduce((shown, secret) => shown.replaceAll(secret, maskText), text);
    // Line by line, because the lines of a code frame are cut, perhaps within a key.
    const lines = known.split('\n').map((line) => live?.mask(line, true) ?? line);
    // The texts of a file that does not parse are unknown, so anything that looks like a key is masked.
    return lines
      .join('\n')
      .replace(credentialPattern, maskText)
      .replace(/(\b(?:api[-_]?key|secret|password|token|authorization)["']?\s*:\s*)(?![{~&*|>\s])[^\n#]+/gi, '$1***')
      .replace(/(:\/\/)[^/\s@]+@/g, '$1***@')
      .replace(/(:\/\/[^\s"'?#]*[?#])[^\s"']+/g, '$1***');
  };
  const { message, hint, frame } = problem;
  return {
    ...problem,
    message: mask(message),
    hint: hint && mask(hint),
    frame: frame && mask(frame),
  };
}
