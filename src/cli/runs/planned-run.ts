import { resolve } from 'node:path';
import { realpath } from 'node:fs/promises';
import { listedIds } from '../../assemble/ask-listed.js';
import type { Project } from '../../assemble/project.js';
import { latestFolder } from '../../report/history/read-history.js';
import type { Budget } from '../../config/config.js';
import { type Problem, userError } from '../../files/problems/problem.js';
import type { GivenOptions, RunStarted } from '../../journal/event.js';
import { leftOpenBy } from '../../matrix/last-failed.js';
import type { LeftOpen, Plan } from '../../plan/plan.js';
import { readReport, refuseBrokenLink } from '../../report/run-folder.js';
import { resumedFolder } from '../folders/folders.js';
import { numberOf, type Options, shardOf } from '../options/options.js';
import {
  overRecorded,
  overRecordedSource,
  planMismatch,
  printTakenOptions,
  recordedOptions,
  requireJournal,
} from '../options/recorded-options.js';
import { type Io, displayPath } from '../terminal/io.js';
import { checkRecordedOptions, namingJournal } from './check-recorded.js';
import { type Inputs, loadInputs, loadInputsAsBefore, planInputs } from './load-inputs.js';

/** A run as a command line and the files of its config ask for it. */
export interface PlannedRun {
  readonly project: Project;
  /** Not printed yet. */
  readonly warnings: readonly Problem[];
  /** The options given now, over those of the run that is resumed. */
  readonly options: Options;
  /** Of the run to resume; null for a new run. */
  readonly resumed: string | null;
  /** The first line of its journal; null when no run was started there. */
  readonly started: RunStarted | null;
  readonly plan: Plan;
  readonly shard: RunStarted['shard'];
  readonly concurrency: number | undefined;
  readonly budget: Budget;
}

/**
 * Reads and plans, and sends nothing. Throws a UserError for mistakes in files and options, and for a run to resume
 * whose plan is not today's.
 */
export async function plannedRun(given: Options, io: Io): Promise<PlannedRun> {
  const concurrency = numberOf(given, 'concurrency');
  const files = await loadInputs(given, io);
  const resumed = given['resume'] === true ? await resumedFolder(files.project.config, given, io) : null;
  const started = resumed === null ? null : await requireJournal(resumed);
  await checkRecordedOptions(started, displayPath(resumed ?? '', io));
  const inputs = await withLists(files, started, given, io);
  const { project } = inputs;
  const { config } = project;
  const recorded = started === null ? undefined : recordedOptions(started);
  // A run that is resumed asks what it asked before.
  const repeated = started === null ? await lastFailedIn(given, project, io) : undefined;
  const taken = recorded ?? repeated?.options;
  if (taken !== undefined) printTakenOptions(taken, given, io);
  const options = recorded === undefined ? { ...repeated?.options, ...given } : overRecorded(recorded, given);
  const budget = {
    requests: numberOf(options, 'budget-requests') ?? config.budget.requests,
    tokens: numberOf(options, 'budget-tokens') ?? config.budget.tokens,
    cost: config.budget.cost,
  };
  const shard = shardOf(options) ?? null;
  const again = started === null ? repeated?.open : started.lastFailed;
  const { plan, warnings } = namingJournal(recorded ?? {}, given, displayPath(resumed ?? '', io), () =>
    planInputs(inputs, options, again),
  );
  // Every shard of a plan has the digest of the whole.
  const isSame = (one: RunStarted): boolean =>
    one.plan === plan.digest && one.shard?.index === shard?.index && one.shard?.of === shard?.of;
  if (started !== null && !isSame(started)) throw planMismatch(started, plan, given, displayPath(resumed ?? '', io));
  return { project, warnings, options, resumed, started, plan, shard, concurrency, budget };
}

/**
 * With the models that services list: those of the run to resume, else asked for; without sending, of the newest run.
 */
function withLists(files: Inputs, started: RunStarted | null, given: Options, io: Io): Promise<Inputs> | Inputs {
  if (started !== null) return loadInputs(overRecordedSource(started, given), io, started.listed);
  if (listedIds(files.project.config.targets) === null) return files;
  return given['dryRun'] === true ? loadInputsAsBefore(given, io) : loadInputs(given, io, 'ask');
}

/** The cells that a run left open, and the tags by which it chose its cells. */
interface Repeated {
  readonly open: LeftOpen;
  readonly options: GivenOptions;
}

/**
 * The cells that `--last-failed` asks again; undefined if it was not given. Throws a UserError for a run that is
 * missing, has not ended, or is of another config.
 */
export async function lastFailedIn(options: Options, { config }: Project, io: Io): Promise<Repeated | undefined> {
  const asked = options['lastFailed'];
  if (asked === undefined) return undefined;
  const folder = typeof asked === 'string' ? resolve(io.cwd, asked) : await newestRun(latestFolder(config), io);
  const name = displayPath(folder, io);
  const report = await readReport(folder);
  const { models, run } = report;
  const known = new Set(config.targets.flatMap((target) => target.models.map(({ key }) => key)));
  if (models.length > 0 && !models.some(({ id }) => known.has(id))) {
    const why = `the config has none of its models, such as ${models[0]?.id ?? ''}`;
    throw userError(`the run in ${name} is of another config: ${why}`, 'name a run of this config: --last-failed RUN');
  }
  const tags = run.filters?.['tags'];
  return {
    open: leftOpenBy(report, name),
    options: tags === undefined || options['tags'] !== undefined ? {} : { tags },
  };
}

async function newestRun(latest: string, io: Io): Promise<string> {
  await refuseBrokenLink(latest);
  return realpath(latest).catch(() => {
    const hint = 'run everything first: chatspec run, or name a run: --last-failed RUN';
    throw userError(`there is no earlier run: ${displayPath(latest, io)} does not exist`, hint);
  });
}

/** Why a plan of `--last-failed` is empty; null: it is not, or is no such plan. */
export function nothingToAsk({ lastFailed, plannedCells }: Plan): string | null {
  if (lastFailed === undefined || plannedCells > 0) return null;
  const { cells, folder } = lastFailed;
  // By its folder, since no command takes an id.
  const run = folder === undefined ? `run ${lastFailed.run}` : `the run in ${folder}`;
  if (cells.length === 0) return `nothing to ask again: every cell of ${run} passed, and none deviated`;
  const none = cells.length === 1 ? 'not the one cell' : `none of the ${cells.length} cells`;
  return `nothing to ask again: the other options choose ${none} that ${run} left open`;
}
