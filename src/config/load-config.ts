import { dirname, resolve } from 'node:path';
import { clientTable } from '../clients/client-table.js';
import { clientNames, clientsNamed } from '../clients/named-clients.js';
import { didYouMean } from '../files/problems/nearest.js';
import { type Problem, hasErrors } from '../files/problems/problem.js';
import { problemAt, type ProblemOptions } from '../files/problems/problem-at.js';
import { readText } from '../files/read-text.js';
import { parseYaml } from '../files/yaml/read-yaml.js';
import { withoutMisfits } from '../files/schema-problems.js';
import { checkAgainst, shippedSchema } from '../files/shipped-schema.js';
import type { Path, SourceFile } from '../files/source.js';
import { at } from '../json/pointer.js';
import { createMasker, type Masker } from '../masking/masker.js';
import { type Config, usualMaxUnmeasured } from './config.js';
import type { ConfigFile } from './config-file.js';
import type { Environment } from './credentials.js';
import { liveKeyMasker } from './live-keys.js';
import { patchProblems } from './patch-problems.js';
import { keyProblems } from './key-problems.js';
import { secretTexts, withoutSecrets } from './secrets.js';
import { fromEnvironment } from './from-environment.js';
import { readTargets } from './read-targets.js';
import { pathOf } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';

export interface LoadedConfig {
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
