import { dirname, resolve } from 'node:path';
import { askListed, listedIds } from '../../assemble/ask-listed.js';
import { credentialProblems } from '../../assemble/connect.js';
import { type Environment, loadProject, planRun, type Project, type ProjectOptions } from '../../assemble/project.js';
import { compileGlob } from '../../cell/cell-pattern.js';
import { type Config, type ModelConfig, type TargetConfig, usualMaxUnmeasured } from '../../config/config.js';
import { readEnvironment } from '../../config/credentials.js';
import { loadConfig } from '../../config/load-config.js';
import { readBaseUrl } from '../../config/read-base-url.js';
import { didYouMean, listedNames } from '../../files/problems/nearest.js';
import { type Problem, UserError, userError, warningsOrThrow } from '../../files/problems/problem.js';
import { createMasker } from '../../masking/masker.js';
import type { PlanOptions } from '../../plan/make-plan.js';
import type { LeftOpen, Plan } from '../../plan/ticket.js';
import type { RunStarted } from '../../journal/event.js';
import { latestFolder } from '../../report/history/read-history.js';
import { recordedRunStart } from '../options/recorded-options.js';
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
 * @param asksLists services are asked for the models that the config leaves to them
 */
export async function loadTargets(
  options: Options,
  io: Io,
  asksLists: boolean,
): Promise<Pick<Project, 'config' | 'env' | 'keys'> & { readonly warnings: readonly Problem[] }> {
  const [file] = configFileOptions(options, io);
  const { env, problems } = await readEnvironment([io.cwd, dirname(file)], io.env);
  const load = async (listed?: ReadonlyMap<string, readonly string[]>) => {
    const { config, problems: ofConfig, live: keys } = await loadConfig(file, env, listed);
    const warnings = warningsOrThrow([...problems, ...ofConfig]);
    if (config === null) throw new UserError(ofConfig);
    return { config, env, keys, warnings };
  };
  const loaded = await load();
  if (!asksLists || listedIds(loaded.config.targets) === null) return loaded;
  const asked = await askListed(loaded.config.targets, null, env);
  const whole = await load(asked.ids);
  return { ...whole, warnings: [...whole.warnings, ...asked.warnings] };
}

/** The files, and what is doubtful in them. Warnings are printed once the command line is known to be right. */
export interface Inputs {
  readonly project: Project;
  readonly warnings: readonly Problem[];
}

/**
 * Reads config, suites and baseline. Throws errors as a UserError.
 * @param listed the models of targets whose services list them: those of a run, or `ask`
 */
export async function loadInputs(options: Options, io: Io, listed?: 'ask' | RunStarted['listed']): Promise<Inputs> {
  const [file, where] = configFileOptions(options, io);
  const known = typeof listed === 'object' ? new Map(Object.entries(listed)) : listed;
  return loadProject(file, known === undefined ? where : { ...where, listed: known });
}

/** By target, the models that services listed for the newest run; undefined: it is not known, or none was asked. */
export async function listsBefore(config: Config): Promise<RunStarted['listed']> {
  if (listedIds(config.targets) === null) return undefined;
  return (await recordedRunStart(latestFolder(config)))?.listed;
}

/** Reads them for a verb that sends nothing: where services list the models, with those of the newest run. */
export async function loadInputsAsBefore(options: Options, io: Io): Promise<Inputs> {
  const inputs = await loadInputs(options, io);
  const { config } = inputs.project;
  const unlisted = config.targets.filter(({ listed, models }) => listed && models.length === 0);
  if (unlisted.length === 0) return inputs;
  const before = await listsBefore(config);
  if (before !== undefined) return loadInputs(options, io, before);
  const warnings = unlisted.map(({ name, place }): Problem => ({
    severity: 'warning',
    place,
    message: `the models of target "${name}" are not known before a run has asked its service for them`,
  }));
  return { ...inputs, warnings: [...inputs.warnings, ...warnings] };
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
  const { warnings, ...project } = await loadTargets(options, io, true);
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
