import type { Project } from '../../assemble/project.js';
import type { Budget, Config } from '../../config/config.js';
import type { Problem } from '../../files/problems/problem.js';
import type { RunStarted } from '../../journal/event.js';
import type { LeftOpen, Plan } from '../../plan/ticket.js';
import { displayPath, resumedFolder } from '../folders/folders.js';
import { shardOf, wholeNumber } from '../options/options.js';
import {
  overRecorded,
  printTakenOptions,
  recordedOptions,
  requireJournal,
  startOf,
} from '../options/recorded-options.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';
import { lastFailedIn, resumedLeftOpen } from './last-failed.js';
import { loadInputs, planFor } from './load-inputs.js';
import { planMismatch } from './plan-mismatch.js';

/** What a command line and the files of its config ask for. */
export interface PlannedRun {
  readonly project: Project;
  /** Not printed yet. */
  readonly warnings: readonly Problem[];
  /** Those given now, over those of the run that is resumed. */
  readonly options: Options;
  /** null for a new run. */
  readonly resumed: ResumedRun | null;
  readonly plan: Plan;
  readonly shard: RunStarted['shard'];
  readonly concurrency: number | undefined;
  readonly budget: Budget;
}

export interface ResumedRun {
  readonly folder: string;
  /** null when no run was started there. */
  readonly started: RunStarted | null;
}

/**
 * Reads and plans, and sends nothing. Throws a UserError for mistakes in files and options, and for a run to resume
 * whose plan is not today's.
 */
export async function plannedRun(given: Options, io: Io): Promise<PlannedRun> {
  const concurrency = wholeNumber(given, 'concurrency', { least: 1, most: 1000 });
  const inputs = await loadInputs(given, io);
  const { project } = inputs;
  const { config } = project;
  const resumed = given['resume'] === true ? await runToResume(config, given, io) : null;
  const repeated = resumed?.started ? undefined : await lastFailedIn(given, project, io);
  if (repeated !== undefined) printTakenOptions(repeated.options, given, io);
  const options = resumed?.options ?? { ...repeated?.options, ...given };
  const budget = {
    requests: wholeNumber(options, 'budget-requests', { least: 1 }) ?? config.budget.requests,
    tokens: wholeNumber(options, 'budget-tokens', { least: 1 }) ?? config.budget.tokens,
    cost: config.budget.cost,
  };
  const shard = shardOf(options) ?? null;
  const started = resumed?.started ?? null;
  const again =
    started === null ? repeated?.open : resumedLeftOpen(started.lastFailed, await namedRun(given, project, io), given);
  const { plan, warnings } = planFor(inputs, options, again);
  if (resumed !== null && resumed.started !== null && !isSamePart(resumed.started, plan, shard)) {
    throw planMismatch(resumed.started, plan, given, displayPath(resumed.folder, io));
  }
  return { project, warnings, options, resumed, plan, shard, concurrency, budget };
}

/** The newest run may be the one that is resumed. */
async function namedRun(given: Options, project: Project, io: Io): Promise<LeftOpen | undefined> {
  return typeof given['lastFailed'] === 'string' ? (await lastFailedIn(given, project, io))?.open : undefined;
}

/** Finds the run that `--resume` means, and prints which of its options are taken over. */
async function runToResume(
  config: Config,
  given: Options,
  io: Io,
): Promise<ResumedRun & { readonly options: Options }> {
  const folder = await resumedFolder(config, given, io);
  await requireJournal(folder);
  const started = await startOf(folder);
  if (started === null) return { folder, started, options: given };
  const recorded = recordedOptions(started);
  printTakenOptions(recorded, given, io);
  return { folder, started, options: overRecorded(recorded, given) };
}

/** Every shard of a plan has the digest of the whole. */
function isSamePart({ plan: digest, shard: part }: RunStarted, plan: Plan, shard: RunStarted['shard']): boolean {
  return digest === plan.digest && part?.index === shard?.index && part?.of === shard?.of;
}
