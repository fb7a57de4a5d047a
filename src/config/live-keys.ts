import { createMasker, type Masker } from '../masking/masker.js';
import { isWireWord } from '../masking/wire-words.js';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Names of environment variables in the text of a config, which need not parse. */
const naming = /\b(?:api_key_env|env)["']?\s*:\s*["']?([A-Za-z_]\w*)/g;

/** The values of the variables that a config names: keys in use, which no message may show and no file may hold. */
export function liveKeys(configText: string, env: Environment): string[] {
  const names = [...configText.matchAll(naming)].map(([, name = '']) => name);
  return keysIn(names, env);
}

/** What these variables hold, without words of every answer, which are refused as keys anyway. */
export function keysIn(names: readonly string[], env: Environment): string[] {
  const values = names.map((name) => env[name]?.trim() ?? '');
  return [...new Set(values)].filter((value) => value !== '' && !isWireWord(value));
}

/** Finds the keys in use in texts. */
export function liveKeyMasker(configText: string, env: Environment): Masker {
  return createMasker(liveKeys(configText, env));
}
