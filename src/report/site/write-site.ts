import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { makeFolder } from '../../files/make-folder.js';
import { UserError, userError } from '../../files/problems/problem.js';
import { writeWhole } from '../../files/write-whole.js';
import { hasJournal } from '../../journal/journal.js';
import type { Report } from '../../matrix/report-format.js';
import { runSummaryOf, type RunSummary } from '../../matrix/run-summary.js';
import { renderPage } from '../page/render-page.js';
import { hasReport, readReport } from '../run-folder.js';
import { type PastRun, type RenderContext, renderReport } from '../render.js';
import { reportFormats } from '../report-formats.js';
import { badgesOf, feedOf, type FeedRun, sitePath } from './site-data.js';

interface RunsToShow {
  /** The folder of the newest run, its report, and what is known of it and of the runs before it. */
  readonly source: string;
  readonly report: Report;
  readonly context: Pick<RenderContext, 'history' | 'summary'>;
  /** How a run folder is shown. */
  readonly reading: (folder: string) => Promise<RenderContext>;
  /** Called for an earlier report that cannot be read: the site has no page of its run. */
  readonly tell: (error: UserError) => void;
}

/**
 * Writes a static site into a folder: a page for each run, and the page of the newest whole one in front, with its
 * data, a badge for each model and need, and a feed of changes.
 */
export async function writeSite(
  { source, report, context: { history, summary }, reading, tell }: RunsToShow,
  site: string,
): Promise<void> {
  const own = await realpath(source);
  const from = history?.from ?? dirname(own);
  const latest: PastRun = {
    ...(summary ?? runSummaryOf(report, undefined)),
    folder: isUnder(from, own) ? relative(from, own) : basename(own),
    page: null,
  };
  const runs = [...(history?.runs ?? []), latest];
  // The site has a page for each run under its name: in the folder that holds the runs, it would replace their own
  // pages.
  for (const folder of [site, ...runs.map((run) => join(site, 'runs', runSitePath(run)))]) {
    if (hasJournal(folder) || (hasReport(folder) && !holdsSite(folder))) {
      throw userError(`${folder} holds a recorded run, which stays as it is`, 'name another folder with --site');
    }
  }
  const write = async (path: string, text: string) => {
    const file = join(site, path);
    await makeFolder(dirname(file));
    await writeWhole(file, text);
  };
  const shown: PastRun[] = [];
  const feed: FeedRun[] = [];
  let front: { readonly report: Report; readonly context: RenderContext } | null = null;
  for (const run of runs) {
    const folder = run === latest ? own : join(from, run.folder);
    // Where somebody removed the report too, the summary still counts.
    const known = run === latest ? report : await readEarlier(folder, tell);
    if (known !== null) {
      const before = { from, runs: [...shown], unreadable: [], pages: '../' };
      const context = { ...(await reading(folder)), summary: run, history: before };
      await write(`runs/${runSitePath(run)}/index.html`, await renderPage(known, context));
      if (front === null || isUnfilteredRun(run)) front = { report: known, context };
      feed.push({ report: known, context, page: `runs/${runSitePath(run)}/index.html` });
    }
    shown.push({ ...run, page: known === null ? null : `${runSitePath(run)}/index.html` });
  }
  if (front === null) {
    return;
  }
  await write('index.html', await renderPage(front.report, { ...front.context, pages: 'runs/', isSite: true }));
  for (const { file, render } of [reportFormats.json, reportFormats.capabilities, reportFormats.summary]) {
    await write(file, await renderReport({ name: file, file, render }, front.report, front.context));
  }
  for (const { path, text } of badgesOf(front.report, front.context)) await write(path, text);
  await write(feedFile, feedOf(feed));
}

const feedFile = 'feed.xml';

/** A site has the report of its newest run beside its feed, which no run folder has. */
const holdsSite = (folder: string): boolean => existsSync(join(folder, feedFile));

const isUnder = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
};

/** A run that asked all that its tags let through, so that a site may begin with it. */
function isUnfilteredRun({ run }: RunSummary): boolean {
  const { models, suites, only, skip } = run.filters ?? {};
  return run.complete && run.partial !== true && [models, suites, only, skip].every((one) => one === undefined);
}

const runSitePath = ({ folder }: PastRun): string => sitePath(folder);

/** null: its report is gone, or cannot be read. */
async function readEarlier(folder: string, tell: RunsToShow['tell']): Promise<Report | null> {
  if (!hasReport(folder)) return null;
  return readReport(folder).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    tell(error);
    return null;
  });
}
