import { dirname, resolve } from 'node:path';
import type { Baseline } from '../../baseline/entries.js';
import type { Config } from '../../config/config.js';
import { type Problem, UserError } from '../../files/problems/problem.js';
import type { Plan, Profile } from '../../plan/ticket.js';
import type { PlanOptions } from '../../plan/make-plan.js';
import type { Suite } from '../../suite/probe.js';
import type { Io } from '../terminal/io.js';
import { listOf, manyOf, oneOf, shardOf, textOf, wholeNumber } from '../options/options.js';
import { printProblems } from '../terminal/print-problems.js';
import type { Options } from '../verb.js';

/** Everything the user wrote, read and checked. */
export interface Inputs {
  readonly config: Config;
  readonly suites: readonly Suite[];
  readonly baseline: Baseline | null;
  /** The process's variables over those of `.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads config, suites and baseline; every problem of all three at once. Never throws for what the user wrote. */
export async function readInputs(
  options: Options,
  io: Io,
): Promise<{ inputs: Inputs | null; problems: readonly Problem[] }> {
  const { loadConfig, readEnvironment } = await import('../../config/index.js');
  const file = resolve(io.cwd, textOf(options, 'config') ?? 'chatspec.yaml');
  const { env, problems: envProblems } = await readEnvironment(io.cwd, io.env);
  const { config, problems: configProblems } = await loadConfig(file, env);
  const problems: Problem[] = [...envProblems, ...configProblems];
  if (config === null) return { inputs: null, problems };

  const { loadSuites } = await import('../../suite/read/load-suites.js');
  const { loadBaseline } = await import('../../baseline/load-baseline.js');
  const modelVars = new Set(config.targets.flatMap(({ models }) => models.flatMap(({ vars }) => Object.keys(vars))));
  const { suites, problems: suiteProblems } = await loadSuites(config.suites, dirname(file), { modelVars });
  const { baseline, problems: baselineProblems } =
    config.baseline === null ? { baseline: null, problems: [] } : await loadBaseline(config.baseline);
  problems.push(...suiteProblems, ...baselineProblems);
  return { inputs: { config, suites, baseline, env }, problems };
}

/** As `readInputs`, but warnings are printed and errors thrown as a UserError. */
export async function inputsOf(options: Options, io: Io): Promise<Inputs> {
  const { inputs, problems } = await readInputs(options, io);
  throwErrors(problems, io);
  if (inputs === null) throw new UserError(problems);
  return inputs;
}

/** The plan that the options ask for. Throws a UserError for a filter that matches nothing and the like. */
export async function planOf(inputs: Inputs, options: Options, io: Io): Promise<Plan> {
  const { makePlan } = await import('../../plan/make-plan.js');
  const { plan, problems } = makePlan({ ...inputs, options: planOptions(options) });
  throwErrors(problems, io);
  const part = shardOf(options);
  if (part === undefined) return plan;
  const { shard } = await import('../../estimate/shard.js');
  return shard(plan, part.index, part.of);
}

export function planOptions(options: Options): PlanOptions {
  const trials = wholeNumber(options, 'trials', { least: 1 });
  const seed = wholeNumber(options, 'seed', { least: 0 });
  return {
    ...filter('models', manyOf(options, 'models')),
    ...filter('suites', manyOf(options, 'suites')),
    ...filter('only', manyOf(options, 'only')),
    ...filter('skip', manyOf(options, 'skip')),
    ...filter('tags', listOf(options, 'tags')),
    profile: oneOf<Profile>(options, 'profile', ['smoke', 'standard', 'certify'], 'standard'),
    ...(trials === undefined ? {} : { trials }),
    ...(seed === undefined ? {} : { seed }),
  };
}

function filter<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}

function throwErrors(problems: readonly Problem[], io: Io): void {
  if (problems.some(({ severity }) => severity === 'error')) throw new UserError(problems);
  printProblems(problems, io);
}
