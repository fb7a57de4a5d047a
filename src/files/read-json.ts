import { isObject, type Json, type JsonObject } from '../json/json.js';
import { problemAtSpot } from './problems/problem-at.js';
import type { Problem } from './problems/problem.js';
import { readText } from './read-text.js';
import type { SourceFile } from './source.js';
import { duplicateKey, mostProblems } from './yaml/not-json.js';
import { parseYaml, spotIn, tooDeepAt, withoutData } from './yaml/read-yaml.js';

/** Reads a JSON file. Never throws: see `problems`. */
export function readJson(file: string): SourceFile {
  const read = readText(file);
  return read.ok ? parseJson(read.text, file) : withoutData(file, read.problem);
}

/** Like `readJson`, from text; `file` only appears in places. */
export function parseJson(text: string, file: string): SourceFile {
  const fault = faultOf(text);
  if (fault !== null)
    return withoutData(file, problemAtSpot(spotIn(text, fault.offset, file), fault.message, fault.hint));
  // JSON is YAML: the YAML parser knows places, and finds duplicate keys, which JSON.parse accepts.
  const { problems, ...known } = parseYaml(text, file);
  const duplicates = problems.filter((problem) => problem.message === duplicateKey);
  return { ...known, data: duplicates.length > 0 ? null : (JSON.parse(text) as Json), problems: duplicates };
}

interface JsonLines {
  readonly rows: readonly JsonObject[];
  readonly problems: readonly Problem[];
}

/** Reads a JSON Lines file whose rows are objects; empty lines are skipped. Never throws: see `problems`. */
export function readJsonLines(file: string): JsonLines {
  const read = readText(file);
  if (!read.ok) return { rows: [], problems: [read.problem] };
  const rows: JsonObject[] = [];
  const problems: Problem[] = [];
  const noObject: Fault = { offset: 0, message: 'each line must be a JSON object: { "column": value, ... }' };
  for (const [index, line] of read.text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || problems.length === mostProblems) continue;
    const fault = faultOf(line);
    const data = fault === null ? (JSON.parse(line) as Json) : null;
    if (isObject(data)) rows.push(data);
    else {
      const { offset, message, hint } = fault ?? noObject;
      const place = { file, line: index + 1, column: offset + 1 };
      problems.push(problemAtSpot({ place, text: read.text }, message, hint));
    }
  }
  if (rows.length > 0 || problems.length > 0) return { rows, problems };
  const message = 'the file is empty; one JSON object per line is expected';
  return { rows, problems: [problemAtSpot({ place: { file, line: 1, column: 1 }, text: '' }, message)] };
}

interface Fault {
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}

/** What is wrong with a text that is not JSON. */
function faultOf(text: string): Fault | null {
  if (text.trim() === '') return { offset: 0, message: 'the file is empty; JSON is expected' };
  const deep = tooDeepAt(text);
  if (deep >= 0) return { offset: deep, message: 'the data is nested too deeply' };
  const message = messageFor(text);
  if (message === null) return null;
  const short = message.replace(/ (?:in|after) JSON at position.*$|, (?:"|\.\.\.).*$/s, '');
  const hint = 'check quotes, commas and brackets here and just above';
  return { offset: faultOffset(text, message), message: `this is not JSON: ${short}`, hint };
}

/**
 * Engines give the position of some errors only. For the others, it is the end of the shortest beginning of the text
 * that is already wrong, and not merely unfinished.
 */
function faultOffset(text: string, message: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const isWrong = (beginning: string): boolean => messageFor(beginning)?.startsWith('Unexpected token') === true;
  if (!isWrong(text)) return text.trimEnd().length;
  let [right, wrong] = [0, text.length];
  while (wrong - right > 1) {
    const middle = (right + wrong) >> 1;
    if (isWrong(text.slice(0, middle))) wrong = middle;
    else right = middle;
  }
  return wrong - 1;
}

/** Why a text is not JSON; null: it is. */
function messageFor(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
