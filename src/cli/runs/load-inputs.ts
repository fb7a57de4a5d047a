import { dirname, resolve } from 'node:path';
import { askListed, listedIds } from '../../assemble/ask-listed.js';
import { credentialProblems } from '../../assemble/connect.js';
import { type Environment, loadProject, planRun, type Project, type ProjectOptions } from '../../assemble/project.js';
import { modelsMeant, namesOfModel } from '../../cell/model-names.js';
import { type Config, type ModelConfig, type TargetConfig } from '../../config/config.js';
import { readEnvironment } from '../../config/credentials.js';
import { type ConfigAdditions, loadConfig } from '../../config/load-config.js';
import { didYouMean, listedNames } from '../../files/problems/nearest.js';
import { type Problem, UserError, userError, warningsOrThrow } from '../../files/problems/problem.js';
import type { PlanOptions } from '../../plan/make-plan.js';
import type { LeftOpen, Plan } from '../../plan/plan.js';
import type { RunStarted } from '../../journal/event.js';
import { latestFolder } from '../../report/history/read-history.js';
import { recordedRunStart } from '../options/recorded-options.js';
import {
  configName,
  optionNames,
  numberOf,
  optionChoice,
  type Options,
  shardOf,
  optionText,
  optionChoices,
} from '../options/options.js';
import { addressConfigFile, fromCommandLine } from './address-config.js';
import { type Io, printProblems } from '../terminal/io.js';

/** The config that `--config` names, and where its variables come from. */
export function configFileOptions(options: Options, io: Io): readonly [file: string, options: ProjectOptions] {
  const file = resolve(io.cwd, configName(options));
  return [file, { env: io.env, envFolder: io.cwd }];
}

/** The config that the command line names or is, with what it says over it. Throws a UserError. */
async function configSource(
  options: Options,
  io: Io,
): Promise<{ readonly file: string; readonly where: ProjectOptions; readonly warnings: readonly Problem[] }> {
  const [file, where] = configFileOptions(options, io);
  const { env } = await readEnvironment([io.cwd, dirname(file)], io.env);
  const ids = optionNames(options, 'model') ?? optionNames(options, 'models') ?? [];
  if (optionText(options, 'base-url') !== undefined && ids.length === 0) {
    throw userError(
      'no model is named',
      `with --base-url, name ids: --models a,b, or '*' for all that the service lists`,
    );
  }
  const { warnings, ...said } = await fromCommandLine(options, ids, env);
  return { file: said.text === undefined ? file : addressConfigFile(io), where: { ...where, ...said }, warnings };
}

const saidOf = ({ text, request, rename }: ProjectOptions): ConfigAdditions => ({
  ...(text !== undefined && { text }),
  ...(request && { request }),
  ...(rename && { rename }),
});

/**
 * The config, as far as it is needed to reach its models; suites and baseline may be missing or wrong. Throws a
 * UserError.
 * @param asksLists services are asked for the models that the config leaves to them
 */
export async function loadTargets(
  options: Options,
  io: Io,
  asksLists: boolean,
): Promise<Pick<Project, 'config' | 'env' | 'keys'> & { readonly warnings: readonly Problem[] }> {
  const source = await configSource(options, io);
  const { file, where } = source;
  const { env, problems } = await readEnvironment([io.cwd, dirname(file)], io.env);
  const load = async (listed: ReadonlyMap<string, readonly string[]> = new Map()) => {
    const { config, problems: ofConfig, live: keys } = await loadConfig(file, env, { ...saidOf(where), listed });
    const warnings = warningsOrThrow([...problems, ...ofConfig, ...source.warnings]);
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
  const { file, where, warnings } = await configSource(options, io);
  const known = typeof listed === 'object' ? new Map(Object.entries(listed)) : listed;
  const inputs = await loadProject(file, known === undefined ? where : { ...where, listed: known });
  return { ...inputs, warnings: [...warnings, ...inputs.warnings] };
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
  const all = ['models', 'suites', 'only', 'skip', 'tags'] as const;
  // At an address, the models that are named are all that there are.
  const filters = optionText(options, 'base-url') === undefined ? all : all.filter((name) => name !== 'models');
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

/** The models that a name or a pattern means. Throws a UserError where there is none. */
export function modelsNamed(all: readonly ModelConfig[], text: string): readonly ModelConfig[] {
  const found = modelsMeant(all, text);
  if (found.length > 0) return found;
  throw userError(`the config has no model "${text}"`, didYouMean(text, all.flatMap(namesOfModel), 'its models'));
}

/** The model that is asked, with the config around it. */
interface ChosenModel {
  readonly project: Pick<Project, 'config' | 'env' | 'keys'>;
  readonly target: TargetConfig;
  readonly model: ModelConfig;
  readonly warnings: readonly Problem[];
}

const noModel = 'check asks one model: --model MODEL';

/** The model that `--model` names: of the config, or with `--base-url` at that address. Throws a UserError. */
export async function askedModel(options: Options, io: Io): Promise<ChosenModel> {
  const name = optionText(options, 'model');
  const isAddressed = optionText(options, 'base-url') !== undefined;
  if (isAddressed && name === undefined) {
    throw userError(noModel, 'with --base-url, it is the id that the service knows');
  }
  const { warnings, ...project } = await loadTargets(options, io, true);
  const all = project.config.targets.flatMap(({ models }) => models);
  const [model, ...others] = name === undefined || isAddressed ? all : modelsNamed(all, name);
  const target = project.config.targets.find((one) => one.name === model?.target);
  if (model === undefined || target === undefined) throw userError(noModel);
  if (others.length === 0) return { project, target, model, warnings };
  const hint = listedNames(
    'name one of them',
    [model, ...others].map(({ key }) => key),
  );
  throw userError(name === undefined ? noModel : `several models are called "${name}"`, hint);
}
