import { dirname, resolve } from 'node:path';
import { credentialProblems } from '../../assemble/connect.js';
import { type Environment, loadProject, planRun, type Project, type ProjectOptions } from '../../assemble/project.js';
import { compileGlob } from '../../cell/cell-pattern.js';
import { type ModelConfig, type TargetConfig, usualMaxUnmeasured } from '../../config/config.js';
import { readEnvironment } from '../../config/credentials.js';
import { loadConfig } from '../../config/load-config.js';
import { readBaseUrl } from '../../config/read-base-url.js';
import { didYouMean, listedNames } from '../../files/problems/nearest.js';
import { type Problem, UserError, userError, warningsOrThrow } from '../../files/problems/problem.js';
import { createMasker } from '../../masking/masker.js';
import type { PlanOptions } from '../../plan/make-plan.js';
import type { LeftOpen, Plan } from '../../plan/ticket.js';
import {
  optionNames,
  numberOf,
  optionChoice,
  type Options,
  shardOf,
  optionText,
  optionChoices,
} from '../options/options.js';
import { type Io, printProblems } from '../terminal/io.js';

/** The config that `--config` names, and where its variables come from. */
export function configFileOptions(options: Options, io: Io): readonly [file: string, options: ProjectOptions] {
  const file = resolve(io.cwd, optionText(options, 'config') ?? 'chatspec.yaml');
  return [file, { env: io.env, envFolder: io.cwd }];
}

/**
 * Of the config, what is needed to reach its models; suites and baseline may be missing or wrong. Throws a UserError.
 */
export async function loadTargets(
  options: Options,
  io: Io,
): Promise<Pick<Project, 'config' | 'env' | 'keys'> & { readonly warnings: readonly Problem[] }> {
  const [file] = configFileOptions(options, io);
  const { env, problems } = await readEnvironment([io.cwd, dirname(file)], io.env);
  const { config, problems: ofConfig, live: keys } = await loadConfig(file, env);
  const warnings = warningsOrThrow([...problems, ...ofConfig]);
  if (config === null) throw new UserError(ofConfig);
  return { config, env, keys, warnings };
}

/** The files, and what is doubtful in them. Warnings are printed once the command line is known to be right. */
export interface Inputs {
  readonly project: Project;
  readonly warnings: readonly Problem[];
}

/** Reads config, suites and baseline. Throws errors as a UserError. */
export async function loadInputs(options: Options, io: Io): Promise<Inputs> {
  return loadProject(...configFileOptions(options, io));
}

/**
 * The plan that the options ask for, and the warnings of the files with its own. Throws a UserError for a filter that
 * matches nothing and the like.
 * @param lastFailed only these cells, and what they need
 */
export function planInputs(
  { project, warnings: ofFiles }: Inputs,
  options: Options,
  lastFailed?: LeftOpen,
): { readonly plan: Plan; readonly warnings: readonly Problem[] } {
  const asked = { ...planOptions(options), ...(lastFailed && { lastFailed }), shard: shardOf(options) };
  const { plan, warnings } = planRun(project, asked);
  return { plan, warnings: [...ofFiles, ...warnings] };
}

