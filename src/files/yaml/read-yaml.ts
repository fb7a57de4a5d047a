import type { Document, LineCounter, Node } from 'yaml';
import type { Json } from '../../json/json.js';
import { problemAtSpot } from '../problems/problem-at.js';
import type { Problem } from '../problems/problem.js';
import { readText } from '../read-text.js';
import type { Path, SourceFile, Spot } from '../source.js';
import { notJson } from './not-json.js';
import { yaml, keyOf, offsetOf } from './yaml-places.js';

/** Reads a YAML 1.2 file that holds one document of plain JSON data. Never throws: see `problems`. */
export function readYaml(file: string): SourceFile {
  const read = readText(file);
  return read.ok ? parseYaml(read.text, file) : withoutData(file, read.problem);
}

/** Like `readYaml`, from text; `file` only appears in places. */
export function parseYaml(text: string, file: string): SourceFile {
  const lines = new (yaml().LineCounter)();
  const spotAt = (offset: number): Spot => ({ place: { file, ...lineColumn(lines, offset) }, text });
  const document = parsed(text, lines, spotAt);
  if (Array.isArray(document)) return withoutData(file, ...document);
  const problems = [...syntaxProblems(document, spotAt)];
  if (problems.length === 0) problems.push(...notJson(document, spotAt));
  const spotOf = (path: Path, part: 'key' | 'value' = 'value') => spotAt(offsetOf(document, path, part));
  if (problems.length > 0) return { file, data: null, problems, spotOf, placeOf: (...at) => spotOf(...at).place };
  return { file, ...converted(document, spotAt), spotOf, placeOf: (...at) => spotOf(...at).place };
}

function parsed(text: string, lines: LineCounter, spotAt: (offset: number) => Spot): Document.Parsed | Problem[] {
  const deep = tooDeepAt(text);
  if (deep >= 0) {
    lines.addNewLine(0);
    for (let at = text.indexOf('\n'); at >= 0 && at < deep; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
    return [problemAtSpot(spotAt(deep), 'the data is nested too deeply', 'a file may nest up to 256 levels')];
  }
  try {
    return yaml().parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'error',
      uniqueKeys: false,
      version: '1.2',
    });
  } catch (error) {
    return [problemAtSpot(spotAt(0), `the file cannot be parsed as YAML: ${messageOf(error)}`)];
  }
}

/** The first error of each line: others on the same line mostly follow from it. */
function* syntaxProblems(document: Document.Parsed, spotAt: (offset: number) => Spot): Generator<Problem> {
  const seen = new Set<number>();
  for (const error of [...document.errors, ...document.warnings]) {
    const quote = error.code === 'MISSING_CHAR' ? openQuoteBefore(document, error.pos[0]) : null;
    const reported = spotAt(error.pos[0]);
    if (seen.has(reported.place.line)) continue;
    seen.add(reported.place.line);
    const spot = quote === null ? reported : spotAt(quote);
    yield quote === null
      ? problemAtSpot(spot, syntaxMessages[error.code] ?? error.message, syntaxHints[error.code])
      : problemAtSpot(spot, 'this quote is not closed', 'close it where the text ends');
    if (seen.size === 5) return;
  }
}

/** Where the quoted text begins that ends at this offset: the parser tells of a missing quote where it ran out of text. */
function openQuoteBefore(document: Document.Parsed, offset: number): number | null {
  let begin: number | null = null;
  yaml().visit(document, {
    Scalar: (_, { type, range }) => {
      if (type?.startsWith('QUOTE_') === true && range?.[1] === offset) begin = range[0];
    },
  });
  return begin;
}

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

function converted(
  document: Document.Parsed,
  spotAt: (offset: number) => Spot,
): { readonly data: Json; readonly problems: readonly Problem[] } {
  const data = dataOf(document);
  if (expandedSize(data) <= Math.max(largestExpansion, document.range[2])) return { data, problems: [] };
  const message = 'the aliases of this file expand to far too much data';
  return { data: null, problems: [problemAtSpot(spotAt(0), message, 'write the repeated parts out, or use $ref')] };
}

/**
 * The data of a document in which `notJson` found nothing. An alias shares the value of its anchor. The library's own
 * conversion would search the whole document for each alias.
 */
function dataOf(document: Document.Parsed): Json {
  const anchors = new Map<string, Json>();
  const convert = (node: unknown): Json => {
    if (yaml().isAlias(node)) return anchors.get(node.source) ?? null;
    const value = plainValue(node, convert);
    const { anchor } = (node ?? {}) as Partial<Pick<Node & { anchor: string }, 'anchor'>>;
    if (anchor !== undefined) anchors.set(anchor, value);
    return value;
  };
  return convert(document.contents);
}

function plainValue(node: unknown, convert: (node: unknown) => Json): Json {
  const { isMap, isScalar, isSeq } = yaml();
  if (isMap(node)) return Object.fromEntries(node.items.map((pair) => [keyOf(pair) ?? '', convert(pair.value)]));
  if (isSeq(node)) return node.items.map(convert);
  return isScalar(node) ? ((node.value ?? null) as Json) : null;
}

/** A file that could not be read, with the reasons. */
export function withoutData(file: string, ...problems: readonly Problem[]): SourceFile {
  const place = { file, line: 1, column: 1 };
  return { file, data: null, problems, spotOf: () => ({ place, text: '' }), placeOf: () => place };
}

/** The counter knows only the lines that the parser reached. */
function lineColumn(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Nobody writes files that nest deeper, and parsers overflow the stack at some thousand levels. */
const deepestNesting = 256;

/**
 * Where brackets or indentation nest too deeply, as an offset into the text; -1 when they do not. To be checked before
 * parsing, since the YAML parser can crash the process on such input. Brackets in strings count too; it would take
 * hundreds of unclosed ones to make a difference.
 */
export function tooDeepAt(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === openSquare || code === openCurly) {
      if (++depth > deepestNesting) return index;
    } else if ((code === closeSquare || code === closeCurly) && depth > 0) depth--;
  }
  // Each mark of `- - - -` and `? ? ?` opens a level, and each column of indentation may open one.
  const deepLine = /^(?:[-?] +| ){513}/m.exec(text);
  return deepLine?.index ?? -1;
}

const [openSquare, closeSquare, openCurly, closeCurly] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The most values that a file may hold when its aliases or `$ref`s are written out. */
export const largestExpansion = 200_000;

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
