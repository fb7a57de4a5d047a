import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { UserError } from '../../files/problems/problem.js';
import { writeWhole, writingTo } from '../../files/write-whole.js';
import { hasJournal } from '../../journal/journal.js';
import { historyBefore, readSummary } from '../../report/history/read-history.js';
import { type RenderContext, renderReport, type ReportFormat } from '../../report/render.js';
import { fileFormats, reportFormats } from '../../report/report-formats.js';
import { readReport, writeRunFolder } from '../../report/run-folder.js';
import { writeSite } from '../../report/site/write-site.js';
import { exitCodes, type Io, printProblems, displayPath } from '../terminal/io.js';
import {
  checkNames,
  checkOut,
  askedHistory,
  refuseOtherRun,
  isSameFolder,
  writableFolder,
} from '../folders/folders.js';
import { optionNames, type Options, optionText } from '../options/options.js';
import { readingOf, requireJournal } from '../options/recorded-options.js';
import { unreadableReport } from '../runs/write-report.js';

/** Renders a run again, to the terminal or as files. Sends nothing. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  await checkOut(options, io);
  await checkOut(options, io, 'site');
  const source = resolve(io.cwd, args[0] ?? '');
  const isFile = source.endsWith('.json');
  const json = options['json'] === true;
  const { terminal, failures, issue } = reportFormats;
  const byDefault: readonly ReportFormat[] = json || options['site'] !== undefined ? [] : [terminal];
  const named = optionNames(options, 'format');
  const wanted = Object.values<ReportFormat>(reportFormats).filter(
    (format) => named?.includes(format.name) ?? byDefault.includes(format),
  );
  const report = await readReport(source);
  const folder = resolve(io.cwd, optionText(options, 'out') ?? source);
  const files = fileFormats.filter((format) => format.name !== failures.name && wanted.includes(format));
  const isElsewhere = !(await isSameFolder(folder, isFile ? dirname(source) : source));
  const writes = files.length > 0 || wanted.includes(issue);
  if (writes && isElsewhere) await refuseOtherRun(folder, report.run.id);
  await checkNames(folder, files);
  // A page without its evidence would replace the one that has it.
  if (files.includes(reportFormats.html) && !isFile) await requireJournal(source);
  const summary = isFile ? null : await readSummary(source);
  const isOwn = summary !== null && summary !== 'unreadable' && summary.run.id === report.run.id;
  const { out, ...view } = await readingOf(options, io, source);
  const from = await askedHistory(options, io);
  const context: RenderContext = {
    ...view,
    failures: [],
    folder: displayPath(source, io),
    color: io.color,
    columns: io.columns,
    history: await historyBefore(source, report.run.started_at, { from, out }),
    summary: isOwn ? summary : null,
  };
  if (wanted.includes(terminal)) io.out(await renderReport(terminal, report, context));
  // report.json does not hold every failing trial; the file that the run wrote does.
  if (wanted.includes(failures)) io.out(context.redact(await readFile(join(source, failures.file), 'utf8')));
  if (wanted.includes(issue)) {
    const text = await renderReport(issue, report, context);
    if (options['out'] === undefined) {
      io.out(text);
    } else {
      await writeIssue(join(folder, 'issue.json'), text, io);
    }
    // An issue is JSON already.
  } else if (json) {
    io.out(await renderReport(reportFormats.json, report, context));
  }
  const site = optionText(options, 'site');
  if (site !== undefined) {
    const reading = async (of: string): Promise<RenderContext> => ({
      ...context,
      ...(await readingOf(options, io, hasJournal(of) ? of : undefined)),
      folder: displayPath(of, io),
    });
    const tell = (error: UserError): void => {
      printProblems(unreadableReport(error, 'the site has no page of this run'), io);
    };
    const into = resolve(io.cwd, site);
    await writingTo(into, writeSite({ source, report, context, reading, tell }, into));
    io.err(`${displayPath(join(into, 'index.html'), io)}\n`);
  }
  if (files.length > 0) {
    await writableFolder(folder);
    await writingTo(folder, writeRunFolder(folder, report, context, files));
    for (const { file } of files) io.err(`${displayPath(join(folder, file), io)}\n`);
  }
  return exitCodes.ok;
}

async function writeIssue(file: string, text: string, io: Io): Promise<void> {
  await writableFolder(dirname(file));
  await writingTo(file, writeWhole(file, text));
  io.err(`${displayPath(file, io)}\n`);
}