export function planOptions(options: Options): PlanOptions {
  const filters = ['models', 'suites', 'only', 'skip', 'tags'] as const;
  const given = filters.flatMap((name) => {
    const names = optionNames(options, name);
    return names === undefined ? [] : [[name, names] as const];
  });
  const trials = numberOf(options, 'trials');
  const seed = numberOf(options, 'seed');
  return {
    ...Object.fromEntries(given),
    profile: optionChoice(options, 'profile', optionChoices.profile, 'standard'),
    ...(trials === undefined ? {} : { trials }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** Before anything is sent: throws a UserError with every key that is missing, and prints warnings for unusual ones. */
export function checkCredentials(targets: readonly TargetConfig[], env: Environment, io: Io): void {
  printProblems(warningsOrThrow(credentialProblems(targets, env)), io);
}

/** The same for a verb that sends nothing: there, a missing key is only worth a warning. */
export function credentialWarnings(targets: readonly TargetConfig[], env: Environment): readonly Problem[] {
  return credentialProblems(targets, env).map((problem) => ({ ...problem, severity: 'warning' }));
}

/** The models that a name or a pattern means: by key, id or common name. Throws a UserError where there is none. */
export function modelsNamed(all: readonly ModelConfig[], text: string): readonly ModelConfig[] {
  const namesOf = ({ key, id, as }: ModelConfig): readonly string[] => [key, id, ...(as === null ? [] : [as])];
  const found = all.filter((model) => namesOf(model).some(compileGlob(text)));
  if (found.length > 0) return found;
  throw userError(`the config has no model "${text}"`, didYouMean(text, all.flatMap(namesOf), 'its models'));
}

/** The model that is asked, with the config around it. */
interface ChosenModel {
  readonly project: Pick<Project, 'config' | 'env' | 'keys'>;
  readonly target: TargetConfig;
  readonly model: ModelConfig;
  readonly warnings: readonly Problem[];
}

const usualKey = 'CHATSPEC_API_KEY';
const noModel = 'check asks one model: --model MODEL';

/** The model that `--model` names: of the config, or with `--base-url` at that address. Throws a UserError. */
export async function askedModel(options: Options, io: Io): Promise<ChosenModel> {
  const address = optionText(options, 'base-url');
  if (address !== undefined) return modelAtAddress(address.trim(), options, io);
  if (optionText(options, 'api-key-env') !== undefined) {
    throw userError('--api-key-env belongs to --base-url', 'in a config, api_key_env of the target names the variable');
  }
  const { warnings, ...project } = await loadTargets(options, io);
  const all = project.config.targets.flatMap(({ models }) => models);
  const name = optionText(options, 'model');
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
async function modelAtAddress(address: string, options: Options, io: Io): Promise<ChosenModel> {
  const read = readBaseUrl(address);
  if (!read.ok) throw userError(read.message.replace('base_url', '--base-url'), read.hint);
  const id = optionText(options, 'model');
  if (id === undefined) throw userError(noModel, 'with --base-url, it is the id that the service knows');
  const { env, problems } = await readEnvironment([io.cwd], io.env);
  const name = read.baseUrl === 'simulator' ? 'simulator' : 'service';
  const usual = (env[usualKey] ?? '').trim() === '' ? null : usualKey;
  const variable = optionText(options, 'api-key-env') ?? usual;
  const keyless: Problem = {
    severity: 'warning',
    place: null,
    message: `${usualKey} is not set, so the requests carry no key`,
    hint: `export ${usualKey}=..., or name another variable with --api-key-env, unless the service needs no key`,
  };
  const doubts = variable === null && name === 'service' ? [keyless] : [];
  const file = resolve(io.cwd, 'chatspec.yaml');
  const place = { file, line: 1, column: 1 };
  const model: ModelConfig = {
    key: `${name}/${id}`,
    target: name,
    id,
    as: null,
    concurrency: null,
    price: null,
    vars: {},
    request: {},
    rename: {},
    settings: {},
    control: {},
    retired: null,
    place,
  };
  const target: TargetConfig = {
    name,
    baseUrl: read.baseUrl,
    apiKeyEnv: variable,
    headers: {},
    models: [model],
    place,
    limits: { concurrency: 4, requestsPerMinute: null, tokensPerMinute: null, timeoutSeconds: 120, retries: 3 },
    variables: variable === null ? [] : [variable],
  };
  const keys = createMasker((target.variables ?? []).flatMap((one) => env[one]?.trim() || []));
  const config = {
    file,
    targets: [target],
    suites: [],
    baseline: null,
    out: '',
    maxUnmeasured: usualMaxUnmeasured,
    redact: [],
    budget: { requests: null, tokens: null, cost: null },
  };
  return { project: { config, env, keys }, target, model, warnings: [...warningsOrThrow(problems), ...doubts] };
}
