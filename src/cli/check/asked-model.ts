import { resolve } from 'node:path';
import type { Project } from '../../assemble/project.js';
import { type ModelConfig, type TargetConfig, usualMaxUnmeasured } from '../../config/config.js';
import { readEnvironment } from '../../config/credentials.js';
import { readBaseUrl } from '../../config/read-base-url.js';
import { listedNames } from '../../files/problems/nearest.js';
import { type Problem, userError, warningsOrThrow } from '../../files/problems/problem.js';
import { createMasker } from '../../masking/masker.js';
import { type Options, textOf } from '../options/options.js';
import { loadTargets, modelsNamed } from '../runs/load-inputs.js';
import type { Io } from '../terminal/io.js';

/** The model that is asked, with the config around it. */
export interface AskedModel {
  readonly project: Pick<Project, 'config' | 'env' | 'keys'>;
  readonly target: TargetConfig;
  readonly model: ModelConfig;
  readonly warnings: readonly Problem[];
}

const usualKey = 'CHATSPEC_API_KEY';
const noModel = 'check asks one model: --model MODEL';

/** The model that `--model` names: of the config, or with `--base-url` at that address. Throws a UserError. */
export async function askedModel(options: Options, io: Io): Promise<AskedModel> {
  const address = textOf(options, 'base-url');
  if (address !== undefined) return modelAtAddress(address.trim(), options, io);
  if (textOf(options, 'api-key-env') !== undefined) {
    throw userError('--api-key-env belongs to --base-url', 'in a config, api_key_env of the target names the variable');
  }
  const { warnings, ...project } = await loadTargets(options, io);
  const all = project.config.targets.flatMap(({ models }) => models);
  const name = textOf(options, 'model');
  const [model, ...others] = name === undefined ? all : modelsNamed(all, name);
  const target = project.config.targets.find((one) => one.name === model?.target);
  if (model === undefined || target === undefined) throw userError(noModel);
  if (others.length === 0) return { project, target, model, warnings };
  const hint = listedNames(
    'name one of them',
    [model, ...others].map(({ key }) => key),
  );
  throw userError(name === undefined ? noModel : `several models are called "${name}"`, hint);
}

/** Without a config: what one would say of this one model. */
async function modelAtAddress(address: string, options: Options, io: Io): Promise<AskedModel> {
  const read = readBaseUrl(address);
  if (!read.ok) throw userError(read.message.replace('base_url', '--base-url'), read.hint);
  const id = textOf(options, 'model');
  if (id === undefined) throw userError(noModel, 'with --base-url, it is the id that the service knows');
  const { env, problems } = await readEnvironment([io.cwd], io.env);
  const name = read.baseUrl === 'simulator' ? 'simulator' : 'service';
  const usual = (env[usualKey] ?? '').trim() === '' ? null : usualKey;
  const variable = textOf(options, 'api-key-env') ?? usual;
  const keyless = {
    message: `${usualKey} is not set, so the requests carry no key`,
    hint: `export ${usualKey}=..., or name another variable with --api-key-env, unless the service needs no key`,
  };
  const doubts = [read.doubt, variable === null && name === 'service' ? keyless : null].flatMap(
    (doubt): readonly Problem[] => (doubt === null ? [] : [{ ...doubt, severity: 'warning', place: null }]),
  );
  const file = resolve(io.cwd, 'chatspec.yaml');
  const place = { file, line: 1, column: 1 };
  const model: ModelConfig = {
    ...{ key: `${name}/${id}`, target: name, id, as: null, concurrency: null, price: null, vars: {}, request: {} },
    ...{ rename: {}, settings: {}, control: {}, retired: null, place },
  };
  const target: TargetConfig = {
    ...{ name, baseUrl: read.baseUrl, apiKeyEnv: variable, headers: {}, models: [model], place },
    limits: { concurrency: 4, requestsPerMinute: null, tokensPerMinute: null, timeoutSeconds: 120, retries: 3 },
    variables: variable === null ? [] : [variable],
  };
  const keys = createMasker((target.variables ?? []).flatMap((one) => env[one]?.trim() || []));
  const config = {
    ...{ file, targets: [target], suites: [], baseline: null, out: '', maxUnmeasured: usualMaxUnmeasured, redact: [] },
    budget: { requests: null, tokens: null, cost: null },
  };
  return { project: { config, env, keys }, target, model, warnings: [...warningsOrThrow(problems), ...doubts] };
}
