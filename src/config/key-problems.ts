import type { Problem } from '../files/problems/problem.js';
import { problemAt } from '../files/problems/problem-at.js';
import type { Path, SourceFile } from '../files/source.js';
import { isObject, type Json } from '../json/json.js';
import { createMasker } from '../masking/masker.js';
import type { Environment } from './credentials.js';
import { keysIn } from './live-keys.js';
import { isSecretName, looksLikeKey } from './secrets.js';

const hint = 'put the key into an environment variable (or .env) and write its name: api_key_env: CHATSPEC_API_KEY';

/** Reports keys in the config file, which may not contain any. The messages never show them. */
export function keyProblems(source: SourceFile, env: Environment): Problem[] {
  const problems: Problem[] = [];
  const used = new Set<string>();
  walk(source.data, [], (path, value) => {
    const name = path.at(-1);
    if (name === 'env' && path[2] === 'headers' && typeof value === 'string') used.add(value);
    if (name === 'api_key_env' && typeof value === 'string') used.add(value);
  });
  const values = keysIn([...used], env).filter((value) => value.length >= 6);
  const live = createMasker(values);
  const holdsKey = (text: string): boolean => live.holds(text) || values.some((secret) => text.includes(secret));
  walk(source.data, [], (path, value) => {
    const name = String(path.at(-1) ?? '');
    const [, , member] = path;
    if (path.length === 3 && path[0] === 'targets' && isSecretName(name)) {
      problems.push(
        problemAt(source, path, `"${name}" contains a key, but keys may not be in the file`, hint, { part: 'key' }),
      );
    } else if (holdsKey(name)) {
      problems.push(problemAt(source, path, 'this name contains a key that is in use', hint, { part: 'key' }));
    } else if (typeof value !== 'string') return;
    else if (holdsKey(value)) {
      problems.push(problemAt(source, path, 'this text contains a key that is in use', hint, { part: 'key' }));
    } else if (name === 'api_key_env' && (looksLikeKey(value) || !/^[A-Za-z_]\w*$/.test(value))) {
      const message = 'api_key_env takes the name of an environment variable; this looks like the key itself';
      problems.push(problemAt(source, path, message, hint, { part: 'key' }));
    } else if (member !== 'models' && member !== 'base_url' && member !== 'headers' && /\bsk-[\w-]{16,}/.test(value)) {
      problems.push(
        problemAt(source, path, 'this looks like a key, but keys may not be in the file', hint, { part: 'key' }),
      );
    }
  });
  return problems;
}

function walk(value: Json, path: Path, visit: (path: Path, value: Json) => void): void {
  visit(path, value);
  if (Array.isArray(value)) (value as readonly Json[]).forEach((item, index) => walk(item, [...path, index], visit));
  else if (isObject(value)) for (const [name, member] of Object.entries(value)) walk(member, [...path, name], visit);
}
