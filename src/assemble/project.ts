import { dirname } from 'node:path';
import type { Baseline } from '../baseline/entries.js';
import { loadBaseline, type LoadedBaseline } from '../baseline/load-baseline.js';
import type { Config } from '../config/config.js';
import { readEnvironment } from '../config/credentials.js';
import { loadConfig } from '../config/load-config.js';
import { withoutSecrets } from '../config/secrets.js';
import { inLineOrder, UserError, warningsOrThrow, type Problem } from '../files/problems/problem.js';
import type { Path } from '../files/source.js';
import { unfitFolder } from '../files/make-folder.js';
import { anyHoldsKey } from '../masking/holds-key.js';
import type { Masker } from '../masking/masker.js';
import { pathOf } from '../options/arguments.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { checkFirst } from '../options/first-argument.js';
import { anObject, aText } from '../options/kinds.js';
import { bodyProblems } from '../plan/checks/body-problems.js';
import type { Suite } from '../suite/probe.js';
import { loadSuites } from '../suite/read/load-suites.js';

export type Environment = Readonly<Record<string, string | undefined>>;

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

export interface ProjectOptions {
  /** Usually `process.env`; keys and `{ env: NAME }` addresses are read from it. Default: no variables. */
  readonly env?: Environment;
  /** A further folder in which `.env` is looked for; the one beside the config takes precedence over it. */
  readonly envFolder?: string;
}

const optionTable: OptionTable<ProjectOptions> = { env: anObject, envFolder: aText };

/**
 * Reads a config with its suites and its baseline, and returns every problem of all three at once. Never throws for
 * what the user wrote. The project is null when the config cannot be read.
 */
export async function readProject(
  file: string,
  options: ProjectOptions = {},
): Promise<{ readonly project: Project | null; readonly problems: readonly Problem[] }> {
  checkFirst('readProject', file, pathOf('a config file'));
  checkOptions('the reading of a project', options, optionTable);
  const { env: given = {}, envFolder } = options;
  const { env, problems: envProblems } = await readEnvironment(
    envFolder === undefined ? [dirname(file)] : [envFolder, dirname(file)],
    given,
  );
  const { config: whole, readable: config, problems: configProblems, origin, live } = await loadConfig(file, env);
  if (config === null) return { project: null, problems: inLineOrder([...envProblems, ...configProblems]) };

  const modelVars = new Set(config.targets.flatMap(({ models }) => models.flatMap(({ vars }) => Object.keys(vars))));
  const { suites, problems: suiteProblems, origins } = await loadSuites(config.suites, dirname(file), { modelVars });
  const {
    baseline,
    problems: baselineProblems,
    unread,
  }: LoadedBaseline = config.baseline === null ? { baseline: null, problems: [] } : await loadBaseline(config.baseline);
  const bodies = origin === null ? [] : await bodyProblems({ config, configOrigin: origin, suites, origins });
  const keys = keysInFiles(suites, baseline, (probe) => origins.get(probe)?.builtin === true, live);
  const inConfig = (path: Path, { message, hint, severity }: Problem): Problem[] =>
    origin === null ? [] : [origin.problemAt(path, message, hint, { severity })];
  const suitesFound = suiteProblems.flatMap((problem) => {
    const index = config.suites.findIndex(({ place }) => place === problem.place);
    return index === -1 ? [problem] : inConfig(['suites', index], problem);
  });
  const baselineFound = baselineProblems.flatMap((problem) =>
    unread
      ? inConfig(['baseline'], { ...problem, message: `the baseline cannot be read: ${problem.message}` })
      : [problem],
  );
  const outFound =
    origin?.has(['out']) === true ? (await outProblems(config)).flatMap((one) => inConfig(['out'], one)) : [];
  const found = [...envProblems, ...configProblems, ...outFound, ...suitesFound, ...bodies, ...baselineFound, ...keys];
  const problems = found.map((problem) => withoutSecrets(problem, [], live));
  return {
    project: whole === null ? null : { config, suites, baseline, env, keys: live },
    problems: inLineOrder(problems),
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

/** As {@link readProject}, but throws a {@link UserError} with every problem when one of them is an error. */
export async function loadProject(
  file: string,
  options: ProjectOptions = {},
): Promise<{ readonly project: Project; readonly warnings: readonly Problem[] }> {
  checkFirst('loadProject', file, pathOf('a config file'));
  const { project, problems } = await readProject(file, options);
  const warnings = warningsOrThrow(problems);
  if (project === null) throw new UserError(problems);
  return { project, warnings };
}

const hint =
  'take the key out of the file; chatspec sends keys as headers, and its reports show what suites and baseline say';

/** Keys in use in files that are sent or shown. The suites of the package hold none. */
function* keysInFiles(
  suites: readonly Suite[],
  baseline: Baseline | null,
  isBuiltin: (probe: Suite['probes'][number]) => boolean,
  keys: Masker,
): Generator<Problem> {
  if (!keys.active) return;
  for (const suite of suites) {
    const own = suite.probes.filter((probe) => !isBuiltin(probe));
    for (const probe of own) {
      const { steps, samples, axes, vars, enforce } = probe;
      const isSent = anyHoldsKey({ steps, samples, axes, vars, enforce }, keys);
      if (!isSent && !anyHoldsKey(probe, keys)) continue;
      const message = isSent
        ? 'a request of this probe is not sent: its body holds a configured key'
        : 'this probe holds a configured key';
      yield { severity: 'error', message, place: probe.place, hint };
    }
    const { name, title, families, behaviours } = suite;
    if (own.length > 0 && anyHoldsKey({ name, title, families, behaviours }, keys)) {
      const place = { file: suite.file, line: 1, column: 1 };
      yield { severity: 'error', message: 'this suite holds a configured key', place, hint };
    }
  }
  if (baseline !== null && anyHoldsKey({ ...baseline, file: '' }, keys)) {
    const place = { file: baseline.file, line: 1, column: 1 };
    yield { severity: 'error', message: 'the baseline holds a configured key', place, hint };
  }
}
