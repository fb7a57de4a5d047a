import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Problem, problemAtSpot } from '../files/problems/problem.js';
import { readText } from '../files/read-text.js';
import { createMasker, isWireWord } from '../masking/masker.js';
import type { SecretCommand, TargetConfig } from './config.js';
import { type Environment, keysIn, shownVariable, variableHint, variableText } from './key-variables.js';
import { isVariableName, withoutSecrets } from './secrets.js';

/**
 * The environment plus the variables of `.env` in the folders, each of which may be missing. The environment takes
 * precedence over the files, and a later folder over an earlier one.
 */
export function readEnvironment(
  folders: readonly string[],
  env: Environment,
): Promise<{ readonly env: Environment; readonly problems: readonly Problem[] }> {
  const read = [...new Set(folders)].map((folder) => readText(join(folder, '.env')));
  const problems = read.flatMap((file) => (file.ok || file.missing ? [] : [file.problem]));
  const texts = read.flatMap((file) => (file.ok ? [parseEnv(withoutStrays(file.text))] : []));
  return Promise.resolve({ env: Object.assign({}, ...texts, env) as Environment, problems });
}

/** Without lines that are no variable, each of which Node takes for the beginning of the next variable's name. */
function withoutStrays(text: string): string {
  const lines = /^[^=\n]*=[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`)?.*$|^.+$/gm;
  return text.replace(lines, (line) => (line.includes('=') ? line : ''));
}

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

/** The problems of all targets of a config, those with unusual keys as one. */
export function problemsOfCredentials(targets: readonly TargetConfig[], env: Environment): readonly Problem[] {
  const found = targets.flatMap((target) => {
    const { problem } = credentialsOf(target, env);
    return problem === null ? [] : { problem, variable: target.apiKeyEnv ?? '' };
  });
  const [first, ...others] = found.filter(({ problem: { severity } }) => severity === 'warning');
  const unusual = first === undefined ? [] : [first, ...others];
  const message = unusualKeyText([...new Set(unusual.map(({ variable }) => variable))]);
  return [
    ...found.flatMap(({ problem }) => (problem.severity === 'error' ? problem : [])),
    ...(first === undefined ? [] : [{ ...first.problem, message }]),
  ];
}

function unusualKeyText(variables: readonly string[]): string {
  const shown = variables.map(shownVariable).join(', ');
  return variables.length > 1
    ? `the keys in ${shown} do not begin with sk-`
    : `the key in ${shown} does not begin with sk-`;
}

/**
 * The key and the further headers of a target. Secrets come from the environment or from programs, never from the
 * config file.
 * @param printed gives what a program printed; undefined: it was not asked yet
 */
export function credentialsOf(
  target: TargetConfig,
  env: Environment,
  printed: (command: SecretCommand) => string | undefined = () => undefined,
): Credentials {
  const headers: Record<string, string> = {};
  const secrets: string[] = [];
  const problems: Problem[] = [];
  const secretFrom = (name: string, use: string): string | null => {
    const value = env[name]?.trim() ?? '';
    const wrong = credentialDefect(value);
    if (wrong !== null) {
      const message = `${value === '' ? '' : 'the value of '}${variableText(name)} ${wrong}; it is used as ${use}`;
      problems.push(problem(target, name, message, variableHint(name)));
    } else {
      secrets.push(value);
    }
    return wrong === null ? value : null;
  };
  const printedBy = (command: SecretCommand): string | null => {
    const value = printed(command);
    if (value !== undefined) secrets.push(value);
    return value ?? null;
  };
  const headerText = (name: string, value: TargetConfig['headers'][string]): string | null => {
    if (typeof value === 'string') return value;
    return 'env' in value ? secretFrom(value.env, `the header ${name} of target "${target.name}"`) : printedBy(value);
  };
  for (const [name, value] of Object.entries(target.headers)) {
    const text = headerText(name, value);
    if (text !== null) headers[name.toLowerCase()] = text;
  }
  const given = target.apiKeyCommand ? printedBy(target.apiKeyCommand) : null;
  if (given !== null) headers['authorization'] = `Bearer ${given}`;
  const simulated = target.baseUrl === 'simulator';
  const { apiKeyEnv } = target;
  if (apiKeyEnv !== null && !(simulated && (env[apiKeyEnv] ?? '').trim() === '')) {
    const key = secretFrom(apiKeyEnv, `the key of target "${target.name}"`);
    if (key !== null) headers['authorization'] = `Bearer ${key}`;
    if (key !== null && !key.startsWith('sk-') && !simulated) {
      const hint = 'check that it is a key of this service; it is used unchanged';
      problems.push(problem(target, apiKeyEnv, unusualKeyText([apiKeyEnv]), hint, 'warning'));
    }
  }
  const all = keysIn(target.variables ?? [], env);
  const foreignSecrets = all.filter((value) => !secrets.includes(value));
  const first = problems.find(({ severity }) => severity === 'error') ?? problems[0];
  const shown = first === undefined ? null : withoutSecrets(first, [], createMasker([...all, ...secrets]));
  return { headers, secrets, foreignSecrets, problem: shown };
}

/**
 * Why a value cannot be sent as a secret; null when it can. A header allows only visible ASCII, and a value that is
 * part of every answer cannot be masked.
 */
export function credentialDefect(value: string): string | null {
  if (value === '') return 'is not set';
  if (!/^[\x21-\x7e]+(?:[ \t]+[\x21-\x7e]+)*$/.test(value)) {
    return 'contains a character that is not allowed in a header';
  }
  return isWireWord(value) ? 'is part of every answer and could not be masked' : null;
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
  return withoutSecrets(problemAtSpot(spot, message, hint, severity), isVariableName(variable) ? [] : [variable]);
}
