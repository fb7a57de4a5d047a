import { validateHeaderName, validateHeaderValue } from 'node:http';
import { modelKey } from '../cell/model-names.js';
import { problemAt, type Problem, type Path, type SourceFile, type Spot } from '../files/problems/problem.js';
import { isObject, type JsonObject, writtenJson } from '../json/json.js';
import type { Masker } from '../masking/masker.js';
import type {
  ConfigFile,
  FromCommand,
  FromEnvironment,
  FromList,
  LimitsFile,
  ModelFile,
  SettingsFile,
  TargetFile,
} from './config-file.js';
import type { Limits, ModelConfig, SecretCommand, Settings, TargetConfig } from './config.js';
import { type Environment, variableHint, variableText } from './key-variables.js';
import { readBaseUrl } from './read-base-url.js';
import { isCredentialHeader, looksLikeKey } from './secrets.js';

interface TargetReading {
  readonly file: SourceFile;
  readonly env: Environment;
  /** Finds the keys in use. */
  readonly live: Masker;
  /** By target, the ids of models that its service lists, as far as they are known. */
  readonly listed: ReadonlyMap<string, readonly string[]>;
  /** Merged over what the file says of each model. */
  readonly over: Pick<ModelConfig, 'request' | 'rename'>;
  /** Whether a target without a key is worth a warning. */
  readonly isKeyChecked: boolean;
  /** Mistakes are added to this list. */
  readonly problems: Problem[];
}

/** The targets of a config file that conforms to its schema. */
export function readTargets(data: ConfigFile, reading: TargetReading): TargetConfig[] {
  const { file, problems } = reading;
  const entries = Object.entries(data.targets);
  const named = entries.map(([name, target]) => new Map(variablesIn(file, ['targets', name], target)));
  const variables = named.flatMap((spots) => [...spots.keys()]);
  return entries.map(([name, target], index): TargetConfig => {
    const path = ['targets', name];
    const { base_url: written, models } = target;
    const address = typeof written === 'string' ? written.trim() : addressIn(reading, [...path, 'base_url'], written);
    const url = readBaseUrl(address);
    if (!url.ok) problems.push(problemAt(file, [...path, 'base_url'], url.message, url.hint));
    problems.push(...headerProblems(file, path, target));
    if (address !== 'simulator' && reading.isKeyChecked) problems.push(...keylessProblems(file, path, target));
    const files = modelFilesOf(reading, name, models);
    problems.push(...duplicateModelProblems(file, name, files));
    return {
      name,
      baseUrl: url.ok ? url.baseUrl : address,
      apiKeyEnv: target.api_key_env ?? null,
      apiKeyCommand: target.api_key === undefined ? null : secretCommand(target.api_key),
      headers: headersOf(target.headers ?? {}),
      limits: limitsOf(target.limits ?? {}),
      models: files.map((model, at) => ({
        ...mergedModelConfig(name, model, target, reading.over),
        place: file.spotOf([...path, 'models', ...(Array.isArray(models) ? [at] : [])]).place,
      })),
      listed: isListed(models) ? { patterns: models.listed, atMost: models.at_most ?? null } : null,
      place: file.spotOf(path, 'key').place,
      namedAt: named[index] ?? new Map<string, Spot>(),
      variables,
    };
  });
}

function modelFilesOf(reading: TargetReading, name: string, models: TargetFile['models']): readonly ModelFile[] {
  if (isListed(models)) return reading.listed.get(name) ?? [];
  return Array.isArray(models) ? models : modelsFromVariable(reading, ['targets', name, 'models'], models);
}

const isListed = (models: TargetFile['models']): models is FromList => !Array.isArray(models) && 'listed' in models;

function secretCommand({ command, refresh_s: refreshSeconds }: FromCommand): SecretCommand {
  return { command, refreshSeconds: refreshSeconds ?? null };
}

function headersOf(headers: NonNullable<TargetFile['headers']>): TargetConfig['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const isCommand = typeof value !== 'string' && 'command' in value;
      return [name, isCommand ? secretCommand(value) : value];
    }),
  );
}

/** Stands for an address that is not known; the problem beside it says so. Nothing answers there (RFC 2606). */
const unknownAddress = 'https://not-set.invalid';

