import { access, lstat, readdir, mkdir, realpath, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { UserError, userError } from '../../files/problems/problem.js';
import { readRegular } from '../../files/read-text.js';
import { shippedSchema } from '../../files/shipped-schema.js';
import { unfinishedName } from '../../files/write-whole.js';
import { previousFrom, type PreviousRun } from '../../journal/event.js';
import { JournalError } from '../../journal/journal-error.js';
import { journalName } from '../../journal/journal.js';
import { readJournal } from '../../journal/read-journal.js';
import { compareTexts } from '../../json/compare-texts.js';
import { isObject, parsedJson } from '../../json/json.js';
import { reportFormats } from '../report-formats.js';
import { readReport, hasReport, refuseBrokenLink } from '../run-folder.js';
import { runSummaryOf, type RunSummary } from '../../matrix/run-summary.js';
import type { History, PastRun } from '../render.js';

/** How many runs a report shows, beside its own. */
const mostEarlierRuns = 29;

/**
 * Folders named after the time of their run sort by it, so the newest of thousands are found without opening the
 * others.
 */
const mostFolders = 200;

/**
 * Reads the whole runs of a folder of run folders that began before `until`. One that cannot be read is named, never an
 * error: a report of today does not fail because of an old run. Rejects if the folder itself cannot be read.
 * @param until ISO time; null: all
 * @param most how many, the newest of them
 */
export async function readHistory(
  folder: string,
  {
    until = null,
    most = mostEarlierRuns,
    places = anyFolder,
  }: { readonly until?: string | null; readonly most?: number; readonly places?: Omit<RunPlaces, 'under'> } = {},
): Promise<History> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() && isRunName(entry.name, places) ? [entry.name] : []));
  const runs: PastRun[] = [];
  const unreadable: string[] = [];
  for (const name of names.sort().reverse().slice(0, mostFolders)) {
    const path = join(name, places.below);
    const summary = await readSummary(join(folder, path));
    if (summary === 'unreadable') {
      unreadable.push(path);
    } else if (summary !== null && !summary.run.shard) {
      runs.push({ ...summary, folder: path, page: await pageIn(folder, path) });
    }
  }
  const before = runs.filter(({ run }) => until === null || run.started_at < until);
  before.sort((a, b) => compareTexts(a.run.started_at, b.run.started_at) || compareTexts(a.run.id, b.run.id));
  // A run that was judged again, or resumed into a copy, is still the same night.
  const nights = new Map(before.map((one) => [one.run.id, one]));
  return { from: folder, runs: [...nights.values()].slice(-most), unreadable };
}

/** Where the config's `out` puts run folders: `under/before{stamp}after/below`. */
export interface RunPlaces {
  readonly under: string;
  readonly before: string;
  readonly after: string;
  readonly below: string;
}

const anyFolder: Omit<RunPlaces, 'under'> = { before: '', after: '', below: '' };

