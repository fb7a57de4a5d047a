import { inputsOf, planOf } from '../inputs.js';
import type { Io } from '../io.js';
import { printPlan } from '../print-plan.js';
import type { Options } from '../verb.js';

/** Prints the planned cells and what they will take; sends nothing. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const inputs = await inputsOf(options, io);
  return printPlan(await planOf(inputs, options, io), inputs.config, options, io);
}
