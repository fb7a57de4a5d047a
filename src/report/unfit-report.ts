import { dirname } from 'node:path';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { excerpt } from '../chat/excerpt.js';
import { type UserError, userError } from '../files/problems/problem.js';
import { parseJson } from '../files/read-json.js';
import { schemaMisfits } from '../files/schema-problems.js';
import { isObject, type Json } from '../json/json.js';
import { hasJournal } from '../journal/journal.js';
import { shellWord } from './words/shell-word.js';

const format = 'chatspec-report/1';

/**
 * The error for a report.json that cannot be read; beside a journal, it says how to make the report again.
 * @param otherVersion it is a report, of another version of chatspec
 */
export function unfitReport(file: string, why: string, otherVersion = false): UserError {
  const folder = dirname(file);
  const hint = hasJournal(folder)
    ? `chatspec rejudge ${shellWord(folder)} makes a report from its journal, sends nothing, and writes it to another folder`
    : otherVersion
      ? 'another version of chatspec wrote it: read it with that one, or make the run again'
      : 'a program may have cut or changed it; no journal is beside it, from which it could be made again';
  return userError(`cannot read ${file}: ${why}`, hint);
}

/** What is wrong with a text that is no JSON, with the place. */
export function notJson(text: string, file: string): string {
  if (text.trim() === '') return 'the file is empty';
  const [first] = parseJson(text, file).problems;
  if (first === undefined || first.place === null) return 'it is not JSON';
  const { line, column } = first.place;
  return `${first.message.replace('this is', 'it is')} (line ${line}, column ${column})`;
}

/** Whether parsed JSON calls itself a report, in another format. */
export function isOtherVersion(report: Json): boolean {
  const named = isObject(report) ? report['format'] : undefined;
  return typeof named === 'string' && named !== format && named.startsWith('chatspec-report/');
}

/** What keeps parsed JSON from being a report at first sight; null: nothing. */
export function otherFormat(report: Json): string | null {
  if (!isObject(report)) return 'it holds no JSON object, so it is no report';
  if (report['format'] === format) return null;
  if (report['format'] === undefined) return `it has no "format", which is "${format}" in a report`;
  return `its format is ${shown(report['format'])}, not "${format}"`;
}

/** What does not fit the JSON Schema of reports. */
export function misfitsOf(errors: readonly ErrorObject[]): string {
  const [first, ...others] = schemaMisfits(errors);
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const where = first === undefined || first.path.length === 0 ? '' : ` at ${excerpt(first.path.join('.'), 200)}`;
  return `it is not a report in the format ${format}: ${excerpt(first?.bare ?? 'it has another form', 200)}${where}${more}`;
}

const shown = (value: Json): string => excerpt(JSON.stringify(value), 60);
