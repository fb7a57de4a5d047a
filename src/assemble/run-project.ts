import { resolve } from 'node:path';
import { namesInConfig, type Budget } from '../config/config.js';
import type { UserError } from '../files/problems/problem.js';
import { type GivenOptions, type PreviousRun, recordedPrevious } from '../journal/event.js';
import { createJournal, type Journal, resumeJournal } from '../journal/journal.js';
import type { RecordedExchanges } from '../journal/read-journal.js';
import type { Report } from '../matrix/report-format.js';
import { type ExitConditions, exitCode } from '../matrix/run-exit-code.js';
import { checkOptions, type OptionTable } from '../options/check-options.js';
import { aFlag, aFunction, aList, aMap, anObject, anyValue, aText, aWhole, oneOfKind } from '../options/kinds.js';
import { planOptionTable } from '../plan/make-plan.js';
import { joinedMasker, type Masker } from '../masking/masker.js';
import type { Plan } from '../plan/plan.js';
import { diskSpool } from '../report/gather/failure-spool.js';
import { type Gathering, openGathering } from '../report/gather/gather.js';
import {
  historyBefore,
  pointLatestTo,
  pointLatestToResumed,
  readPreviousRun,
  stampOf,
} from '../report/history/read-history.js';
import type { FileFormat, RenderContext } from '../report/render.js';
import { usualFormats } from '../report/report-formats.js';
import { writeRunFolder } from '../report/run-folder.js';
import type { RunTarget } from '../run/target-state.js';
import { listedIds } from './ask-listed.js';
import { type Connections, connect, plannedTargets } from './connect.js';
import { type ExecuteOptions, executePlan, type RunReporter } from './execute-plan.js';
import { makeReport, type RenderOptions, renderContext } from './make-report.js';
import { planRun, type Project, type RunPlanOptions } from './project.js';

/** Where a run writes, and what it knows of earlier ones. */
export interface OpenedRun {
  readonly folder: string;
  /** The record of the run to resume; null for a new run. */
  readonly recorded: RecordedExchanges | null;
  readonly previous: PreviousRun | null;
}

/** Without any option, a run asks all that the config names and writes where the config says. */
export interface RunProjectOptions
  extends RunPlanOptions, Partial<Pick<ExecuteOptions, 'clock' | 'signal' | 'further'>> {
  /** Default: what {@link planRun} makes of the filters, profile and seed among these options. */
  readonly plan?: Plan;
  /** `{stamp}` is replaced by the time. Default: the config's `out`. */
  readonly folder?: string;
  /** Go on with the run whose journal is in `folder`. */
  readonly resume?: boolean;
  /** Leave `reports/latest` as it is, and compare with no earlier run. */
  readonly standalone?: boolean;
  /** Files to write; default: {@link usualFormats}. */
  readonly formats?: readonly FileFormat[];
  /** By name, reached by a transport of your own; see {@link runTargets}. Default: {@link connect}. */
  readonly targets?: ReadonlyMap<string, RunTarget>;
  /** Requests at once for each target, in place of the config's limit. */
  readonly concurrency?: number | undefined;
  /** Default: the config's. */
  readonly budget?: Budget;
  /** Reporters hear of each event; a function is called once the folder is open. */
  readonly reporters?: readonly RunReporter[] | ((opened: OpenedRun) => readonly RunReporter[]);
  /** The options that the journal keeps, as they were given. */
  readonly given?: GivenOptions;
  /** The least finding that makes the exit code 1; default: `deviation`. */
  readonly failOn?: ExitConditions['failOn'];
  /** The folder with earlier run folders; default: the one that holds this run, where it is `reports/runs`. */
  readonly history?: string | undefined;
  readonly render?: Pick<RenderOptions, 'folder' | 'color' | 'columns'>;
  /** Called for a report of the run before that cannot be read; the run begins without it. */
  readonly onUnreadable?: (error: UserError) => void;
}

/** A run that has ended. */
export interface ProjectRun {
  readonly report: Report;
  readonly folder: string;
  readonly exitCode: ReturnType<typeof exitCode>;
  /** For {@link renderReport}. */
  readonly context: RenderContext;
  readonly recorded: RecordedExchanges | null;
}

const runProjectTable: OptionTable<RunProjectOptions> = {
  ...planOptionTable,
  shard: anObject,
  clock: anObject,
  signal: anObject,
  further: aFunction,
  plan: anObject,
  folder: aText,
  resume: aFlag,
  standalone: aFlag,
  formats: aList,
  targets: aMap,
  concurrency: aWhole(1),
  budget: anObject,
  reporters: anyValue,
  given: anObject,
  failOn: oneOfKind(['deviation', 'regression', 'fail', 'never']),
  history: aText,
  render: anObject,
  onUnreadable: aFunction,
};

/**
 * Asks, judges, decides, reports and writes a run folder: what `chatspec run` does. Resolves when the run has ended,
 * also after `signal` was aborted. Throws a {@link UserError} for filters that match nothing and for missing keys, a
 * `JournalError` for a folder that cannot be used, and what {@link executePlan} throws.
 */
