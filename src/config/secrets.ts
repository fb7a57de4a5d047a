import type { Problem } from '../files/problems/problem.js';
import { isObject, type Json } from '../json/json.js';

/** Names of members that contain a credential. */
const secretName = /^(api[-_]?key|key|secret|password|token|access[-_]?token|bearer|authorization)$/i;
/** Texts that look like a credential, whatever the member is called. */
const keyLike =
  /\bsk-[\w-]{8,}|\bBearer\s+\S{8,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+|\bgh[pousr]_\w{20,}|\bAKIA[A-Z0-9]{16}\b/;

/** Whether a text looks like a credential rather than the name of a variable. */
export function looksLikeKey(text: string): boolean {
  return keyLike.test(text) || (/^[\w-]{32,}$/.test(text) && /\d/.test(text) && /[a-z]/.test(text));
}

export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Every text of a config file that may be a credential and must never be printed. */
export function* secretTexts(data: Json, name = ''): Generator<string> {
  if (typeof data === 'string') {
    if ((data.length > 2 && isSecretName(name)) || looksLikeKey(data)) yield data;
  } else if (Array.isArray(data)) {
    for (const item of data as readonly Json[]) yield* secretTexts(item, name);
  } else if (isObject(data)) {
    for (const [key, value] of Object.entries(data)) {
      if (looksLikeKey(key)) yield key;
      yield* secretTexts(value, name === 'api_key_env' ? name : key);
    }
  }
}

/** Masks the secrets in a problem, including the lines of its code frame. */
export function withoutSecrets(problem: Problem, secrets: readonly string[]): Problem {
  const mask = (text: string) => {
    const known = secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
    // The texts of a file that does not parse are unknown, so anything that looks like a key is masked.
    return known
      .replace(new RegExp(keyLike, 'g'), '***')
      .replace(/(\b(?:api[-_]?key|secret|password|token|authorization)["']?\s*:\s*)(?![{~&*|>\s])[^\n#]+/gi, '$1***')
      .replace(/(:\/\/)[^/\s@]+@/g, '$1***@');
  };
  return {
    ...problem,
    message: mask(problem.message),
    ...(problem.hint === undefined ? {} : { hint: mask(problem.hint) }),
    ...(problem.frame === undefined ? {} : { frame: mask(problem.frame) }),
  };
}
