import { isObject, type Json } from '../json/json.js';
import { parseYaml } from '../files/yaml/read-yaml.js';
import { createMasker, isWireWord, type Masker } from '../masking/masker.js';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Names of environment variables in the text of a config, which need not parse. */
const naming = /\b(?:api_key_env|(env))["']?\s*:\s*["']?([A-Za-z_]\w*)/g;

/** The values of the variables that a config names: keys in use, which no message may show and no file may hold. */
export function liveKeys(configText: string, env: Environment): string[] {
  const named = [...configText.matchAll(naming)].map(([, other, name = '']) => ({ name, other: other !== undefined }));
  const open = named.some(({ other }) => other) ? openVariables(configText) : new Set<string>();
  return keysIn(
    named.flatMap(({ name }) => (open.has(name) ? [] : [name])),
    env,
  );
}

/** Variables that give addresses and models and nothing else: no secrets. None in a file that cannot be read. */
function openVariables(configText: string): ReadonlySet<string> {
  const { data } = parseYaml(configText, '');
  const targets = isObject(data) ? data['targets'] : undefined;
  const open = new Set<string>();
  const secret = new Set<string>();
  for (const target of Object.values(isObject(targets) ? targets : {})) {
    for (const [member, value] of Object.entries(isObject(target) ? target : {})) {
      const names = member === 'base_url' || member === 'models' ? open : secret;
      for (const name of variablesIn(member, value)) names.add(name);
    }
  }
  return new Set([...open].filter((name) => !secret.has(name)));
}

function* variablesIn(member: string, value: Json): Generator<string> {
  if (typeof value === 'string' && (member === 'env' || member === 'api_key_env')) yield value;
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) yield* variablesIn(name, inner);
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
