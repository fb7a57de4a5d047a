import { dirname, resolve } from 'node:path';
import { credentialProblems } from '../../assemble/connect.js';
import { type Environment, loadProject, planRun, type Project, type ProjectOptions } from '../../assemble/project.js';
import { compileGlob } from '../../cell/cell-pattern.js';
import type { TargetConfig, ModelConfig } from '../../config/config.js';
import { readEnvironment } from '../../config/credentials.js';
import { loadConfig } from '../../config/load-config.js';
import { type Problem, UserError, userError, warningsOrThrow } from '../../files/problems/problem.js';
import type { PlanOptions } from '../../plan/make-plan.js';
import type { LeftOpen, Plan } from '../../plan/ticket.js';
import { configOption } from '../../report/words/shell-word.js';
import { namesIn, numberOf, oneOf, type Options, profiles, shardOf, textOf } from '../options/options.js';
import { type Io, printProblems } from '../terminal/io.js';
import { didYouMean } from '../../files/problems/nearest.js';

/** The config that `--config` names, and where its variables come from. */
export function projectFile(options: Options, io: Io): readonly [file: string, options: ProjectOptions] {
  const file = resolve(io.cwd, textOf(options, 'config') ?? 'chatspec.yaml');
  return [file, { env: io.env, envFolder: io.cwd }];
}

/** Of the config, what is needed to reach its models; suites and baseline may be missing or wrong. Throws a UserError. */
export async function loadTargets(
  options: Options,
  io: Io,
): Promise<Pick<Project, 'config' | 'env' | 'keys'> & { readonly warnings: readonly Problem[] }> {
  const [file] = projectFile(options, io);
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
  const { project, warnings } = await loadProject(...projectFile(options, io));
  return { project, warnings: warnings.map(namingConfig(options)) };
}

/** A command in a hint is to be typed as it is, so it must read the same config. */
function namingConfig(options: Options): (problem: Problem) => Problem {
  const option = configOption(textOf(options, 'config'));
  const commands = /\bchatspec (?:baseline accept RUN|list)\b/;
  return ({ hint, ...problem }) =>
    hint === undefined ? problem : { ...problem, hint: hint.replace(commands, (command) => `${command}${option}`) };
}

/**
 * The plan that the options ask for, and the warnings of the files with its own. Throws a UserError for a filter that
 * matches nothing and the like.
 * @param lastFailed only these cells, and what they need
 */
export function planFor(
  { project, warnings: ofFiles }: Inputs,
  options: Options,
  lastFailed?: LeftOpen,
): { readonly plan: Plan; readonly warnings: readonly Problem[] } {
  const asked = { ...planOptions(options), ...(lastFailed && { lastFailed }), shard: shardOf(options) };
  try {
    const { plan, warnings } = planRun(project, asked);
    return { plan, warnings: [...ofFiles, ...warnings] };
  } catch (error) {
    throw error instanceof UserError ? new UserError(error.problems.map(namingConfig(options))) : error;
  }
}

export function planOptions(options: Options): PlanOptions {
  const filters = ['models', 'suites', 'only', 'skip', 'tags'] as const;
  const given = filters.flatMap((name) => {
    const names = namesIn(options, name);
    return names === undefined ? [] : [[name, names] as const];
  });
  const trials = numberOf(options, 'trials');
  const seed = numberOf(options, 'seed');
  return {
    ...Object.fromEntries(given),
    profile: oneOf(options, 'profile', profiles, 'standard'),
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