/** null: `out` names one folder for all runs. */
export function runPlaces(out: string): RunPlaces | null {
  const [, under = '', before = '', after = '', below = ''] =
    /^([^{]*)[\\/]([^\\/{]*)\{stamp\}([^\\/{]*)([^{]*)$/.exec(out) ?? [];
  return under === '' ? null : { under, before, after, below };
}

/** Whether a folder of {@link RunPlaces.under} has the name of a run. */
export function isRunName(name: string, { before, after }: Pick<RunPlaces, 'before' | 'after'>): boolean {
  return name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

/**
 * The earlier runs that a report shows: those in `from`, else those where the config's `out` puts runs. Without a
 * config, the ones beside it where a run goes by default.
 * @param folder where the run is
 * @param started when the run began, as ISO time
 */
export async function historyBefore(
  folder: string,
  started: string,
  { from, out }: { readonly from?: string | undefined; readonly out?: string | undefined } = {},
): Promise<History | null> {
  const own = await realpath(folder);
  const linked = (history: History): History => ({ ...history, pages: `${relative(own, history.from)}/` });
  if (from !== undefined) return linked(await readHistory(from, { until: started }));
  const beside = dirname(own);
  const isUsual = basename(beside) === 'runs' && basename(dirname(beside)) === 'reports';
  const places = out === undefined ? null : runPlaces(out);
  const under = places === null ? null : await realpath(places.under).catch(() => null);
  if (places !== null && under !== null) {
    return linked(await readHistory(under, { until: started, places }));
  }
  return isUsual ? linked(await readHistory(beside, { until: started })) : null;
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
    const data = parseSummaryJson(text);
    const valid = await shippedSchema('summary');
    return isObject(data) && valid(data) ? (data as unknown as RunSummary) : 'unreadable';
  }
  if (!ofReport) return null;
  const names = await readdir(folder).catch((): string[] => []);
  if (!names.includes(reportFormats.json.file)) return null;
  try {
    return runSummaryOf(await readReport(folder), undefined);
  } catch (error) {
    if (error instanceof UserError) return 'unreadable';
    throw error;
  }
}

function parseSummaryJson(text: string): unknown {
  try {
    return parsedJson(text);
  } catch {
    return null;
  }
}

/** `2026-11-20T03-17-00-123Z`: sorts by time and is a file name everywhere. */
export function stampOf(now: Date): string {
  return now.toISOString().replace(/[:.]/g, '-');
}

/** The config, which `reports/latest` stands beside. */
interface LocatedConfig {
  readonly file: string;
}

/** The link that always leads to the newest run. */
export function latestFolder(config: LocatedConfig): string {
  return join(dirname(config.file), 'reports', 'latest');
}

/**
 * Points `reports/latest` to the folder of a run that continues one that began at the given time, unless a newer run
 * has begun since.
 * @param at in ISO 8601
 */
export async function pointLatestToResumed(config: LocatedConfig, folder: string, at: string): Promise<void> {
  const latest = await begunAt(latestFolder(config));
  if (latest === null || Date.parse(latest) <= Date.parse(at)) await pointLatestTo(config, folder);
}

/** null: the folder holds no journal that can be read. */
async function begunAt(folder: string): Promise<string | null> {
  try {
    for await (const line of readJournal(join(folder, journalName))) {
      return line.type === 'run_started' ? line.at : null;
    }
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
  return null;
}

/** Points `reports/latest` to the folder. Where links cannot be made, nothing happens: a run does not need it. */
export async function pointLatestTo(config: LocatedConfig, folder: string): Promise<void> {
  const latest = latestFolder(config);
  if (latest === folder) return;
  const fresh = unfinishedName(latest);
  try {
    await mkdir(dirname(latest), { recursive: true });
    await symlink(relative(dirname(latest), folder), fresh, 'junction');
    await rename(fresh, latest);
  } catch {
    await rm(fresh, { force: true });
  }
}

/**
 * The kind of thing that `reports/latest` is when it could not be moved to a run; null: it leads to that run or to a
 * newer one, or is missing, and nobody mistakes an older run for the newest.
 * @param at when the run began, in ISO 8601
 */
export async function olderLatest(
  config: LocatedConfig,
  folder: string,
  at: string,
): Promise<'folder' | 'link' | null> {
  const latest = latestFolder(config);
  const found = await lstat(latest).catch(() => null);
  if (found === null) return null;
  const [shown, own] = await Promise.all([latest, folder].map((path) => realpath(path).catch(() => null)));
  if (shown === own) return null;
  const begun = await begunAt(latest);
  if (begun !== null && Date.parse(begun) > Date.parse(at)) return null;
  return found.isSymbolicLink() ? 'link' : 'folder';
}

/** Seconds that an answer of each model took in the newest run, by `TARGET/MODEL`; empty where nothing was seen. */
export async function answerPaces(config: LocatedConfig): Promise<ReadonlyMap<string, number>> {
  const summary = await readSummary(latestFolder(config), { ofReport: false }).catch(() => null);
  if (summary === null || summary === 'unreadable') return new Map();
  return new Map(
    Object.entries(summary.models).flatMap(([id, { answer_ms: ms }]) => (ms === undefined ? [] : [[id, ms / 1000]])),
  );
}

/**
 * Results and knowledge of the newest run before this one.
 * null when there is no such run, or it cannot be read: then no alarm waits for a second run.
 * @param tell is called for a report that is there and cannot be read, and of a link to a run that is gone
 */
export async function readPreviousRun(
  config: LocatedConfig,
  folder: string,
  tell: (error: UserError) => void = () => undefined,
): Promise<PreviousRun | null> {
  let latest: string | undefined;
  await refuseBrokenLink(latestFolder(config)).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    tell(error);
  });
  try {
    latest = await realpath(latestFolder(config));
    if (latest === folder) return null;
    const summary = await readSummary(latest);
    if (summary === 'unreadable') throw userError(`${latest} cannot be read`, 'run again: it begins anew');
    return summary === null ? null : previousFrom(summary.memory);
  } catch (error) {
    if (error instanceof UserError && latest !== undefined && hasReport(latest)) tell(error);
    if (error instanceof UserError || isFileSystemError(error)) return null;
    throw error;
  }
}

function isFileSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
