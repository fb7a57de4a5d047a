import { dirname } from 'node:path';
import type { Baseline } from '../baseline/entries.js';
import { loadBaseline, type LoadedBaseline } from '../baseline/load-baseline.js';
import type { Config } from '../config/config.js';
import { readEnvironment } from '../config/credentials.js';
import type { Environment } from '../config/key-variables.js';
import { type ConfigAdditions, loadConfig } from '../config/load-config.js';
import { withoutSecrets } from '../config/secrets.js';
import { unfitFolder } from '../files/make-folder.js';
import { inLineOrder, UserError, warningsOrThrow, type Problem, type Path } from '../files/problems/problem.js';
import { anyHoldsKey } from '../masking/joined-fields.js';
import type { Masker } from '../masking/masker.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { anObject, anyValue, aText, aWhole, required } from '../options/kinds.js';
import { bodyProblems } from '../plan/checks/body-problems.js';
import { makePlan, planOptionTable, type PlanOptions } from '../plan/make-plan.js';
import type { Plan } from '../plan/plan.js';
import type { Shard } from '../plan/shard.js';
import type { ProbeOrigins } from '../suite/checks/probe-draft.js';
import type { Suite } from '../suite/probe.js';
import { loadSuites } from '../suite/read/load-suites.js';
import { askListed, listedIds } from './ask-listed.js';
import { shardOfPlan } from './shard-of-plan.js';

export type { Environment };

/** Everything that the user wrote, read and checked. */
export interface Project {
  readonly config: Config;
  readonly suites: readonly Suite[];
  readonly baseline: Baseline | null;
  /** The given variables, and those of `.env` that they do not name. */
  readonly env: Environment;
  /** Finds the keys in use: the values of the variables that the config names. */
  readonly keys: Masker;
}

export interface ProjectOptions extends Omit<ConfigAdditions, 'listed'> {
  /** Usually `process.env`; keys and `{ env: NAME }` addresses are read from it. Default: no variables. */
  readonly env?: Environment;
  /** A further folder in which `.env` is looked for; the one beside the config takes precedence over it. */
  readonly envFolder?: string;
  /**
   * Of targets whose models their services list (`models: { listed: [...] }`): the ids, by target; or `ask` for them,
   * in {@link loadProject}. Default: none.
   */
  readonly listed?: 'ask' | ReadonlyMap<string, readonly string[]>;
}

const projectTable: OptionTable<ProjectOptions> = {
  env: anObject,
  envFolder: aText,
  listed: anyValue,
  text: aText,
  request: anObject,
  rename: anObject,
};

/**
 * Reads a config with its suites and its baseline, and returns every problem of all three at once. Never throws for
 * what the user wrote. The project is null when the config cannot be read.
 */
export async function readProject(
  file: string,
  options: ProjectOptions = {},
): Promise<{ readonly project: Project | null; readonly problems: readonly Problem[] }> {
  checkOptions('the reading of a project', options, projectTable);
  const { env: given = {}, envFolder = dirname(file), listed = new Map(), ...more } = options;
  const { env, problems: envProblems } = await readEnvironment([envFolder, dirname(file)], given);
  const {
    config: whole,
    readable: config,
    problems: configProblems,
    origin,
    live,
  } = await loadConfig(file, env, { ...more, listed: listed === 'ask' ? new Map() : listed });
  if (config === null || origin === null) {
    return { project: null, problems: inLineOrder([...envProblems, ...configProblems]) };
  }

  const modelVars = new Set(config.targets.flatMap(({ models }) => models.flatMap(({ vars }) => Object.keys(vars))));
  const { suites, problems: suiteProblems, origins } = await loadSuites(config.suites, dirname(file), { modelVars });
  const {
    baseline,
    problems: baselineProblems,
    unread,
  }: LoadedBaseline = config.baseline === null ? { baseline: null, problems: [] } : await loadBaseline(config.baseline);
  /** Of something that the config names, at the line that names it. */
  const inConfig = (path: Path, { message, hint, severity }: Problem): Problem =>
    origin.problemAt(path, message, hint, { severity });
  const found = [
    ...envProblems,
    ...configProblems,
    ...(origin.has(['out']) ? (await outProblems(config)).map((one) => inConfig(['out'], one)) : []),
    ...suiteProblems.map((problem) => {
      const index = config.suites.findIndex(({ place }) => place === problem.place);
      return index === -1 ? problem : inConfig(['suites', index], problem);
    }),
    ...(await bodyProblems({ config, configOrigin: origin, suites, origins })),
    ...baselineProblems.map((problem) =>
      unread
        ? inConfig(['baseline'], { ...problem, message: `the baseline cannot be read: ${problem.message}` })
        : problem,
    ),
    ...keysInFiles(suites, baseline, origins, live),
  ];
  return {
    project: whole === null ? null : { config, suites, baseline, env, keys: live },
    problems: inLineOrder(found.map((problem) => withoutSecrets(problem, [], live))),
  };
}

