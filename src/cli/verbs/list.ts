import { plannedTargets } from '../../assemble/connect.js';
import type { Project } from '../../assemble/project.js';
import type { Budget } from '../../config/config.js';
import type { Plan } from '../../plan/ticket.js';
import { credentialWarnings } from '../runs/check-credentials.js';
import { lastFailedIn, nothingToAsk } from '../runs/last-failed.js';
import { loadInputs, planFor } from '../runs/load-inputs.js';
import type { Io } from '../terminal/io.js';
import { printPlan } from '../terminal/print-plan.js';
import { printProblems } from '../terminal/print-problems.js';
import type { Options } from '../verb.js';

/** Prints the planned cells and what they will take. Sends nothing. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const inputs = await loadInputs(options, io);
  const { project } = inputs;
  const repeated = await lastFailedIn(options, project, io);
  const { plan, warnings } = planFor(inputs, { ...repeated?.options, ...options }, repeated?.open);
  printProblems(warnings, io);
  return show(plan, { project, budget: project.config.budget, options }, io);
}

/** Prints a plan that exists already, with a warning for each key that the run would lack. */
export function show(
  plan: Plan,
  { project, budget, options }: { readonly project: Project; readonly budget: Budget; readonly options: Options },
  io: Io,
): number {
  const { config, env } = project;
  const nothing = nothingToAsk(plan);
  if (nothing !== null) io.err(`chatspec: ${nothing}\n`);
  printProblems(credentialWarnings(plannedTargets(config, plan), env), io);
  return printPlan(plan, project, { budget, options }, io);
}