function addressIn(reading: TargetReading, path: Path, { env: name }: FromEnvironment): string {
  const value = variableValue(reading, path, name);
  const read = value === null ? null : readBaseUrl(value);
  if (value === null || read === null) return unknownAddress;
  if (read.ok) return value;
  // Text that is no address may be anything, even a key.
  const isAddress = /^https?:\/\//i.test(value);
  const hint = isAddress ? read.hint : 'set it to an address such as https://service.example/v1, or to simulator';
  wrongVariable(reading, path, `the value of ${variableText(name)}: ${read.message}`, hint);
  return unknownAddress;
}

function modelsFromVariable(reading: TargetReading, path: Path, { env: name }: FromEnvironment): ModelFile[] {
  const ids = [...new Set(variableValue(reading, path, name)?.split(/\s+/) ?? [])];
  const at = ids.findIndex((id) => /^,|,$|[\p{C}]/u.test(id) || id.length > 200);
  if (at < 0) return ids;
  const message = `the value of ${variableText(name)} holds a model id that does not fit (number ${at + 1})`;
  wrongVariable(reading, path, message, 'separate the ids by blanks or line ends, not by commas');
  return ids.toSpliced(at, 1);
}

function variableValue(reading: TargetReading, path: Path, name: string): string | null {
  const { env, live } = reading;
  const value = env[name]?.trim() ?? '';
  if (value === '') {
    const state = env[name] === undefined ? 'is not set' : 'is empty';
    const use = `${String(path.at(-1))} of target "${String(path.at(-2))}"`;
    return wrongVariable(reading, path, `${variableText(name)} ${state}; it is used as ${use}`, variableHint(name));
  }
  if (!live.holds(value) && !/(?:^|[^\w-])sk-[\w-]{16,}/.test(value)) return value;
  const message = `the value of ${variableText(name)} holds a key`;
  return wrongVariable(reading, path, message, 'keys belong into a variable of their own');
}

/** Where the file names the variable, without its value: it may be a key, put into the wrong variable. */
function wrongVariable({ file, problems }: TargetReading, path: Path, message: string, hint: string): null {
  problems.push(problemAt(file, [...path, 'env'], message, hint));
  return null;
}

/** The environment variables that a target names, and where. */
function* variablesIn(file: SourceFile, path: Path, target: TargetFile): Generator<readonly [string, Spot]> {
  for (const [name, value] of Object.entries(target.headers ?? {})) {
    if (typeof value !== 'string' && 'env' in value) yield [value.env, file.spotOf([...path, 'headers', name, 'env'])];
  }
  if (target.api_key_env !== undefined) yield [target.api_key_env, file.spotOf([...path, 'api_key_env'])];
}

function limitsOf(limits: LimitsFile): Limits {
  return {
    concurrency: limits.concurrency ?? 4,
    requestsPerMinute: limits.requests_per_minute ?? null,
    tokensPerMinute: limits.tokens_per_minute ?? null,
    timeoutSeconds: limits.timeout_s ?? 60,
    retries: limits.retries ?? 3,
  };
}

/** Headers that the client sets itself: a second value would break the request. */
const ownHeaders = 'host connection content-length content-type transfer-encoding accept te upgrade'.split(' ');

function* headerProblems(
  file: SourceFile,
  target: Path,
  { headers = {}, api_key_env, api_key }: TargetFile,
): Generator<Problem> {
  const seen = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    const twin = seen.get(lower);
    seen.set(lower, name);
    const wrong = (message: string, hint?: string, part: 'key' | 'value' = 'key'): Problem =>
      problemAt(file, [...target, 'headers', name], message, hint, { part });
    if (!accepts(() => validateHeaderName(name))) {
      yield wrong(`${writtenJson(name)} is not a header name`);
    } else if (ownHeaders.includes(lower)) {
      yield wrong(`the header ${name} is set by chatspec itself`, 'remove it');
    } else if (twin !== undefined) {
      yield wrong(`the headers ${twin} and ${name} are the same`, 'remove one of them');
    } else if (lower === 'authorization' && (api_key_env ?? api_key) !== undefined) {
      yield wrong(
        `the header authorization already comes from ${api_key === undefined ? 'api_key_env' : 'api_key'}`,
        'remove one of the two',
      );
    } else if (typeof value !== 'string') {
      continue;
    } else if (isCredentialHeader(name) || looksLikeKey(value)) {
      const hint = `write ${name}: { env: NAME } and put the value into that environment variable`;
      yield wrong(`the header ${name} contains a credential, but keys may not be in the file`, hint);
    } else if (!accepts(() => validateHeaderValue(name, value))) {
      const message = `the value of the header ${name} contains a character that is not allowed in a header`;
      yield wrong(message, undefined, 'value');
    }
  }
}

