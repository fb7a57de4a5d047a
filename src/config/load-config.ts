import { dirname, resolve } from 'node:path';
import { clientTable } from '../clients/client-table.js';
import { clientNames, clientsNamed } from '../clients/named-clients.js';
import { didYouMean } from '../files/problems/nearest.js';
import { problemAt, type ProblemOptions } from '../files/problems/problem-at.js';
import { hasErrors, type Problem } from '../files/problems/problem.js';
import { readText } from '../files/read-text.js';
import { withoutMisfits } from '../files/schema-problems.js';
import { checkAgainst, shippedSchema } from '../files/shipped-schema.js';
import type { Path, SourceFile } from '../files/source.js';
import { parseYaml } from '../files/yaml/read-yaml.js';
import { isObject, type Json } from '../json/json.js';
import { at } from '../json/pointer.js';
import { createMasker, type Masker } from '../masking/masker.js';
import { pathOf } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';
import type { ConfigFile } from './config-file.js';
import { usualMaxUnmeasured, type Config } from './config.js';
import type { Environment } from './credentials.js';
import { fromEnvironment } from './from-environment.js';
import { liveKeyMasker, keysIn } from './live-keys.js';
import { patchProblems } from './patch-problems.js';
import { readTargets } from './read-targets.js';
import { secretTexts, withoutSecrets, isSecretName, looksLikeKey } from './secrets.js';

interface LoadedConfig {
  /** null when the file does not match the schema. Otherwise present for further checks, even with errors. */
  readonly config: Config | null;
  readonly problems: readonly Problem[];
  /** For further checks of a file with errors: what can be read of it, without what does not fit. */
  readonly readable: Config | null;
  readonly origin: ConfigOrigin | null;
  /** Finds the keys in use: the values of the variables that the file names. */
  readonly live: Masker;
}

/** A config file as written. Its problems show no key. */
export interface ConfigOrigin {
  readonly has: (path: Path) => boolean;
  readonly problemAt: (path: Path, message: string, hint?: string, options?: ProblemOptions) => Problem;
}

/**
 * Reads a config file. `env` gives the addresses and models that the file leaves to the environment, and finds keys that
 * were written into it; no message ever shows one.
 * Never throws because of what the user wrote: see `problems`.
 */
export async function loadConfig(file: string, env: Environment): Promise<LoadedConfig> {
  checkFirst('loadConfig', file, pathOf('a config file'));
  const absolute = resolve(file);
  const read = readText(absolute);
  if (!read.ok)
    return {
      config: null,
      readable: null,
      origin: null,
      live: createMasker([]),
      problems: [read.missing ? missing(absolute) : read.problem],
    };
  const source = parseYaml(read.text, absolute);
  const keys = [...secretTexts(source.data)].sort((one, other) => other.length - one.length);
  const { readable, fits, problems } = await readConfig(source, env);
  const live = liveKeyMasker(read.text, env);
  const masked = (problem: Problem): Problem => withoutSecrets(problem, keys, live);
  return {
    config: fits ? readable : null,
    readable,
    live,
    problems: problems.map(masked),
    origin: {
      has: (path) => at(source.data, path.map(String)) !== undefined,
      problemAt: (...problem) => masked(problemAt(source, ...problem)),
    },
  };
}

async function readConfig(
  source: SourceFile,
  env: Environment,
): Promise<{ readable: Config | null; fits: boolean; problems: readonly Problem[] }> {
  if (hasErrors(source.problems)) return { readable: null, fits: false, problems: source.problems };
  const keys = [...keyProblems(source, env)];
  const known = new Set(keys.map(({ place }) => place?.line));
  // A key in the wrong place also breaks the schema; one message is enough.
  const all = await checkAgainst('config', source);
  const misfits = [...keys, ...all.filter(({ place }) => !known.has(place?.line))];
  const rest = all.length === 0 ? source.data : withoutMisfits(await shippedSchema('config'), source.data);
  if (rest === null) return { readable: null, fits: false, problems: misfits };
  const { data, problems: unset } = fromEnvironment(source, rest as unknown as ConfigFile, env);
  const { targets, problems } = readTargets(source, data);
  const patches = await patchProblems(source, data);
  return {
    readable: configOf(source, data, targets),
    fits: misfits.length === 0,
    problems: [
      ...misfits,
      ...unset,
      ...problems,
      ...patches,
      ...redactProblems(source, data),
      ...clientProblems(source, data),
    ],
  };
}

function configOf(source: SourceFile, data: ConfigFile, targets: Config['targets']): Config {
  const absolute = (path: string) => resolve(dirname(source.file), path);
  const suites = data.suites?.map((pattern, index) => ({ pattern, place: source.placeOf(['suites', index]) }));
  return {
    file: source.file,
    targets,
    suites: suites ?? [{ pattern: 'builtin:core', place: source.placeOf([]) }],
    baseline: data.baseline === undefined ? null : absolute(data.baseline),
    out: absolute(data.out ?? 'reports/runs/{stamp}'),
    budget: {
      requests: data.budget?.requests ?? null,
      tokens: data.budget?.tokens ?? null,
      cost: data.budget?.cost ?? null,
    },
    maxUnmeasured: data.max_unmeasured ?? usualMaxUnmeasured,
    redact: data.redact ?? [],
    clients: data.clients ?? null,
  };
}

function clientProblems(source: SourceFile, { clients = [] }: ConfigFile): readonly Problem[] {
  if (clients.length === 0) return [];
  const table = clientTable();
  return clients.flatMap((name, index) => {
    if (clientsNamed(table, name).length > 0) return [];
    const known = clientNames(table);
    const hint = didYouMean(name, known) ?? `known are ${known.join(', ')}`;
    return [problemAt(source, ['clients', index], `"${name}" is no client that was measured`, hint)];
  });
}

function* redactProblems(source: SourceFile, { redact = [] }: ConfigFile): Generator<Problem> {
  for (const [index, pattern] of redact.entries()) {
    try {
      const expression = new RegExp(pattern, 'gu');
      if (expression.test('')) {
        yield problemAt(
          source,
          ['redact', index],
          'this pattern matches the empty text, so it would mask everything',
          'use + instead of *',
        );
      }
    } catch (error) {
      // The message repeats the pattern, which may be a key.
      const why = error instanceof Error ? (error.message.split(': ').at(-1) ?? '') : '';
      yield problemAt(source, ['redact', index], `this is not a regular expression: ${why}`);
    }
  }
}

function missing(file: string): Problem {
  return { severity: 'error', message: `there is no config file ${file}`, place: null, hint: minimalConfig };
}

const minimalConfig = `chatspec init writes one; or name another with --config FILE. The smallest one tests the embedded service:

    targets:
      demo:
        base_url: simulator
        models: [sim-reference]
`;

const hint = 'put the key into an environment variable (or .env) and write its name: api_key_env: CHATSPEC_API_KEY';

/** Reports keys in the config file, which may not contain any. The messages never show them. */
function keyProblems(source: SourceFile, env: Environment): Problem[] {
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
