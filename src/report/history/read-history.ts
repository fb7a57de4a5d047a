import { compareTexts } from '../../json/compare-texts.js';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegular } from '../../files/read-text.js';
import { shippedSchema } from '../../files/shipped-schema.js';
import { isObject } from '../../json/json.js';
import { UserError } from '../../files/problems/problem.js';
import { reportFormats } from '../report-formats.js';
import { readReport } from '../run-folder.js';
import { summaryOf, type History, type PastRun, type RunSummary } from './run-summary.js';

/** How many runs a report shows, beside its own. */
const mostRuns = 29;

/** Folders named after the time of their run sort by it, so the newest of thousands are found without opening the others. */
const mostFolders = 200;

/**
 * Reads the whole runs of a folder of run folders that began before `until`. One that cannot be read is named, never an
 * error: a report of today does not fail because of an old run. Rejects if the folder itself cannot be read.
 * @param until ISO time; null: all
 * @param most how many, the newest of them
 */
export async function readHistory(
  folder: string,
  { until = null, most = mostRuns }: { readonly until?: string | null; readonly most?: number } = {},
): Promise<History> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const runs: PastRun[] = [];
  const unreadable: string[] = [];
  for (const name of names.sort().reverse().slice(0, mostFolders)) {
    const summary = await readSummary(join(folder, name));
    if (summary === 'unreadable') unreadable.push(name);
    else if (summary !== null && !summary.run.shard)
      runs.push({ ...summary, folder: name, page: await pageIn(folder, name) });
  }
  const before = runs.filter(({ run }) => until === null || run.started_at < until);
  before.sort((a, b) => compareTexts(a.run.started_at, b.run.started_at) || compareTexts(a.run.id, b.run.id));
  // A run that was judged again, or resumed into a copy, is still the same night.
  const nights = new Map(before.map((one) => [one.run.id, one]));
  return { from: folder, runs: [...nights.values()].slice(-most), unreadable };
}

async function pageIn(folder: string, name: string): Promise<string | null> {
  const page = join(name, reportFormats.html.file);
  return access(join(folder, page)).then(
    () => page,
    () => null,
  );
}

/**
 * The summary of a run folder; null: there is no finished run in it.
 * @param ofReport whether a folder without summary.json, as earlier versions wrote it, is summed up from its report
 */
export async function readSummary(
  folder: string,
  { ofReport = true }: { readonly ofReport?: boolean } = {},
): Promise<RunSummary | 'unreadable' | null> {
  const text = await readRegular(join(folder, reportFormats.summary.file)).catch(() => null);
  if (text !== null) {
    const data = parsed(text);
    const valid = await shippedSchema('summary');
    return isObject(data) && valid(data) ? (data as unknown as RunSummary) : 'unreadable';
  }
  if (!ofReport) return null;
  const names = await readdir(folder).catch((): string[] => []);
  if (!names.includes(reportFormats.json.file)) return null;
  try {
    return summaryOf(await readReport(folder), undefined);
  } catch (error) {
    if (error instanceof UserError) return 'unreadable';
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
