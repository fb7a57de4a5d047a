import { resolve } from 'node:path';
import { connect, plannedTargets } from '../assemble/connect.js';
import { executePlan } from '../assemble/execute-plan.js';
import { makeReport, renderContext } from '../assemble/make-report.js';
import { type Environment, planRun, type Project, type RunPlanOptions } from '../assemble/project.js';
import { pointLatestTo, readPreviousRun, stampOf } from '../report/history/read-history.js';
import type { GivenOptions } from '../journal/event.js';
import { createJournal } from '../journal/journal.js';
import { testCases, type TestCase } from '../report/cases/test-cases.js';
import { diskSpool } from '../report/gather/failure-spool.js';
import { openGathering } from '../report/gather/gather.js';
import { usualFormats } from '../report/report-formats.js';
import { writeRunFolder } from '../report/run-folder.js';
import { shownReport } from '../report/json/render-json.js';

/** What a test may say of how to ask. */
interface AskOptions {
  readonly project: Project;
  readonly env: Environment;
  /** The filters, profile and seed of the whole plan. */
  readonly planned: RunPlanOptions;
  /** As the journal remembers them. */
  readonly given: GivenOptions;
  /** Requests at once for each target, in place of the config's limit. */
  readonly concurrency: number | undefined;
  /** Folder of the run, with `{stamp}` replaced; undefined: as the config says. */
  readonly out: string | undefined;
}

/** A run that has ended. */
export interface EndedRun {
  readonly folder: string;
  /** By the key of the cell. */
  readonly cells: ReadonlyMap<string, TestCase>;
  /** What is not about a cell: the run, models that are gone, changes of the wire. */
  readonly others: readonly TestCase[];
  /** What could not be measured although its models answered, in sentences without a full stop; empty: nothing. */
  readonly unmeasured: readonly string[];
}

/**
 * Asks these cells and what they need, within the limits and the budget of the config, and writes the run folder.
 * @param selected keys; null: the whole plan
 */
export async function runSelected(
  { project, env, planned, given, concurrency, out }: AskOptions,
  selected: readonly string[] | null,
): Promise<EndedRun> {
  const { config } = project;
  const { plan } = planRun(project, selected === null ? planned : { ...planned, only: selected });
  const connections = await connect(plannedTargets(config, plan), env, { seed: plan.seed, concurrency });
  const folder = (out === undefined ? config.out : resolve(out)).replaceAll('{stamp}', stampOf(new Date()));
  const gathering = openGathering(diskSpool(() => folder));
  let previous;
  try {
    const journal = await createJournal(folder);
    previous = await readPreviousRun(config, folder);
    await pointLatestTo(config, folder);
    const options = selected === null ? given : { ...given, only: selected };
    await executePlan(plan, {
      ...{ targets: connections.targets, budget: config.budget, journal, reporters: [gathering] },
      run: { options, previous },
    });
  } finally {
    await connections.close();
  }
  try {
    const report = await makeReport({ plan, project, gathering, previous });
    const { maxUnmeasured } = config;
    const exit = { failOn: 'deviation', interrupted: false, maxUnmeasured, shard: false } as const;
    const context = renderContext({
      ...{ redact: config.redact, keys: project.keys, journalFolder: folder, failures: gathering.failures.all() },
      ...{ folder, exit },
    });
    await writeRunFolder(folder, report, context, usualFormats);
    const shown = shownReport(report, context.redact);
    const cases = testCases(shown, { exit });
    return {
      folder,
      // Redacting may change a key that is shown, but not the order of the cells.
      cells: new Map(cases.filter(({ cell }) => cell !== null).map((one, at) => [report.cells[at]?.key ?? '', one])),
      others: cases.filter(({ cell }) => cell === null),
      unmeasured: shown.run.notes,
    };
  } finally {
    gathering.failures.close();
  }
}