/** Of `out`, as far as it is the same for all runs. */
async function outProblems({ out }: Config): Promise<readonly Problem[]> {
  let path = out;
  while (path.includes('{stamp}')) path = dirname(path);
  const unfit = await unfitFolder(path);
  // A run with a name of its own may stand in any folder.
  if (unfit === null || (path !== out && unfit.is !== 'a file')) return [];
  const hint = 'name a folder for each run, such as reports/runs/{stamp}';
  return [
    { severity: 'error', message: `no run can be written here: ${unfit.path} is ${unfit.is}`, place: null, hint },
  ];
}

/** The same as {@link readProject}, but throws a {@link UserError} with every problem when one is an error. */
export async function loadProject(
  file: string,
  options: ProjectOptions = {},
): Promise<{ readonly project: Project; readonly warnings: readonly Problem[] }> {
  const { project, problems } = await readProject(file, options);
  const warnings = warningsOrThrow(problems);
  if (project === null) throw new UserError(problems);
  if (options.listed !== 'ask' || listedIds(project.config.targets) === null) return { project, warnings };
  const asked = await askListed(project.config.targets, project.baseline, project.env);
  const whole = await loadProject(file, { ...options, listed: asked.ids });
  return { ...whole, warnings: [...whole.warnings, ...asked.warnings] };
}

/** Keys in use in files that are sent or shown. The suites of the package hold none. */
function* keysInFiles(
  suites: readonly Suite[],
  baseline: Baseline | null,
  origins: ProbeOrigins,
  keys: Masker,
): Generator<Problem> {
  if (!keys.active) return;
  const hint =
    'take the key out of the file; chatspec sends keys as headers, and its reports show what suites and baseline say';
  const message = (what: string): string => `${what} holds a configured key, so nothing of it is sent`;
  for (const { file, probes, ...suite } of suites) {
    const own = probes.filter((probe) => origins.get(probe)?.builtin !== true);
    for (const probe of own.filter((one) => anyHoldsKey(one, keys))) {
      yield { severity: 'error', message: message('this probe'), place: probe.place, hint };
    }
    if (own.length > 0 && anyHoldsKey(suite, keys)) {
      yield { severity: 'error', message: message('this suite'), place: { file, line: 1, column: 1 }, hint };
    }
  }
  if (baseline === null || !anyHoldsKey({ ...baseline, file: '' }, keys)) return;
  const place = { file: baseline.file, line: 1, column: 1 };
  yield { severity: 'error', message: 'the baseline holds a configured key', place, hint };
}

export interface RunPlanOptions extends PlanOptions {
  /** Only part `index` (from 1) of `of` parts, each of which holds whole models. */
  readonly shard?: Shard | undefined;
}

const shardTable: OptionTable<Shard> = {
  index: required(aWhole(1)),
  of: required(aWhole(1)),
};

/**
 * The plan of all that will be asked, in an order in which needs come first. Sends nothing. Throws a {@link UserError}
 * for a filter that matches nothing, filters that leave no cell, and a need that nothing meets.
 */
export function planRun(
  project: Pick<Project, 'config' | 'suites' | 'baseline'>,
  given: RunPlanOptions = {},
): { readonly plan: Plan; readonly warnings: readonly Problem[] } {
  checkOptions('`planRun`', given, { ...planOptionTable, shard: anObject });
  const { shard: part, ...options } = given;
  if (part !== undefined) checkOptions("`planRun`'s shard", part, shardTable);
  const { config, suites, baseline } = project;
  const { plan, problems } = makePlan({ config, suites, baseline, options });
  const warnings = warningsOrThrow(problems);
  return { plan: part === undefined ? plan : shardOfPlan(plan, part), warnings };
}
