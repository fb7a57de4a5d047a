import type { Document, LineCounter, ScalarTag, Tags } from 'yaml';
import { isObject, type Json, type JsonObject, parsedJson } from '../../json/json.js';
import { problemAtSpot, type Problem, type Path, type SourceFile, type Spot } from '../problems/problem.js';
import { readText } from '../read-text.js';
import { mostProblems, notJsonProblems, duplicateKey } from './not-json.js';
import { offsetOf, yaml } from './yaml-places.js';

/** Reads a YAML 1.2 file that holds one document of plain JSON data. Never throws: see `problems`. */
export function readYaml(file: string): SourceFile {
  const read = readText(file);
  return read.ok ? parseYaml(read.text, file) : withoutData(file, read.problem);
}

/** Like `readYaml`, from text; `file` only appears in places. */
export function parseYaml(text: string, file: string): SourceFile {
  const deep = tooDeepAt(text);
  if (deep >= 0) {
    const hint = `a file may nest up to ${deepestYamlNesting} levels`;
    return withoutData(file, problemAtSpot(spotIn(text, deep, file), 'the data is nested too deeply', hint));
  }
  const lines = new (yaml().LineCounter)();
  const spotAt = (offset: number): Spot => {
    const { line, col } = lines.linePos(offset);
    // The counter knows only the lines that the parser reached.
    return { place: { file, line: Math.max(1, line), column: Math.max(1, col) }, text };
  };
  const document = parseYamlDocument(text, lines, spotAt);
  if (Array.isArray(document)) return withoutData(file, ...document);
  const problems = [...syntaxProblems(document, spotAt)];
  if (problems.length === 0) problems.push(...notJsonProblems(document, spotAt));
  const spotOf = (path: Path, part: 'key' | 'value' = 'value') => spotAt(offsetOf(document, path, part));
  // Aliases share a value, however often they repeat it.
  const data = problems.length > 0 ? null : (document.toJS({ maxAliasCount: -1 }) as Json);
  const isBomb = expandedSize(data) > Math.max(200_000, document.range[2]);
  if (isBomb) problems.push(problemAtSpot(spotAt(0), 'the aliases of this file expand to far too much data', bombHint));
  return { file, data: isBomb ? null : data, problems, spotOf };
}

function parseYamlDocument(
  text: string,
  lines: LineCounter,
  spotAt: (offset: number) => Spot,
): Document.Parsed | Problem[] {
  try {
    return yaml().parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'error',
      uniqueKeys: false,
      resolveKnownTags: false,
      version: '1.2',
      customTags: (tags) => tags.map(keepingDigits),
    });
  } catch (error) {
    return [problemAtSpot(spotAt(0), `the file cannot be parsed as YAML: ${String(error)}`)];
  }
}

/** Of integers, in each notation: YAML's own reader rounds what is beyond 2^53. */
function keepingDigits(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:int') return tag;
  const whole = tag as ScalarTag;
  const resolve: ScalarTag['resolve'] = (text, onError, options) => {
    const value = whole.resolve(text, onError, options);
    return typeof value !== 'number' || Number.isSafeInteger(value) ? value : BigInt(text);
  };
  return { ...whole, resolve };
}

/** The first error of each line: others on the same line mostly follow from it. */
function* syntaxProblems(document: Document.Parsed, spotAt: (offset: number) => Spot): Generator<Problem> {
  const seen = new Set<number>();
  for (const { code, message, pos } of [...document.errors, ...document.warnings]) {
    const { line } = spotAt(pos[0]).place;
    if (seen.has(line)) continue;
    if (seen.add(line).size > mostProblems) return;
    const quote = code === 'MISSING_CHAR' ? openQuoteBefore(document, pos[0]) : null;
    yield quote === null
      ? problemAtSpot(spotAt(pos[0]), syntaxMessages[code] ?? message, syntaxHints[code])
      : problemAtSpot(spotAt(quote), 'this quote is not closed', 'close it where the text ends');
  }
}

/**
 * Where the quoted text begins that ends at this offset: the parser tells of a missing quote where it ran out of text.
 */
function openQuoteBefore(document: Document.Parsed, offset: number): number | null {
  let begin: number | null = null;
  yaml().visit(document, {
    Scalar: (_, { type, range }) => {
      if (type?.startsWith('QUOTE_') === true && range?.[1] === offset) begin = range[0];
    },
  });
  return begin;
}

const bombHint = 'write the repeated parts out, or use $ref';

const syntaxMessages: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'the file holds more than one YAML document',
  TAB_AS_INDENT: 'a tab is used for indentation; YAML requires spaces',
  TAG_RESOLVE_FAILED: 'this tag has no meaning here; plain YAML data is expected',
  RESOURCE_EXHAUSTION: 'the data is nested too deeply',
};