export async function runProject(project: Project, options: RunProjectOptions = {}): Promise<ProjectRun> {
  checkOptions('`runProject`', options, runProjectTable);
  const { config } = project;
  const plan = options.plan ?? planRun(project, planningOf(options)).plan;
  const folder = resolve((options.folder ?? config.out).replaceAll('{stamp}', stampOf(new Date())));
  const connections = await connectionsFor(project, plan, options);
  const gathering = openGathering(diskSpool(() => folder));
  let opened: OpenedRun & { readonly journal: Journal };
  try {
    opened = await openRun(project, plan, folder, options);
    const { reporters = [] } = options;
    await executePlan(plan, {
      targets: connections.targets,
      budget: options.budget ?? config.budget,
      journal: opened.journal,
      recorded: opened.recorded,
      ...(options.clock && { clock: options.clock }),
      ...(options.signal && { signal: options.signal }),
      ...(options.further && { further: options.further }),
      reporters: [gathering, ...(typeof reporters === 'function' ? reporters(opened) : reporters)],
      run: {
        shard: options.shard ?? null,
        options: options.given ?? {},
        previous: opened.previous,
        listed: listedIds(config.targets),
      },
    });
  } finally {
    await connections.close();
  }
  const exit = {
    failOn: options.failOn ?? 'deviation',
    interrupted: options.signal?.aborted === true,
    maxUnmeasured: config.maxUnmeasured,
    shard: options.shard !== undefined,
  };
  const { previous, recorded } = opened;
  const { formats = usualFormats, history, render } = options;
  const masked = connections.keys === null ? project : withKeys(project, connections.keys);
  const written = await writeRun({
    plan,
    project: masked,
    gathering,
    folder,
    previous,
    formats,
    exit,
    history,
    render,
  });
  return { ...written, folder, exitCode: exitCode(written.report, exit), recorded };
}

function planningOf({ models, suites, only, skip, tags, profile, trials, seed, shard }: RunProjectOptions) {
  const given = Object.entries({ models, suites, only, skip, tags, profile, trials, seed, shard });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as RunPlanOptions;
}

const withKeys = (project: Project, keys: Masker): Project => ({ ...project, keys: joinedMasker(project.keys, keys) });

function connectionsFor(
  { config, env }: Project,
  plan: Plan,
  { targets, concurrency }: RunProjectOptions,
): Promise<Pick<Connections, 'targets' | 'close'> & { readonly keys: Masker | null }> {
  if (targets !== undefined) return Promise.resolve({ targets, close: () => Promise.resolve(), keys: null });
  return connect(plannedTargets(config, plan), env, { seed: plan.seed, concurrency });
}

/** Makes the folder of a new run, or opens that of the run to resume. */
async function openRun(
  { config }: Project,
  plan: Plan,
  folder: string,
  { resume = false, standalone = false, shard, onUnreadable }: RunProjectOptions,
): Promise<OpenedRun & { readonly journal: Journal }> {
  const { journal, recorded } = resume
    ? await resumeJournal(folder, plan.digest)
    : { journal: await createJournal(folder), recorded: null };
  if (standalone) return { folder, journal, recorded, previous: null };
  const started = recorded?.started ?? null;
  const previous = started === null ? await readPreviousRun(config, folder, onUnreadable) : recordedPrevious(started);
  // The next run must not be compared with a single shard.
  if (shard === undefined && started === null) await pointLatestTo(config, folder);
  if (shard === undefined && started !== null) await pointLatestToResumed(config, folder, started.at);
  return { folder, journal, recorded, previous };
}

/** A run that was gathered, and where its report goes. */
export interface RunToWrite {
  readonly plan: Plan;
  readonly project: Project;
  readonly gathering: Gathering;
  /** Where the files go. */
  readonly folder: string;
  /** Where the journal is, when it is in another folder. */
  readonly journalFolder?: string;
  readonly formats: readonly FileFormat[];
  /** The run before; null when it is not known. */
  readonly previous: PreviousRun | null;
  /** Decides the exit code, which the report explains. */
  readonly exit: ExitConditions;
  /** The folder with earlier run folders. */
  readonly history?: string | undefined;
  readonly render?: RunProjectOptions['render'];
}

/** Makes the report of what was gathered, and writes the files of its folder. */
export async function writeRun(run: RunToWrite): Promise<Pick<ProjectRun, 'report' | 'context'>> {
  const { plan, project, gathering, folder, previous, exit } = run;
  const report = await makeReport({ plan, project, gathering, previous });
  const context = renderContext({
    redact: project.config.redact,
    keys: project.keys,
    names: namesInConfig(project.config),
    journalFolder: run.journalFolder ?? folder,
    cellTimes: gathering.cellTimes,
    failures: gathering.failures.all(),
    folder,
    exit,
    history: await historyBefore(folder, report.run.started_at, { from: run.history, out: project.config.out }),
    ...run.render,
  });
  try {
    await writeRunFolder(folder, report, context, run.formats);
  } finally {
    gathering.failures.close();
  }
  return { report, context };
}
