import type { Plan } from '../../plan/ticket.js';
import { askedTargets, credentialWarnings } from '../work/connect.js';
import { type Inputs, inputsOf, planOf } from '../work/inputs.js';
import type { Io } from '../terminal/io.js';
import { printPlan } from '../terminal/print-plan.js';
import { printProblems } from '../terminal/print-problems.js';
import type { Options } from '../verb.js';

/** Prints the planned cells and what they will take; sends nothing. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const inputs = await inputsOf(options, io);
  return show(await planOf(inputs, options, io), inputs, options, io);
}

/** The same for a plan that is there; a key that it would lack is warned of. */
export function show(plan: Plan, { config, env }: Inputs, options: Options, io: Io): number {
  printProblems(credentialWarnings(askedTargets(config, plan), env), io);
  return printPlan(plan, config, options, io);
}
