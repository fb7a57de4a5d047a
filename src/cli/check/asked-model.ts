import { resolve } from 'node:path';
import type { Project } from '../../assemble/project.js';
import { type Config, type ModelConfig, type TargetConfig, usualMaxUnmeasured } from '../../config/config.js';
import { readEnvironment } from '../../config/index.js';
import { readBaseUrl } from '../../config/read-base-url.js';
import { nearHint, nearNames } from '../../files/problems/nearest.js';
import { type Problem, userError, warningsOrThrow } from '../../files/problems/problem.js';
import { createMasker } from '../../masking/masker.js';
import { textOf } from '../options/options.js';
import { loadInputs } from '../runs/load-inputs.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';

/** The model that is asked, with the config around it. */
export interface AskedModel {
  readonly project: Pick<Project, 'config' | 'env' | 'keys'>;
  readonly target: TargetConfig;
  readonly model: ModelConfig;
  readonly warnings: readonly Problem[];
}

const usualKey = 'CHATSPEC_API_KEY';

/** The model that `--model` names: of the config, or with `--base-url` at that address. Throws a UserError. */
export async function askedModel(options: Options, io: Io): Promise<AskedModel> {
  return textOf(options, 'base-url') === undefined
    ? await modelOfConfig(options, io)
    : await modelAtAddress(options, io);
}

async function modelOfConfig(options: Options, io: Io): Promise<AskedModel> {
  if (textOf(options, 'api-key-env') !== undefined) {
    throw userError('--api-key-env belongs to --base-url', 'in a config, api_key_env of the target names the variable');
  }
  const { project, warnings } = await loadInputs(options, io, { comparesNothing: true });
  const { targets } = project.config;
  const name = textOf(options, 'model');
  const all = targets.flatMap((target) => target.models.map((model) => ({ target, model })));
  const chosen = name === undefined ? all : all.filter(({ model }) => modelNames(model).includes(name));
  const [first] = chosen;
  const names = all.map(({ model }) => model.key);
  if (first === undefined) {
    const near = nearNames(
      name ?? '',
      all.flatMap(({ model }) => modelNames(model)),
    );
    const known = { title: 'its models', names, command: 'chatspec list' };
    throw userError(`the config has no model "${name ?? ''}"`, nearHint(near, known));
  }
  if (chosen.length > 1) {
    const keys = chosen.map(({ model }) => model.key);
    if (name === undefined) throw userError('check asks one model: --model MODEL', `the config has ${listed(keys)}`);
    throw userError(`several targets have a model "${name}"`, `name one of them: ${listed(keys)}`);
  }
  return { project, ...first, warnings };
}

/** By what a model may be called on a command line. */
export function modelNames({ key, id, as }: ModelConfig): readonly string[] {
  return [key, id, ...(as === null ? [] : [as])];
}

function listed(names: readonly string[]): string {
  return names.length > 12 ? `${names.slice(0, 12).join(', ')} and ${names.length - 12} more` : names.join(', ');
}

/** Without a config: what one would say of this one model. */
async function modelAtAddress(options: Options, io: Io): Promise<AskedModel> {
  const read = readBaseUrl((textOf(options, 'base-url') ?? '').trim());
  if (!read.ok) throw userError(read.message.replace('base_url', '--base-url'), read.hint);
  const id = textOf(options, 'model');
  if (id === undefined)
    throw userError('check asks one model: --model MODEL', 'with --base-url, it is the id that the service knows');
  const { env, problems } = await readEnvironment([io.cwd], io.env);
  const warnings = [...warningsOrThrow(problems), ...(read.doubt === null ? [] : [doubtful(read.doubt)])];
  const named = textOf(options, 'api-key-env');
  const simulated = read.baseUrl === 'simulator';
  const variable = named ?? ((env[usualKey] ?? '').trim() === '' ? null : usualKey);
  if (variable === null && !simulated) {
    warnings.push(
      doubtful({
        message: `${usualKey} is not set, so the requests carry no key`,
        hint: `export ${usualKey}=..., or name another variable with --api-key-env, unless the service needs no key`,
      }),
    );
  }
  const place = { file: resolve(io.cwd, 'chatspec.yaml'), line: 1, column: 1 };
  const name = simulated ? 'simulator' : 'service';
  const model: ModelConfig = {
    ...{ key: `${name}/${id}`, target: name, id, as: null, concurrency: null, price: null, vars: {}, request: {} },
    ...{ rename: {}, settings: {}, control: {}, retired: null, place },
  };
  const target: TargetConfig = {
    ...{ name, baseUrl: read.baseUrl, apiKeyEnv: variable, headers: {}, models: [model], place },
    limits: { concurrency: 4, requestsPerMinute: null, tokensPerMinute: null, timeoutSeconds: 120, retries: 3 },
    variables: variable === null ? [] : [variable],
  };
  const keys = createMasker(variable === null ? [] : [env[variable]?.trim() ?? ''].filter((key) => key !== ''));
  return { project: { config: configOf(target, place.file), env, keys }, target, model, warnings };
}

function configOf(target: TargetConfig, file: string): Config {
  return {
    ...{ file, targets: [target], suites: [], baseline: null, out: '', maxUnmeasured: usualMaxUnmeasured, redact: [] },
    budget: { requests: null, tokens: null, cost: null },
  };
}

function doubtful({ message, hint }: { readonly message: string; readonly hint: string }): Problem {
  return { severity: 'warning', message: message.replace('base_url', '--base-url'), hint, place: null };
}
