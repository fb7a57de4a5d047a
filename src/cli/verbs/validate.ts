import type { Baseline } from '../../baseline/entries.js';
import type { Problem } from '../../files/problems/problem.js';
import { makePlan } from '../../plan/make-plan.js';
import type { Plan } from '../../plan/plan.js';
import { readProject } from '../../assemble/project.js';
import { safeJsonText } from '../../report/safe/escape.js';
import { amountText, exitCodes, type Io, printProblems } from '../terminal/io.js';
import { configFileOptions, credentialWarnings, listsBefore, planOptions } from '../runs/load-inputs.js';
import type { Options } from '../options/options.js';

/**
 * Checks config, suites and baseline, and prints every problem with its place. Warnings do not change the exit code, and
 * with --quiet they are counted, not printed.
 */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const { project, problems: read } = await readAsBefore(options, io);
  const isListed = project?.config.targets.every(({ models }) => models.length > 0) ?? false;
  const readable = isListed && project !== null && !read.some(({ severity }) => severity === 'error');
  const planned = readable ? makePlan({ ...project, options: planOptions(options) }) : null;
  const keyless = project === null ? [] : credentialWarnings(project.config.targets, project.env);
  const stale = project?.baseline && planned ? await staleIn(project.baseline, planned.plan) : [];
  const problems = [...read, ...(planned?.problems ?? []), ...keyless, ...stale];
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (options['json'] === true) {
    io.out(`${safeJsonText({ valid: errors === 0, problems })}\n`);
    return errors === 0 ? exitCodes.ok : exitCodes.usage;
  }
  const isQuiet = options['quiet'] === true;
  printProblems(isQuiet ? problems.filter(({ severity }) => severity === 'error') : problems, io);
  const warnings = problems.length - errors;
  if (errors > 0) {
    io.err(`\n${amountText(errors, 'error')}, ${amountText(warnings, 'warning')}\n`);
    return exitCodes.usage;
  }
  const { suites = [], config } = project ?? {};
  const probes = suites.reduce((sum, suite) => sum + suite.probes.length, 0);
  const models = (config?.targets ?? []).reduce((sum, target) => sum + target.models.length, 0);
  const cells = planned?.plan.cells.length ?? 0;
  io.out(
    `valid: ${amountText(suites.length, 'suite')}, ${amountText(probes, 'probe')}, ${amountText(models, 'model')}, ` +
      `${amountText(cells, 'check')}; ${amountText(warnings, 'warning')}\n`,
  );
  return exitCodes.ok;
}

/** With the models that services listed for the newest run; without one, the plan is not known. */
async function readAsBefore(options: Options, io: Io): ReturnType<typeof readProject> {
  const [file, where] = configFileOptions(options, io);
  const read = await readProject(file, where);
  const known = read.project === null ? undefined : await listsBefore(read.project.config);
  return known === undefined ? read : readProject(file, { ...where, listed: new Map(Object.entries(known)) });
}

async function staleIn(baseline: Baseline, { cells, reserve }: Plan): Promise<readonly Problem[]> {
  const { staleEntries } = await import('../../baseline/load-baseline.js');
  const all = [...cells, ...reserve.map(({ planned }) => planned)];
  return staleEntries(baseline, new Set(all.map(({ cell }) => cell.key)));
}
