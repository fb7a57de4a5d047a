import type { Config } from '../../config/config.js';
import type { ShownBefore } from '../../decide/bad-hour.js';
import { buildReport } from '../../matrix/build-report.js';
import type { Report } from '../../matrix/report-format.js';
import type { Plan } from '../../plan/ticket.js';
import type { Gathering } from '../../report/gather/gather.js';
import type { FileFormat, RenderContext } from '../../report/render.js';
import type { Suite } from '../../suite/probe.js';
import { exchangesIn } from '../../journal/find-exchanges.js';
import { shown } from '../folders/folders.js';
import type { Io } from '../terminal/io.js';

export interface Publishing {
  readonly plan: Plan;
  readonly config: Config;
  readonly suites: readonly Suite[];
  readonly gathering: Gathering;
  /** Where the files go. */
  readonly folder: string;
  /** Where the journal stands, when it is another folder. */
  readonly journalFolder?: string;
  readonly formats: readonly FileFormat[] | undefined;
  /** What the run before showed as regressions; null when that is not known. */
  readonly shownBefore: ShownBefore | null;
}

/** Makes the report of what was gathered, and writes the files of its folder. */
export async function publish(work: Publishing, io: Io): Promise<{ report: Report; context: RenderContext }> {
  const { plan, config, suites, gathering, folder } = work;
  const report = await buildReport({
    ...{ plan, config },
    gathered: gathering.gathered(),
    behaviours: suites.flatMap((suite) => suite.behaviours),
    shownBefore: work.shownBefore,
    today: new Date().toISOString().slice(0, 10),
  });
  const { redactor } = await import('../../report/safe/redact.js');
  const context: RenderContext = {
    redact: redactor(config.redact),
    exchanges: exchangesIn(work.journalFolder ?? folder),
    failures: gathering.failures.all(),
    folder: shown(folder, io),
    color: io.color,
    columns: io.columns,
  };
  const { writeRunFolder } = await import('../../report/run-folder.js');
  try {
    await writeRunFolder(folder, report, context, work.formats);
  } finally {
    gathering.failures.close();
  }
  return { report, context };
}