const syntaxHints: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'put each document into a file of its own, and remove the line ---',
  TAB_AS_INDENT: 'replace tabs by spaces',
  TAG_RESOLVE_FAILED: 'remove the tag, or put the value in quotes if it begins with !',
  BAD_ALIAS: 'put the value in quotes if it begins with * or &',
  BAD_INDENT: 'check the indentation here and the brackets above',
  BLOCK_AS_IMPLICIT_KEY: 'put the text in quotes if it holds ": ", or indent the next line like this one',
  MISSING_CHAR: 'check quotes and brackets here and on the line above',
};

/** A file that could not be read, with the reasons. */
function withoutData(file: string, ...problems: readonly Problem[]): SourceFile {
  const place = { file, line: 1, column: 1 };
  return { file, data: null, problems, spotOf: () => ({ place, text: '' }) };
}

/** Nobody writes files that nest deeper, and parsers overflow the stack at some thousand levels. */
const deepestYamlNesting = 256;

/**
 * Where brackets or indentation nest too deeply, as an offset into the text; -1 when they do not. To be checked before
 * parsing, since the YAML parser can crash the process on such input. Brackets in strings count too; it would take
 * hundreds of unclosed ones to make a difference.
 */
function tooDeepAt(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const sign = text[index];
    if (sign === '[' || sign === '{') {
      if (++depth > deepestYamlNesting) return index;
    } else if ((sign === ']' || sign === '}') && depth > 0) {
      depth--;
    }
  }
  // Each mark of `- - - -` and `? ? ?` opens a level, and each column of indentation may open one.
  const deepLine = /^(?:[-?] +| ){513}/m.exec(text);
  return deepLine?.index ?? -1;
}

function spotIn(text: string, offset: number, file: string): Spot {
  const before = text.slice(0, offset).split('\n');
  return { place: { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }, text };
}

/**
 * The number of values in the data when shared parts count each time they are used. Takes time linear in the data
 * without repetition, so that an alias bomb is recognised at once.
 */
export function expandedSize(data: unknown, known = new Map<object, number>()): number {
  if (typeof data !== 'object' || data === null) return 1;
  const counted = known.get(data);
  if (counted !== undefined) return counted;
  let size = 1;
  for (const value of Object.values(data)) {
    size = Math.min(size + expandedSize(value, known), Number.MAX_SAFE_INTEGER / 2);
  }
  known.set(data, size);
  return size;
}

/** Reads a JSON file. Never throws: see `problems`. */
export function readJson(file: string): SourceFile {
  const read = readText(file);
  return read.ok ? parseJsonFile(read.text, file) : withoutData(file, read.problem);
}

/** Like `readJson`, from text; `file` only appears in places. */
export function parseJsonFile(text: string, file: string): SourceFile {
  const fault = jsonSyntaxFault(text);
  if (fault !== null) {
    return withoutData(file, problemAtSpot(spotIn(text, fault.offset, file), fault.message, fault.hint));
  }
  // JSON is YAML: the YAML parser knows places, and finds duplicate keys, which JSON.parse accepts.
  const { problems, ...known } = parseYaml(text, file);
  const duplicates = problems.filter((problem) => problem.message === duplicateKey);
  return { ...known, data: duplicates.length > 0 ? null : (parsedJson(text) as Json), problems: duplicates };
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
  const noObject: JsonSyntaxFault = { offset: 0, message: 'each line must be a JSON object: { "column": value, ... }' };
  for (const [index, line] of read.text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || problems.length === mostProblems) continue;
    const fault = jsonSyntaxFault(line);
    const data = fault === null ? (parsedJson(line) as Json) : null;
    if (isObject(data)) {
      rows.push(data);
    } else {
      const { offset, message, hint } = fault ?? noObject;
      const place = { file, line: index + 1, column: offset + 1 };
      problems.push(problemAtSpot({ place, text: read.text }, message, hint));
    }
  }
  if (rows.length > 0 || problems.length > 0) return { rows, problems };
  const message = 'the file is empty; one JSON object per line is expected';
  return { rows, problems: [problemAtSpot({ place: { file, line: 1, column: 1 }, text: '' }, message)] };
}

interface JsonSyntaxFault {
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}

/** The fault of a text that is not JSON. */
function jsonSyntaxFault(text: string): JsonSyntaxFault | null {
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
    if (isWrong(text.slice(0, middle))) {
      wrong = middle;
    } else {
      right = middle;
    }
  }
  return wrong - 1;
}

/** Why a text is not JSON; null: it is. */
function messageFor(text: string): string | null {
  try {
    parsedJson(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
