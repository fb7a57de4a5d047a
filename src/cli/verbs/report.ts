import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { hasJournal } from '../../journal/journal.js';
import { writeWhole } from '../../files/write-whole.js';
import type { RenderContext, ReportFormat } from '../../report/render.js';
import { renderReport } from '../../report/render-report.js';
import { fileFormats, reportFormats } from '../../report/report-formats.js';
import { readReport, writeRunFolder } from '../../report/run-folder.js';
import { exitCodes } from '../errors/exit-codes.js';
import { displayPath } from '../folders/folders.js';
import { historyOf, ownSummary } from '../folders/history-of.js';
import { writeSite } from '../runs/write-site.js';
import { holdsOtherRun, holdsRun, isSameFolder } from '../folders/other-run.js';
import type { Io } from '../terminal/io.js';
import { textOf } from '../options/options.js';
import { formatsOf } from '../options/formats.js';
import { requireJournal } from '../options/recorded-options.js';
import { readingOf } from '../options/reading.js';
import type { Options } from '../verb.js';
import { checkNames, checkOut, unwritable, writableFolder } from '../folders/writable.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';

/** Renders a run again, to the terminal or as files. Sends nothing. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  await checkOut(options, io);
  await checkOut(options, io, 'site');
  const source = resolve(io.cwd, args[0] ?? '');
  const byDefault: readonly ReportFormat[] =
    options['json'] === true || options['site'] !== undefined ? [] : [reportFormats.terminal];
  const wanted = formatsOf<ReportFormat>(options, Object.values(reportFormats)) ?? byDefault;
  const isIssue = wanted.includes(reportFormats.issue);
  const report = await readReport(source);
  const folder = resolve(io.cwd, textOf(options, 'out') ?? source);
  const files = fileFormats.filter(
    (format) => format.name !== reportFormats.failures.name && wanted.some(({ name }) => name === format.name),
  );
  const own = source.endsWith('.json') ? dirname(source) : source;
  const isElsewhere = (files.length > 0 || isIssue) && !(await isSameFolder(folder, own));
  if (isElsewhere && (await holdsOtherRun(folder, report.run.id))) throw holdsRun(folder);
  await checkNames(folder, files);
  // A page without its evidence would replace the one that has it.
  if (files.includes(reportFormats.html) && !source.endsWith('.json')) await requireJournal(source);
  const { redact, exchanges } = await readingOf(options, io, source);
  const site = textOf(options, 'site');
  // Every format says since when something deviates.
  const shown = site !== undefined || isIssue || files.includes(reportFormats.html) || deviationsOf(report).length > 0;
  const history = await historyOf({ folder: source, started: report.run.started_at, shown }, options, io);
  const summary = source.endsWith('.json') ? null : await ownSummary(source, report.run.id);
  const context: RenderContext = {
    redact,
    exchanges,
    failures: [],
    folder: displayPath(source, io),
    color: io.color,
    columns: io.columns,
    ...{ history, summary },
  };
  const { terminal, failures, json } = reportFormats;
  if (wanted.includes(terminal)) io.out(await renderReport(terminal, report, context));
  // report.json does not hold every failing trial; the file that the run wrote does.
  if (wanted.includes(failures)) io.out(redact(await readFile(join(source, failures.file), 'utf8')));
  if (isIssue) {
    const text = await renderReport(reportFormats.issue, report, context);
    if (options['out'] === undefined) io.out(text);
    else await writeIssue(join(folder, 'issue.json'), text, io);
  }
  // An issue is JSON already.
  if (options['json'] === true && !isIssue) io.out(await renderReport(json, report, context));
  if (site !== undefined) {
    const reading = (of: string) => readingOf(options, io, hasJournal(of) ? of : undefined);
    await writeSite({ source, report, history, summary, reading }, resolve(io.cwd, site), io);
  }
  if (files.length > 0) {
    await writableFolder(folder);
    await writeRunFolder(folder, report, context, files).catch((error: unknown) => {
      throw unwritable(error, folder);
    });
    for (const { file } of files) io.err(`${displayPath(join(folder, file), io)}\n`);
  }
  return exitCodes.ok;
}

async function writeIssue(file: string, text: string, io: Io): Promise<void> {
  await writableFolder(dirname(file));
  await writeWhole(file, text).catch((error: unknown) => {
    throw unwritable(error, file);
  });
  io.err(`${displayPath(file, io)}\n`);
}
