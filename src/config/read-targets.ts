import { validateHeaderName, validateHeaderValue } from 'node:http';
import { problemAt } from '../files/problems/problem-at.js';
import type { Problem } from '../files/problems/problem.js';
import type { Path, SourceFile, Spot } from '../files/source.js';
import type { JsonObject } from '../json/json.js';
import type { LimitsFile, ModelFile, SettingsFile } from './config-file.js';
import type { Limits, TargetConfig, ModelConfig, Settings } from './config.js';
import type { FilledConfig, FilledTarget } from './from-environment.js';
import { readBaseUrl } from './read-base-url.js';
import { isSecretName, looksLikeKey } from './secrets.js';

/** The targets of a config file that conforms to its schema. */
export function readTargets(file: SourceFile, data: FilledConfig): { targets: TargetConfig[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const variables = Object.entries(data.targets).flatMap(([name, target]) =>
    [...variablesIn(file, ['targets', name], target)].map(([variable]) => variable),
  );
  const targets = Object.entries(data.targets).map(([name, target]): TargetConfig => {
    const path = ['targets', name];
    const url = readBaseUrl(target.base_url.trim());
    const fault = url.ok ? url.doubt : url;
    if (fault !== null) {
      const severity = url.ok ? 'warning' : 'error';
      problems.push(problemAt(file, [...path, 'base_url'], fault.message, fault.hint, { severity }));
    }
    problems.push(...headerProblems(file, path, target), ...keylessProblems(file, path, target));
    const read = readModels(file, name, target);
    problems.push(...read.problems);
    return {
      name,
      baseUrl: url.ok ? url.baseUrl : target.base_url,
      apiKeyEnv: target.api_key_env ?? null,
      headers: target.headers ?? {},
      limits: limitsOf(target.limits ?? {}),
      models: read.models,
      place: file.placeOf(path, 'key'),
      namedAt: new Map(variablesIn(file, path, target)),
      variables,
    };
  });
  return { targets, problems };
}

/** The environment variables that a target names, and where. */
function* variablesIn(file: SourceFile, path: Path, target: FilledTarget): Generator<readonly [string, Spot]> {
  for (const [name, value] of Object.entries(target.headers ?? {})) {
    if (typeof value !== 'string') yield [value.env, file.spotOf([...path, 'headers', name, 'env'])];
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
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'accept',
  'te',
  'upgrade',
]);
const credentialHeader = /^(authorization|proxy-authorization|cookie|x-api-key|api-key)$/i;

/** Whether a header's name says that it carries a credential. */
export function isCredentialHeader(name: string): boolean {
  return credentialHeader.test(name) || isSecretName(name);
}

function* headerProblems(file: SourceFile, target: Path, { headers, api_key_env }: FilledTarget): Generator<Problem> {
  const seen = new Map<string, string>();
  for (const [name, value] of Object.entries(headers ?? {})) {
    const path = [...target, 'headers', name];
    const twin = seen.get(name.toLowerCase());
    seen.set(name.toLowerCase(), name);
    if (!accepts(() => validateHeaderName(name))) {
      yield problemAt(file, path, `${JSON.stringify(name)} is not a header name`, undefined, { part: 'key' });
    } else if (ownHeaders.has(name.toLowerCase())) {
      yield problemAt(file, path, `the header ${name} is set by chatspec itself`, 'remove it', { part: 'key' });
    } else if (twin !== undefined) {
      yield problemAt(file, path, `the headers ${twin} and ${name} are the same`, 'remove one of them', {
        part: 'key',
      });
    } else if (name.toLowerCase() === 'authorization' && api_key_env !== undefined) {
      yield problemAt(file, path, 'the header authorization already comes from api_key_env', 'remove one of the two', {
        part: 'key',
      });
    } else if (typeof value !== 'string') continue;
    else if (isCredentialHeader(name) || looksLikeKey(value)) {
      yield problemAt(
        file,
        path,
        `the header ${name} contains a credential, but keys may not be in the file`,
        `write ${name}: { env: NAME } and put the value into that environment variable`,
        { part: 'key' },
      );
    } else if (!accepts(() => validateHeaderValue(name, value))) {
      yield problemAt(
        file,
        path,
        `the value of the header ${name} contains a character that is not allowed in a header`,
      );
    }
  }
}

function* keylessProblems(file: SourceFile, path: Path, target: FilledTarget): Generator<Problem> {
  if (target.base_url.trim() === 'simulator' || target.api_key_env !== undefined) return;
  const names = Object.keys(target.headers ?? {});
  if (names.some((name) => credentialHeader.test(name))) return;
  yield problemAt(
    file,
    path,
    `target "${String(path.at(-1))}" has no api_key_env, so its requests carry no key`,
    'add api_key_env: NAME_OF_THE_VARIABLE, unless the service needs no key',
    { severity: 'warning', part: 'key' },
  );
}

function accepts(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

/** The models of one target: defaults filled in, settings merged over the target's. */
function readModels(
  file: SourceFile,
  target: string,
  { models, settings }: FilledTarget,
): { models: ModelConfig[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const first = new Map<string, number>();
  const read = models.map((model, index): ModelConfig => {
    const path = ['targets', target, 'models', index];
    const written: Exclude<ModelFile, string> = typeof model === 'string' ? { id: model } : model;
    for (const [kind, name] of [
      ['id', written.id],
      ['as', written.as],
    ] as const) {
      if (name === undefined) continue;
      const twin = first.get(`${kind} ${name}`);
      if (twin === undefined) first.set(`${kind} ${name}`, index);
      else problems.push(listedTwice(file, target, kind, name, twin, index));
    }
    return {
      key: `${target}/${written.id}`,
      target,
      id: written.id,
      as: written.as ?? null,
      concurrency: written.concurrency ?? null,
      price: written.price ?? null,
      vars: written.vars ?? {},
      request: written.request ?? {},
      rename: written.rename ?? {},
      settings: mergedSettings(settings ?? {}, written.settings ?? {}),
      control: written.control ?? {},
      retired: written.retired ?? null,
      place: file.placeOf(path),
    };
  });
  return { models: read, problems };
}

/** Merges label by label; null in the model removes an axis. */
function mergedSettings(target: SettingsFile, model: SettingsFile): Settings {
  const axes = new Map<string, Record<string, JsonObject | null>>();
  for (const [axis, labels] of [...Object.entries(target), ...Object.entries(model)]) {
    if (labels === null) axes.delete(axis);
    else axes.set(axis, Object.fromEntries([...Object.entries(axes.get(axis) ?? {}), ...Object.entries(labels)]));
  }
  return Object.fromEntries(axes);
}

function listedTwice(
  file: SourceFile,
  target: string,
  kind: 'id' | 'as',
  name: string,
  first: number,
  second: number,
): Problem {
  const { line } = file.placeOf(['targets', target, 'models', first]);
  const message =
    kind === 'id'
      ? `the model "${name}" is listed twice for target "${target}" (first on line ${line})`
      : `two models of target "${target}" are called "${name}" (first on line ${line})`;
  return problemAt(file, ['targets', target, 'models', second], message, 'remove or rename one of the two');
}
