import { dirname, resolve } from 'node:path';
import { formFaults, requestReader } from '../body/request-reader.js';
import { clientNames, clientsMeant, clientTable, ecosystemsOf } from '../clients/client-table.js';
import { librariesIn } from '../clients/project/project-libraries.js';
import { didYouMean } from '../files/problems/nearest.js';
import {
  problemAt,
  type ProblemOptions,
  hasErrors,
  type Problem,
  type Path,
  type SourceFile,
} from '../files/problems/problem.js';
import { readText } from '../files/read-text.js';
import { withoutMisfits } from '../files/schema-problems.js';
import { checkAgainst, shippedSchema } from '../files/shipped-schema.js';
import { parseYaml } from '../files/yaml/read-yaml.js';
import { isObject, type Json, type JsonObject, at } from '../json/json.js';
import { createMasker, type Masker } from '../masking/masker.js';
import type { ConfigFile, SettingsFile } from './config-file.js';
import { usualMaxUnmeasured, type Config } from './config.js';
import { type Environment, keyVariableFault, liveKeys } from './key-variables.js';
import { readTargets } from './read-targets.js';
import { isSecretName, secretTexts, withoutSecrets } from './secrets.js';

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

/** Additions of a command line or a program to a config file. */
export interface ConfigAdditions {
  /** Stands for the file, which need not exist. */
  readonly text?: string;
  /** By target, the ids of models that its service lists, where the file leaves them to it. */
  readonly listed?: ReadonlyMap<string, readonly string[]>;
  /** Over those of every model. */
  readonly request?: JsonObject;
  readonly rename?: Readonly<Record<string, string>>;
}

/**
 * Reads a config file. `env` gives the addresses and models that the file leaves to the environment, and finds keys
 * that were written into it; no message ever shows one. Never throws because of what the user wrote: see `problems`.
 */
export async function loadConfig(
  file: string,
  env: Environment,
  { text, listed = new Map(), request = {}, rename = {} }: ConfigAdditions = {},
): Promise<LoadedConfig> {
  const absolute = resolve(file);
  const read = text === undefined ? readText(absolute) : ({ ok: true, text } as const);
  if (!read.ok) {
    const problems = [read.missing ? missingConfigFile(absolute) : read.problem];
    return { config: null, readable: null, origin: null, live: createMasker([]), problems };
  }
  const source = parseYaml(read.text, absolute);
  const keys = [...secretTexts(source.data)].sort((one, other) => other.length - one.length);
  const live = createMasker(liveKeys(read.text, env));
  const { readable, fits, problems } = await readConfig(source, {
    env,
    live,
    listed,
    over: { request, rename },
    isKeyChecked: text === undefined,
  });
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
  reading: Omit<Parameters<typeof readTargets>[1], 'file' | 'problems'>,
): Promise<{ readable: Config | null; fits: boolean; problems: readonly Problem[] }> {
  if (hasErrors(source.problems)) return { readable: null, fits: false, problems: source.problems };
  const problems = [...keyProblems(source, reading.live)];
  // A key in the wrong place also breaks the schema; one message is enough.
  const known = new Set(problems.map(({ place }) => place?.line));
  const all = await checkAgainst('config', source);
  problems.push(...all.filter(({ place }) => !known.has(place?.line)));
  const fits = problems.length === 0;
  const rest = all.length === 0 ? source.data : withoutMisfits(await shippedSchema('config'), source.data);
  if (rest === null) return { readable: null, fits, problems };
  const data = rest as unknown as ConfigFile;
  const targets = readTargets(data, { ...reading, file: source, problems });
  problems.push(
    ...(await patchProblems(source, data)),
    ...redactProblems(source, data),
    ...clientProblems(source, data),
  );
  return { readable: configFromFile(source, data, targets), fits, problems };
}