function* keylessProblems(
  file: SourceFile,
  path: Path,
  { api_key_env, api_key, headers = {} }: TargetFile,
): Generator<Problem> {
  if (api_key_env !== undefined && api_key !== undefined) {
    const message = 'the key comes from api_key_env and from api_key';
    yield problemAt(file, [...path, 'api_key'], message, 'remove one of the two', { part: 'key' });
  }
  if (api_key_env !== undefined || api_key !== undefined || Object.keys(headers).some(isCredentialHeader)) return;
  const message = `target "${String(path.at(-1))}" has no api_key_env, so its requests carry no key`;
  const hint = 'add api_key_env: NAME_OF_THE_VARIABLE, unless the service needs no key';
  yield problemAt(file, path, message, hint, { severity: 'warning', part: 'key' });
}

function accepts(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

/** A model with the defaults filled in: over what its target says for all, and under what the command line says. */
function mergedModelConfig(
  target: string,
  model: ModelFile,
  all: TargetFile,
  over: TargetReading['over'],
): Omit<ModelConfig, 'place'> {
  const written: Exclude<ModelFile, string> = typeof model === 'string' ? { id: model } : model;
  return {
    key: modelKey(target, written.id),
    target,
    id: written.id,
    as: written.as ?? null,
    concurrency: written.concurrency ?? null,
    requestsPerMinute: written.requests_per_minute ?? all.requests_per_minute ?? null,
    price: written.price ?? all.price ?? null,
    vars: written.vars ?? {},
    request: [written.request ?? {}, over.request].reduce(joinedPatch, all.request ?? {}),
    rename: { ...all.rename, ...written.rename, ...over.rename },
    settings: mergedSettings(all.settings ?? {}, written.settings ?? {}),
    control: written.control ?? {},
    retired: written.retired ?? null,
  };
}

/** The merge patch that does what the first does and then the second: null, which removes a field, stays. */
function joinedPatch(first: JsonObject, second: JsonObject): JsonObject {
  const members = Object.entries(second).map(([name, value]) => {
    const before = first[name];
    return [name, isObject(value) && isObject(before) ? joinedPatch(before, value) : value] as const;
  });
  return { ...first, ...Object.fromEntries(members) };
}

/** Merges label by label; null in the model removes an axis. */
function mergedSettings(target: SettingsFile, model: SettingsFile): Settings {
  const axes = new Map<string, Record<string, JsonObject | null>>();
  for (const [axis, labels] of [...Object.entries(target), ...Object.entries(model)]) {
    if (labels === null) {
      axes.delete(axis);
    } else {
      axes.set(axis, { ...axes.get(axis), ...labels });
    }
  }
  return Object.fromEntries(axes);
}

/** Models of one target with the same id, or the same common name. */
function* duplicateModelProblems(file: SourceFile, target: string, models: readonly ModelFile[]): Generator<Problem> {
  const path = ['targets', target, 'models'];
  const first = new Map<string, number>();
  for (const [index, model] of models.entries()) {
    const { id, as } = typeof model === 'string' ? { id: model } : model;
    for (const [kind, name] of Object.entries({ id, as })) {
      const before = first.get(`${kind} ${name}`);
      if (before === undefined) first.set(`${kind} ${name}`, index);
      if (before === undefined || name === undefined) continue;
      const { line } = file.spotOf([...path, before]).place;
      const message =
        kind === 'id'
          ? `the model "${name}" is listed twice for target "${target}" (first on line ${line})`
          : `two models of target "${target}" are called "${name}" (first on line ${line})`;
      yield problemAt(file, [...path, index], message, 'remove or rename one of the two');
    }
  }
}
