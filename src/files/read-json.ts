import { isObject, type Json, type JsonObject } from '../json/json.js';
import { tooDeepAt, parseYaml, withoutData } from './yaml/read-yaml.js';
import { problemAtSpot } from './problems/problem-at.js';
import type { Problem } from './problems/problem.js';
import { duplicateKey } from './yaml/not-json.js';
import { readText } from './read-text.js';
import type { SourceFile, Spot } from './source.js';

/** Reads a JSON file. Never throws: see `problems`. */
export function readJson(file: string): SourceFile {
  const read = readText(file);
  return read.ok ? parseJson(read.text, file) : withoutData(file, read.problem);
}

/** Like `readJson`, from text; `file` only appears in places. */
export function parseJson(text: string, file: string): SourceFile {
  const deep = tooDeepAt(text);
  if (deep >= 0) return withoutData(file, problemAtSpot(spotIn(text, deep, file), 'the data is nested too deeply'));
  const parsed = parse(text);
  if (!parsed.ok) {
    return withoutData(file, problemAtSpot(spotIn(text, parsed.offset, file), parsed.message, parsed.hint));
  }
  // JSON is YAML: the YAML parser knows places, and finds duplicate keys, which JSON.parse accepts.
  const { problems, ...known } = parseYaml(text, file);
  const duplicates = problems.filter((problem) => problem.message === duplicateKey);
  return { ...known, data: duplicates.length > 0 ? null : parsed.data, problems: duplicates };
}

export interface JsonLines {
  readonly rows: readonly { readonly data: JsonObject; readonly spot: Spot }[];
  readonly problems: readonly Problem[];
}

/** Reads a JSON Lines file whose rows are objects; empty lines are skipped. Never throws: see `problems`. */
export function readJsonLines(file: string): JsonLines {
  const read = readText(file);
  if (!read.ok) return { rows: [], problems: [read.problem] };
  const rows: { data: JsonObject; spot: Spot }[] = [];
  const problems: Problem[] = [];
  for (const [index, line] of read.text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || problems.length === 5) continue;
    const spot = (offset: number): Spot => ({ place: { file, line: index + 1, column: offset + 1 }, text: read.text });
    const parsed = tooDeepAt(line) >= 0 ? tooDeep : parse(line);
    if (!parsed.ok) problems.push(problemAtSpot(spot(parsed.offset), parsed.message, parsed.hint));
    else if (!isObject(parsed.data)) {
      problems.push(problemAtSpot(spot(0), 'each line must be a JSON object: { "column": value, ... }'));
    } else rows.push({ data: parsed.data, spot: spot(0) });
  }
  if (rows.length === 0 && problems.length === 0) {
    problems.push(
      problemAtSpot(
        { place: { file, line: 1, column: 1 }, text: '' },
        'the file is empty; one JSON object per line is expected',
      ),
    );
  }
  return { rows, problems };
}

type Parsed =
  | { readonly ok: true; readonly data: Json }
  | { readonly ok: false; readonly offset: number; readonly message: string; readonly hint?: string };

const tooDeep: Parsed = { ok: false, offset: 0, message: 'the data is nested too deeply' };

function parse(text: string): Parsed {
  if (text.trim() === '') return { ok: false, offset: 0, message: 'the file is empty; JSON is expected' };
  try {
    const data = JSON.parse(text) as Json;
    return { ok: true, data };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      offset: faultOffset(text, message),
      message: `this is not JSON: ${message
        .replace(/ (in|after) JSON at position.*$/s, '')
        .replace(/, ".*$/s, '')
        .replace(/, \.\.\..*$/s, '')}`,
      hint: 'check quotes, commas and brackets here and just above',
    };
  }
}

/**
 * Engines give the position of some errors only. For the others, it is the end of the shortest beginning of the text
 * that is already wrong, and not merely unfinished.
 */
function faultOffset(text: string, message: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  if (!isWrongToken(message)) return text.trimEnd().length;
  let [right, wrong] = [0, text.length];
  while (wrong - right > 1) {
    const middle = (right + wrong) >> 1;
    if (isWrongToken(messageFor(text.slice(0, middle)))) wrong = middle;
    else right = middle;
  }
  return wrong - 1;
}

function isWrongToken(message: string): boolean {
  return message.startsWith('Unexpected token');
}

function messageFor(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

function spotIn(text: string, offset: number, file: string): Spot {
  const before = text.slice(0, offset).split('\n');
  return { place: { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }, text };
}