function configFromFile(source: SourceFile, data: ConfigFile, targets: Config['targets']): Config {
  const absolute = (path: string) => resolve(dirname(source.file), path);
  const suites = data.suites?.map((pattern, index) => ({ pattern, place: source.spotOf(['suites', index]).place }));
  return {
    file: source.file,
    targets,
    suites: suites ?? [{ pattern: 'builtin:core', place: source.spotOf([]).place }],
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
  const libraries = librariesIn(dirname(source.file));
  return clients.flatMap((name, index) => {
    const meant = clientsMeant(table, name, libraries);
    const origins = ecosystemsOf(meant);
    if (origins.length === 1) return [];
    const place = ['clients', index];
    if (origins.length > 1) {
      const full = origins.map((one) => `${one}:${name}`).join(' or ');
      return [problemAt(source, place, `"${name}" is a library of ${origins.join(' and of ')}`, `write ${full}`)];
    }
    const known = clientNames(table, name);
    const hint = didYouMean(name, known) ?? `known are ${known.join(', ')}`;
    return [problemAt(source, place, `"${name}" is no client that was measured`, hint)];
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

function missingConfigFile(file: string): Problem {
  return { severity: 'error', message: `there is no config file ${file}`, place: null, hint: minimalConfig };
}

const minimalConfig = `chatspec init writes one; or name another with --config FILE. The smallest one tests the embedded service:

    targets:
      demo:
        base_url: simulator
        models: [sim-reference]
`;

/** Reports keys in the config file, which may not contain any. The messages never show them. */
function* keyProblems(source: SourceFile, live: Masker): Generator<Problem> {
  const hint = 'put the key into an environment variable (or .env) and write its name: api_key_env: CHATSPEC_API_KEY';
  for (const [path, value] of valuesWithPaths(source.data)) {
    const name = String(path.at(-1) ?? '');
    const message = keyFault(path, name, value, live);
    if (message !== null) yield problemAt(source, path, message, hint, { part: 'key' });
  }
}

function keyFault([first, , member, ...below]: Path, name: string, value: Json, live: Masker): string | null {
  const isProgram = name === 'api_key' && isObject(value);
  if (first === 'targets' && member !== undefined && below.length === 0 && isSecretName(name) && !isProgram) {
    return `"${name}" contains a key, but keys may not be in the file`;
  }
  if (live.holds(name)) return 'this name contains a key that is in use';
  if (typeof value !== 'string') return null;
  if (live.holds(value)) return 'this text contains a key that is in use';
  const fault = name === 'api_key_env' || (member === 'headers' && name === 'env') ? keyVariableFault(value) : null;
  if (fault === 'obeyed') return `programs obey ${value}, and may print it: no key may be in it`;
  if (fault === 'no_name' && name === 'api_key_env') {
    return 'api_key_env takes the name of an environment variable; this looks like the key itself';
  }
  const isChecked = member === 'models' || member === 'base_url' || member === 'headers';
  return !isChecked && /\bsk-[\w-]{16,}/.test(value) ? 'this looks like a key, but keys may not be in the file' : null;
}

function* valuesWithPaths(value: Json, path: Path = []): Generator<readonly [Path, Json]> {
  yield [path, value];
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) yield* valuesWithPaths(item, [...path, index]);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* valuesWithPaths(member, [...path, name]);
  }
}

/** A patch over request bodies, and where the config has it. */
interface Patch {
  readonly patch: JsonObject;
  readonly at: Path;
  /** Renames a field: key and value are both names of fields of a body. */
  readonly renames?: 'key' | 'value';
}

/** Faults in the patches that a config merges over request bodies. */
async function patchProblems(file: SourceFile, { targets }: ConfigFile): Promise<Problem[]> {
  const patches = Object.entries(targets).flatMap(([name, { settings, request, rename, models }]) => [
    ...ofModel({ settings, request, rename }, ['targets', name]),
    ...(Array.isArray(models) ? models : []).flatMap((model, index) =>
      typeof model === 'string' ? [] : [...ofModel(model, ['targets', name, 'models', index])],
    ),
  ]);
  if (patches.length === 0) return [];
  const read = await requestReader();
  return patches.flatMap(({ patch, at, renames }) =>
    formFaults(read, patch, 'patch').flatMap(({ path, part, severity, message, hint }) => {
      if (renames === undefined) return [problemAt(file, [...at, ...path], message, hint, { part, severity })];
      return path.length === 1 ? [problemAt(file, at, message, hint, { part: renames, severity })] : [];
    }),
  );
}

interface PatchingModel {
  readonly request?: JsonObject | undefined;
  readonly control?: JsonObject | undefined;
  readonly rename?: Readonly<Record<string, string>> | undefined;
  readonly settings?: SettingsFile | undefined;
}

function* ofModel({ request = {}, control = {}, rename = {}, settings }: PatchingModel, at: Path): Generator<Patch> {
  yield { patch: request, at: [...at, 'request'] };
  yield { patch: control, at: [...at, 'control'] };
  yield* inSettings(settings, [...at, 'settings']);
  for (const [from, to] of Object.entries(rename)) {
    yield { patch: { [from]: null }, at: [...at, 'rename', from], renames: 'key' };
    yield { patch: { [to]: null }, at: [...at, 'rename', from], renames: 'value' };
  }
}

function* inSettings(settings: SettingsFile = {}, at: Path): Generator<Patch> {
  for (const [axis, labels] of Object.entries(settings)) {
    for (const [label, patch] of Object.entries(labels ?? {})) {
      if (patch !== null) yield { patch, at: [...at, axis, label] };
    }
  }
}
