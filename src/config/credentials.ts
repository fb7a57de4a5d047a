import type { Problem } from '../files/problems/problem.js';
import { problemAtSpot } from '../files/problems/problem-at.js';
import type { TargetConfig } from './config.js';
import { createMasker, isWireWord } from '../masking/masker.js';
import { type Environment, keysIn } from './live-keys.js';
import { isVariableName, withoutSecrets } from './secrets.js';
import { aTarget } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';

export type { Environment };

interface Credentials {
  /** To send with every request, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values that must never be written or printed. */
  readonly secrets: readonly string[];
  /** Values of the variables that other targets of the config name: this target must never receive them. */
  readonly foreignSecrets: readonly string[];
  /** An error means that nothing may be sent. */
  readonly problem: Problem | null;
}

/** The key and the further headers of a target. Secrets come from the environment, never from the config file. */
export function credentialsOf(target: TargetConfig, env: Environment): Credentials {
  checkFirst('credentialsOf', target, aTarget);
  const headers: Record<string, string> = {};
  const secrets: string[] = [];
  const problems: Problem[] = [];
  const secretFrom = (name: string, use: string): string | null => {
    const value = env[name]?.trim() ?? '';
    const wrong = value === '' ? `${variableText(name)} is not set` : unsendable(name, value);
    if (wrong !== null) problems.push(problem(target, name, `${wrong}; it is used as ${use}`, variableHint(name)));
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
  const all = keysIn(target.variables ?? [], env);
  const foreignSecrets = all.filter((value) => !secrets.includes(value));
  const hidden = (shown: Problem): Problem => withoutSecrets(shown, [], createMasker([...all, ...secrets]));
  const first = problems.find(({ severity }) => severity === 'error') ?? problems[0] ?? null;
  return { headers, secrets, foreignSecrets, problem: first && hidden(first) };
}

/**
 * Why a value cannot be sent as a secret; null when it can. A header allows only visible ASCII, and a value that is part
 * of every answer cannot be masked. The message does not show
 * the value.
 */
function unsendable(name: string, value: string): string | null {
  if (!/^[\x21-\x7e]+(?:[ \t]+[\x21-\x7e]+)*$/.test(value)) {
    return `the value of ${variableText(name)} contains a character that is not allowed in a header`;
  }
  return isWireWord(value)
    ? `the value of ${variableText(name)} is part of every answer and could not be masked`
    : null;
}

function unusualKey(target: TargetConfig, name: string): Problem {
  const message = `the key in ${isVariableName(name) ? name : 'the variable that is named here'} does not begin with sk-`;
  const hint = 'check that it is a key of this service; it is used unchanged';
  return problem(target, name, message, hint, 'warning');
}

/** What stands in place of a name may be the key itself. */
export function variableText(name: string): string {
  return isVariableName(name) ? `the environment variable ${name}` : 'the environment variable that is named here';
}

/** How to give a variable its value. */
export function variableHint(name: string): string {
  if (!isVariableName(name)) return 'write the name of the variable, such as CHATSPEC_API_KEY, and not the key itself';
  return `set it in your shell (export ${name}=...) or in a .env file, in this folder or beside the config`;
}

/** A problem at the place that names the variable, otherwise at the target. */
function problem(
  { namedAt, place }: TargetConfig,
  variable: string,
  message: string,
  hint: string,
  severity: Problem['severity'] = 'error',
): Problem {
  const spot = namedAt?.get(variable);
  if (spot === undefined) return { severity, message, place, hint };
  const hidden = isVariableName(variable) ? [] : [variable];
  return withoutSecrets(problemAtSpot(spot, message, hint, severity), hidden);
}
