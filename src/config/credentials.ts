import type { Problem } from '../files/problems/problem.js';
import { problemAtSpot } from '../files/problems/problem-at.js';
import type { TargetConfig } from './config.js';
import { withoutSecrets } from './secrets.js';
import { isWireWord } from './wire-words.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Credentials {
  /** To send with every request, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values that must never be written or printed. */
  readonly secrets: readonly string[];
  /** An error: nothing may be sent. A warning: it may. */
  readonly problem: Problem | null;
}

/** The key and further headers of a target, from the environment; never from the config file. */
export function credentialsOf(target: TargetConfig, env: Environment): Credentials {
  const headers: Record<string, string> = {};
  const secrets: string[] = [];
  const problems: Problem[] = [];
  const secretFrom = (name: string, use: string): string | null => {
    const value = env[name]?.trim() ?? '';
    const wrong = value === '' ? `the environment variable ${name} is not set` : unsendable(name, value);
    if (wrong !== null) problems.push(problem(target, name, `${wrong}; it gives ${use}`, setHint(name)));
    else secrets.push(value);
    return wrong === null ? value : null;
  };
  for (const [name, value] of Object.entries(target.headers)) {
    const text =
      typeof value === 'string' ? value : secretFrom(value.env, `the header ${name} of target "${target.name}"`);
    if (text !== null) headers[name.toLowerCase()] = text;
  }
  const simulated = target.baseUrl === 'simulator';
  const { apiKeyEnv } = target;
  if (apiKeyEnv !== null && !(simulated && (env[apiKeyEnv] ?? '').trim() === '')) {
    const key = secretFrom(apiKeyEnv, `the key of target "${target.name}"`);
    if (key !== null) headers['authorization'] = `Bearer ${key}`;
    if (key !== null && !key.startsWith('sk-') && !simulated) problems.push(unusualKey(target, apiKeyEnv));
  }
  const first = problems.find(({ severity }) => severity === 'error') ?? problems[0] ?? null;
  return { headers, secrets, problem: first };
}

/**
 * A header takes visible ASCII only, and what is a word of every answer cannot be masked in them (a value of fewer than
 * seven characters is no secret, and never masked). The value itself is not shown.
 */
function unsendable(name: string, value: string): string | null {
  if (!/^[\x21-\x7e]+(?:[ \t]+[\x21-\x7e]+)*$/.test(value)) {
    return `the value of the environment variable ${name} holds a character that no header may hold`;
  }
  return value.length >= 7 && isWireWord(value)
    ? `the value of the environment variable ${name} is a word that every answer holds, and could not be masked`
    : null;
}

function unusualKey(target: TargetConfig, name: string): Problem {
  const message = `the key in ${name} does not begin with sk-`;
  const hint = 'check that it is the key, and of this service; it is used as it is';
  return problem(target, name, message, hint, 'warning');
}

function setHint(name: string): string {
  return `set it in your shell (export ${name}=...) or in a file .env in this folder`;
}

/** At the place that names the variable, else at the target. */
function problem(
  { namedAt, place }: TargetConfig,
  variable: string,
  message: string,
  hint: string,
  severity: Problem['severity'] = 'error',
): Problem {
  const spot = namedAt?.get(variable);
  if (spot === undefined) return { severity, message, place, hint };
  return withoutSecrets(problemAtSpot(spot, message, hint, severity), []);
}
