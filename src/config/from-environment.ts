import type { Problem } from '../files/problems/problem.js';
import { problemAt } from '../files/problems/problem-at.js';
import type { Path, SourceFile } from '../files/source.js';
import type { Masker } from '../masking/masker.js';
import type { FromEnvironment, ModelFile } from './config-file.js';
import { variableHint, variableText, type Environment } from './credentials.js';
import { readBaseUrl } from './read-base-url.js';

/** Reads what a config leaves to `{ env: NAME }` at a path. */
export interface FromVariables {
  readonly addressIn: (path: Path, from: FromEnvironment) => string;
  readonly modelsIn: (path: Path, from: FromEnvironment) => ModelFile[];
}

/** Stands for an address that is not known; the problem beside it says so. Nothing answers there (RFC 2606). */
const unknownAddress = 'https://not-set.invalid';

/**
 * The problems stand where the file names the variable, and show no value: it may be a key, put into the wrong variable.
 * @param keys finds the keys in use
 */
export function fromVariables(file: SourceFile, env: Environment, keys: Masker, problems: Problem[]): FromVariables {
  const wrong = (path: Path, message: string, hint: string): null => {
    problems.push(problemAt(file, [...path, 'env'], message, hint));
    return null;
  };
  const valueOf = (path: Path, name: string): string | null => {
    const value = env[name]?.trim() ?? '';
    if (value === '') {
      const state = env[name] === undefined ? 'is not set' : 'is empty';
      const use = `${String(path.at(-1))} of target "${String(path.at(-2))}"`;
      return wrong(path, `${variableText(name)} ${state}; it is used as ${use}`, variableHint(name));
    }
    if (!keys.holds(value) && !/(?:^|[^\w-])sk-[\w-]{16,}/.test(value)) return value;
    return wrong(path, `the value of ${variableText(name)} holds a key`, 'keys belong into a variable of their own');
  };
  return {
    addressIn(path, { env: name }) {
      const value = valueOf(path, name);
      const read = value === null ? null : readBaseUrl(value);
      if (value === null || read === null) return unknownAddress;
      if (read.ok) return value;
      // What is no address at all may be anything, a key too.
      const isAddress = /^https?:\/\//i.test(value);
      const hint = isAddress ? read.hint : 'set it to an address such as https://service.example/v1, or to simulator';
      wrong(path, `the value of ${variableText(name)}: ${read.message}`, hint);
      return unknownAddress;
    },
    modelsIn(path, { env: name }) {
      const ids = [...new Set(valueOf(path, name)?.split(/\s+/) ?? [])];
      const at = ids.findIndex((id) => /^,|,$|[\p{C}]/u.test(id) || id.length > 200);
      if (at < 0) return ids;
      const message = `the value of ${variableText(name)} holds a model id that does not fit (number ${at + 1})`;
      wrong(path, message, 'separate the ids by blanks or line ends, not by commas');
      return ids.toSpliced(at, 1);
    },
  };
}
