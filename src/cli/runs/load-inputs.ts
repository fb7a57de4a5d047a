import { resolve } from 'node:path';
import { planRun } from '../../assemble/plan-run.js';
import { loadProject, type Project, type ProjectOptions } from '../../assemble/project.js';
import { type Problem, UserError } from '../../files/problems/problem.js';
import { configOption } from '../../report/words/shell-word.js';
import type { PlanOptions } from '../../plan/plan-options.js';
import type { LeftOpen, Plan } from '../../plan/ticket.js';
import { profiles } from '../options/closed-lists.js';
import { namesIn, oneOf, shardOf, textOf, wholeNumber } from '../options/options.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';

/** The config that `--config` names, and where its variables come from. */
export function projectFile(options: Options, io: Io): readonly [file: string, options: ProjectOptions] {
  const file = resolve(io.cwd, textOf(options, 'config') ?? 'chatspec.yaml');
  return [file, { env: io.env, envFolder: io.cwd }];
}

/** The files, and what is doubtful in them. Warnings are printed once the command line is known to be right. */
export interface Inputs {
  readonly project: Project;
  readonly warnings: readonly Problem[];
}

/** Reads config, suites and baseline. Throws errors as a UserError. */
export async function loadInputs(
  options: Options,
  io: Io,
  { comparesNothing = false }: Pick<ProjectOptions, 'comparesNothing'> = {},
): Promise<Inputs> {
  const [file, where] = projectFile(options, io);
  const { project, warnings } = await loadProject(file, { ...where, comparesNothing });
  return { project, warnings: warnings.map(namingConfig(textOf(options, 'config'))) };
}

/** A command in a hint is to be typed as it is, so it must read the same config. */
function namingConfig(config: string | undefined): (problem: Problem) => Problem {
  const commands = /\bchatspec (?:baseline accept RUN|list)\b/;
  return (problem) =>
    problem.hint === undefined
      ? problem
      : { ...problem, hint: problem.hint.replace(commands, (command) => `${command}${configOption(config)}`) };
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
  const { plan, warnings } = withCommands(options, () => planRun(project, asked));
  return { plan, warnings: [...ofFiles, ...warnings] };
}

/** Its errors name commands that read the same config. */
function withCommands<T>(options: Options, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.problems.map(namingConfig(textOf(options, 'config'))));
  }
}

export function planOptions(options: Options): PlanOptions {
  const trials = wholeNumber(options, 'trials', { least: 1 });
  const seed = wholeNumber(options, 'seed', { least: 0 });
  return {
    ...filter('models', namesIn(options, 'models')),
    ...filter('suites', namesIn(options, 'suites')),
    ...filter('only', namesIn(options, 'only')),
    ...filter('skip', namesIn(options, 'skip')),
    ...filter('tags', namesIn(options, 'tags')),
    profile: oneOf(options, 'profile', profiles, 'standard'),
    ...(trials === undefined ? {} : { trials }),
    ...(seed === undefined ? {} : { seed }),
  };
}

function filter<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}
