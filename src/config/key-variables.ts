import { isWireWord } from '../masking/masker.js';
import { isVariableName, looksLikeKey } from './secrets.js';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Names under which people keep keys. */
const secretWords = /key|token|secret|passw|credential|auth/i;

/** Variables that programs obey, or print, but for those that end as `kept` says; action.yml has the same lines. */
export const obeyedVariables = {
  begin:
    '^(LD|DYLD|NODE|NPM|GITHUB|RUNNER|ACTIONS|GIT|SSL|OPENSSL|LC|XDG)_|^(BASH|PYTHON|JAVA|RUBY|PERL|CHATSPEC_BASE)',
  are: '^(PATH|HOME|USER|IFS|ENV|PS[1-4]|(OLD)?PWD|SHELL|SHELLOPTS|TERM|TE?MP|TMPDIR|LANG|CI|E?UID|PPID|[A-Z]*_PROXY|_)$',
  kept: '(KEY|TOKEN|SECRET|PASSWORD)$',
};

function isObeyed(name: string): boolean {
  const is = (pattern: string): boolean => new RegExp(pattern, 'i').test(name);
  return (is(obeyedVariables.begin) || is(obeyedVariables.are)) && !is(obeyedVariables.kept);
}

/**
 * Why a text cannot be the name of a variable that holds a key; null: it can. `no_name` may be the key itself; an
 * `obeyed` variable steers programs, which also print it.
 */
export function keyVariableFault(name: string): 'no_name' | 'obeyed' | null {
  if (!/^[A-Za-z_]\w*$/.test(name) || looksLikeKey(name)) return 'no_name';
  return isObeyed(name) ? 'obeyed' : null;
}

/** The values of variables whose names say that they hold a secret, whether a config names them or not. */
export const valuesNamedSecret = (env: Environment): string[] =>
  Object.entries(env).flatMap(([name, value = '']) => (secretWords.test(name) ? [value] : []));

/** The values of the variables that a config names: keys in use, which no message may show and no file may hold. */
export function liveKeys(configText: string, env: Environment): string[] {
  // Variables that give addresses and models are no secrets, as long as nothing else names them. The text need not
  // parse.
  const secret = configText.replace(/\b(?:base_url|models)["']?\s*:\s*\{?\s*["']?env["']?\s*:\s*["']?\w+/g, '');
  const names = secret.matchAll(/\b(?:api_key_env|env)["']?\s*:\s*["']?([A-Za-z_]\w*)/g);
  return keysIn(
    Array.from(names, ([, name = '']) => name),
    env,
  );
}

/** The values of these variables, without words of every answer, which are refused as keys anyway. */
export function keysIn(names: readonly string[], env: Environment): string[] {
  const values = names.map((name) => env[name]?.trim() ?? '');
  return [...new Set(values)].filter((value) => value !== '' && !isWireWord(value));
}

/** A text in place of a name may be the key itself, and is not shown. */
export const shownVariable = (name: string): string =>
  isVariableName(name) ? name : 'the variable that is named here';

export const variableText = (name: string): string =>
  isVariableName(name) ? `the environment variable ${name}` : shownVariable(name);

/** How to give a variable its value. */
export function variableHint(name: string): string {
  if (!isVariableName(name)) return 'write the name of the variable, such as CHATSPEC_API_KEY, and not the key itself';
  return `set it in your shell (export ${name}=...) or in a .env file, in this folder or beside the config`;
}
