import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../files/make-folder.js';
import { writeWhole } from '../../files/write-whole.js';
import { digest } from '../../json/digest.js';
import { hasJournal } from '../../journal/journal.js';
import type { Report } from '../../matrix/report-format.js';
import type { History, PastRun } from '../../report/history/history.js';
import { type RunSummary, summaryOf } from '../../report/history/run-summary.js';
import { renderPage } from '../../report/page/render-page.js';
import { hasReport, readReport } from '../../report/run-folder.js';
import type { RenderContext } from '../../report/render.js';
import { displayPath } from '../folders/folders.js';
import { holdsRun } from '../folders/other-run.js';
import { unwritable, writableFolder } from '../folders/writable.js';
import type { Io } from '../terminal/io.js';
import { printProblems } from '../terminal/print-problems.js';
import { unreadableReport } from './recorded-models.js';

export interface RunsToShow {
  /** The folder of the newest run, and its report. */
  readonly source: string;
  readonly report: Report;
  /** The runs before it; null: none are known. */
  readonly history: History | null;
  /** What its folder says of it; null: nothing. */
  readonly summary: RunSummary | null;
  /** How a run folder is shown. */
  readonly reading: (folder: string) => Promise<Pick<RenderContext, 'redact' | 'exchanges'>>;
}

/** Writes a static site: a page for each run, and the page of the newest whole one in front. Throws a UserError if it cannot. */
export async function writeSite(
  { source, report, history, summary, reading }: RunsToShow,
  site: string,
  io: Io,
): Promise<void> {
  const own = await realpath(source);
  const from = history?.from ?? dirname(own);
  const latest: PastRun = { ...(summary ?? summaryOf(report, undefined)), folder: basename(own), page: null };
  const runs = [...(history?.runs ?? []), latest];
  // The site has a page for each run under its name: in the folder that holds the runs, it would replace their own pages.
  for (const folder of [site, ...runs.map((run) => join(site, 'runs', pathOf(run)))]) {
    if (hasJournal(folder) || hasReport(folder)) throw holdsRun(folder, 'site');
  }
  await writableFolder(site);
  const write = async (path: string, text: string) => {
    const file = join(site, path);
    await makeFolder(dirname(file));
    await writeWhole(file, text);
  };
  try {
    const shown: PastRun[] = [];
    let front: (() => Promise<string>) | null = null;
    for (const run of runs) {
      const folder = run === latest ? own : join(from, run.folder);
      // Where somebody removed the report too, the summary still counts.
      const known = run === latest ? report : await readEarlier(folder, io);
      const page = known === null ? null : `${pathOf(run)}/index.html`;
      if (known !== null) {
        const before = { from, runs: [...shown], unreadable: [] };
        const context = { ...(await reading(folder)), folder: displayPath(folder, io), summary: run, history: before };
        await write(`runs/${pathOf(run)}/index.html`, await renderPage(known, context));
        if (front === null || isWhole(run)) front = () => renderPage(known, { ...context, pages: 'runs/' });
      }
      shown.push({ ...run, page });
    }
    if (front !== null) await write('index.html', await front());
  } catch (error) {
    throw unwritable(error, site);
  }
  io.err(`${displayPath(join(site, 'index.html'), io)}\n`);
}

/** A run that asked all that its tags let through, so that a site may begin with it. */
function isWhole({ run }: RunSummary): boolean {
  const { models, suites, only, skip } = run.filters ?? {};
  return run.complete && run.partial !== true && [models, suites, only, skip].every((one) => one === undefined);
}

/** The name of the run's folder, safe in every file system and address. */
function pathOf({ folder }: PastRun): string {
  if (/^\w[\w.-]*$/.test(folder)) return folder;
  return `${folder.replaceAll(/[^\w-]+/g, '-').slice(0, 80)}-${digest(folder).slice(0, 8)}`;
}

/** null: its report is gone, or cannot be read, which is told. */
async function readEarlier(folder: string, io: Io): Promise<Report | null> {
  if (!hasReport(folder)) return null;
  return readReport(folder).catch((error: unknown) => {
    printProblems(unreadableReport(error, 'the site has no page of this run'), io);
    return null;
  });
}
