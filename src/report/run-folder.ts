import { existsSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { join, dirname, resolve } from 'node:path';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { excerpt } from '../chat/excerpt.js';
import { userError, type UserError } from '../files/problems/problem.js';
import { parseJsonFile } from '../files/yaml/read-yaml.js';
import { readRegular } from '../files/read-text.js';
import { schemaMisfits } from '../files/schema-problems.js';
import { shippedSchema } from '../files/shipped-schema.js';
import { writeWhole } from '../files/write-whole.js';
import { JournalError } from '../journal/journal-error.js';
import { hasJournal, journalName } from '../journal/journal.js';
import { readJournal } from '../journal/read-journal.js';
import { isObject, type Json, parsedJson, writtenJson } from '../json/json.js';
import type { Report } from '../matrix/report-format.js';
import type { FileFormat, RenderContext } from './render.js';
import { fileFormats, reportFormats } from './report-formats.js';
import { texts } from './words/catalogue.js';
import { say } from './words/message.js';
import { shellWord } from './safe/shell.js';

const { hints } = texts;

/**
 * Writes the files of a run folder, which must exist. Every file appears complete or not at all.
 * Throws what the file system throws.
 * @param formats those of {@link fileFormats}, or your own
 */
export async function writeRunFolder(
  folder: string,
  report: Report,
  context: RenderContext,
  formats: readonly FileFormat[] = fileFormats,
): Promise<void> {
  for (const format of formats) {
    const file = join(folder, format.file);
    const rendered = format.render(report, context);
    // In pieces, a run with a hundred thousand failures needs no more memory than one with ten.
    await writeWhole(file, Symbol.asyncIterator in rendered ? rendered : await rendered).catch((error: unknown) => {
      throw isFull(error) ? new JournalError('disk_full', `${file}: the disk is full; ${intact}`) : error;
    });
  }
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as { code?: string }).code ?? '');

const intact = 'the journal is intact, and the reports can be written again when there is space';

/** Whether a folder holds the report of a run; a killed run has none. */
export function hasReport(folder: string): boolean {
  return existsSync(join(folder, reportFormats.json.file));
}

/** Throws a UserError for a link, such as `reports/latest`, that leads to a run folder which is gone. */
export async function refuseBrokenLink(path: string): Promise<void> {
  const leadsTo = await readlink(path).catch(() => null);
  if (leadsTo === null || existsSync(path)) return;
  throw userError(`${path} leads to ${resolve(dirname(path), leadsTo)}, which is gone`, say(hints.brokenLink));
}

/**
 * Reads the report of a run folder or of a report.json. Throws a UserError if there is none, or it has another format.
 */
export async function readReport(path: string): Promise<Report> {
  const file = path.endsWith('.json') ? path : join(path, reportFormats.json.file);
  let text: string;
  try {
    text = await readRegular(file);
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR'].includes((error as { code?: string }).code ?? '');
    if (missing && hasJournal(path)) {
      throw userError(`the run in ${path} has not ended, so there is no report yet`, await wayToReport(path));
    }
    if (missing) await refuseBrokenLink(path);
    throw missing
      ? userError(`cannot read ${file}: it does not exist, so this is not a run folder`, say(hints.runFolder))
      : unfitReport(file, error instanceof Error ? error.message : String(error));
  }
  const report = parseReportJson(text);
  if (report === undefined) throw unfitReport(file, notJsonReason(text, file));
  const other = reportFormatProblem(report);
  if (other !== null) throw unfitReport(file, other, isOtherVersion(report));
  const valid = await shippedSchema('report');
  if (!valid(report)) throw unfitReport(file, misfitsOf(valid.errors ?? []));
  return report as unknown as Report;
}

/** A merged run has every answer of its shards, so it is not resumed: that would pay for what a missing shard holds. */
async function wayToReport(folder: string): Promise<string> {
  const resume = `wait until it ends; if it was stopped, continue it: chatspec run --resume --out ${folder}`;
  try {
    for await (const line of readJournal(join(folder, journalName))) {
      if (line.type !== 'run_started' || line.merged === undefined) return resume;
      return `run chatspec merge again, with the folders of the shards and --out ${folder}; it sends nothing`;
    }
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
  return resume;
}

function parseReportJson(text: string): Json | undefined {
  try {
    return parsedJson(text) as Json;
  } catch {
    return undefined;
  }
}

const format = 'chatspec-report/1';

/**
 * The error for a report.json that cannot be read; beside a journal, it says how to make the report again.
 * @param otherVersion it is a report, of another version of chatspec
 */
function unfitReport(file: string, why: string, otherVersion = false): UserError {
  const folder = dirname(file);
  const hint = hasJournal(folder)
    ? `chatspec rejudge ${shellWord(folder)} makes a report from its journal, sends nothing, and writes it to another folder`
    : otherVersion
      ? 'another version of chatspec wrote it: read it with that one, or make the run again'
      : 'a program may have cut or changed it; no journal is beside it, from which it could be made again';
  return userError(`cannot read ${file}: ${why}`, hint);
}

/** Fault of a text that is no JSON, with the place. */
function notJsonReason(text: string, file: string): string {
  if (text.trim() === '') return 'the file is empty';
  const [first] = parseJsonFile(text, file).problems;
  if (first === undefined || first.place === null) return 'it is not JSON';
  const { line, column } = first.place;
  return `${first.message} (line ${line}, column ${column})`;
}

/** Whether parsed JSON calls itself a report, in another format. */
function isOtherVersion(report: Json): boolean {
  const named = isObject(report) ? report['format'] : undefined;
  return typeof named === 'string' && named !== format && named.startsWith('chatspec-report/');
}

/** Reason why parsed JSON is no report at first sight; null: none. */
function reportFormatProblem(report: Json): string | null {
  if (!isObject(report)) return 'it holds no JSON object, so it is no report';
  if (report['format'] === format) return null;
  if (report['format'] === undefined) return `it has no "format", which is "${format}" in a report`;
  return `its format is ${jsonExcerpt(report['format'])}, not "${format}"`;
}

/** Misfits with the JSON Schema of reports. */
function misfitsOf(errors: readonly ErrorObject[]): string {
  const [first, ...others] = schemaMisfits(errors);
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const where = first === undefined || first.path.length === 0 ? '' : ` at ${excerpt(first.path.join('.'), 200)}`;
  const misfit = excerpt(first?.bare ?? 'it has another form', 200);
  return `it is not a report in the format ${format}: ${misfit}${where}${more}`;
}

const jsonExcerpt = (value: Json): string => excerpt(writtenJson(value), 60);
