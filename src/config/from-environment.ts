import type { Problem } from '../files/problems/problem.js';
import { problemAt } from '../files/problems/problem-at.js';
import type { Path, SourceFile } from '../files/source.js';
import { createMasker } from '../masking/masker.js';
import type { ConfigFile, FromEnvironment, ModelFile, TargetFile } from './config-file.js';
import { variableHint, variableText } from './credentials.js';
import { type Environment, keysIn } from './live-keys.js';
import { readBaseUrl } from './read-base-url.js';

/** A target whose address and models stand in it, wherever they came from. */
export interface FilledTarget extends TargetFile {
  readonly base_url: string;
  readonly models: ModelFile[];
}

export interface FilledConfig extends ConfigFile {
  readonly targets: Record<string, FilledTarget>;
}

/** Stands for an address that is not known; the problem beside it says so. Nothing answers there (RFC 2606). */
const unknownAddress = 'https://not-set.invalid';

/**
 * Puts the values of variables in place of `{ env: NAME }` under `base_url` and `models`. The problems stand where the
 * file names the variable, and show no value: it may be a key, put into the wrong variable.
 */
export function fromEnvironment(
  file: SourceFile,
  data: ConfigFile,
  env: Environment,
): { readonly data: FilledConfig; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const secrets = keysIn(Object.values(data.targets).flatMap(secretVariables), env).filter(({ length }) => length >= 6);
  const keys = createMasker(secrets);
  const targets = Object.entries(data.targets).map(([name, target]): [string, FilledTarget] => {
    const path = ['targets', name];
    const { base_url, models } = target;
    return [
      name,
      {
        ...target,
        base_url: typeof base_url === 'string' ? base_url : addressIn([...path, 'base_url'], base_url),
        models: Array.isArray(models) ? models : modelsIn([...path, 'models'], models),
      },
    ];
  });
  return { data: { ...data, targets: Object.fromEntries(targets) }, problems };

  function addressIn(path: Path, { env: name }: FromEnvironment): string {
    const value = valueOf(path, name);
    if (value === null) return unknownAddress;
    const read = readBaseUrl(value);
    if (read.ok) return value;
    // What is no address at all may be anything, a key too.
    const isAddress = /^https?:\/\//i.test(value);
    const hint = isAddress ? read.hint : 'set it to an address such as https://service.example/v1, or to simulator';
    report(path, `the value of ${variableText(name)}: ${read.message}`, hint);
    return unknownAddress;
  }

  function modelsIn(path: Path, { env: name }: FromEnvironment): ModelFile[] {
    const ids = [...new Set(valueOf(path, name)?.split(/\s+/) ?? [])];
    const wrong = ids.findIndex((id) => /^,|,$|[\p{C}]/u.test(id) || id.length > 200);
    if (wrong < 0) return ids;
    const message = `the value of ${variableText(name)} holds a model id that does not fit (number ${wrong + 1})`;
    report(path, message, 'separate the ids by blanks or line ends, not by commas');
    return ids.filter((_, index) => index !== wrong);
  }

  function valueOf(path: Path, name: string): string | null {
    const value = env[name]?.trim();
    if (value === undefined || value === '') {
      const state = value === undefined ? 'is not set' : 'is empty';
      const use = `${String(path.at(-1))} of target "${String(path.at(-2))}"`;
      report(path, `${variableText(name)} ${state}; it is used as ${use}`, variableHint(name));
      return null;
    }
    if (
      keys.holds(value) ||
      secrets.some((secret) => value.includes(secret)) ||
      /(?:^|[^\w-])sk-[\w-]{16,}/.test(value)
    ) {
      report(path, `the value of ${variableText(name)} holds a key`, 'keys belong into a variable of their own');
      return null;
    }
    return value;
  }

  function report(path: Path, message: string, hint: string): void {
    problems.push(problemAt(file, [...path, 'env'], message, hint));
  }
}

function secretVariables({ api_key_env, headers = {} }: TargetFile): string[] {
  const fromHeaders = Object.values(headers).flatMap((value) => (typeof value === 'string' ? [] : [value.env]));
  return api_key_env === undefined ? fromHeaders : [api_key_env, ...fromHeaders];
}
