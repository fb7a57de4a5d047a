import type { Budget } from '../../config/config.js';
import type { Plan } from '../../plan/ticket.js';
import type { RunStarted } from '../../journal/event.js';
import { shown } from '../folders/folders.js';
import { type Inputs, inputsOf, planOf } from './inputs.js';
import type { Io } from '../terminal/io.js';
import { shardOf, wholeNumber } from '../options/options.js';
import { otherPlan } from './other-plan.js';
import { type ResumedRun, resumedRun } from './resumed-run.js';
import type { Options } from '../verb.js';

/** What a command line and the files of its config ask for. */
export interface Work {
  readonly inputs: Inputs;
  /** Those given now, over those of the run that is gone on with. */
  readonly options: Options;
  readonly resumed: ResumedRun | null;
  readonly plan: Plan;
  readonly shard: RunStarted['shard'];
  readonly concurrency: number | undefined;
  readonly budget: Budget;
}

/** Reads and plans; a UserError for what is wrong, and for a run to go on with that had another plan. Sends nothing. */
export async function workOf(given: Options, io: Io): Promise<Work> {
  const concurrency = wholeNumber(given, 'concurrency', { least: 1, most: 1000 });
  const inputs = await inputsOf(given, io);
  const { config } = inputs;
  const resumed = given['resume'] === true ? await resumedRun(config, given, io) : null;
  const options = resumed === null ? given : resumed.options;
  const budget = {
    requests: wholeNumber(options, 'budget-requests', { least: 1 }) ?? config.budget.requests,
    tokens: wholeNumber(options, 'budget-tokens', { least: 1 }) ?? config.budget.tokens,
    cost: config.budget.cost,
  };
  const shard = shardOf(options) ?? null;
  const plan = await planOf(inputs, options, io);
  if (resumed !== null && resumed.started !== null && !isSamePart(resumed.started, plan, shard)) {
    throw otherPlan(resumed.started, plan, given, shown(resumed.folder, io));
  }
  return { inputs, options, resumed, plan, shard, concurrency, budget };
}

/** Every shard of a plan has the digest of the whole. */
function isSamePart({ plan: digest, shard: part }: RunStarted, plan: Plan, shard: RunStarted['shard']): boolean {
  return digest === plan.digest && part?.index === shard?.index && part?.of === shard?.of;
}
