import { parseJson } from '../chat/parse-json.js';
import type { Json } from '../json/json.js';

/** A JSON document in a body. */
export interface Document {
  readonly value: Json;
  /** The first place belongs to the document, with its `data:` if it is an event; further lines of its data follow. */
  readonly places: readonly { readonly from: number; readonly to: number }[];
  readonly isEvent: boolean;
}

/** A line of a body that is no JSON: a comment, another field of an event, text. */
export interface TextLine {
  /** The name before the colon in an event stream; empty for anything else. */
  readonly field: string;
  /** Where its value stands in the body. */
  readonly from: number;
  readonly to: number;
}

export interface BodyParts {
  readonly documents: readonly Document[];
  readonly lines: readonly TextLine[];
}

/**
 * Takes a body apart, whatever its type says: one document, the events of a stream, a document on each line, or plain
 * lines.
 */
export function partsOf(body: string): BodyParts {
  const start = body.startsWith('\ufeff') ? 1 : 0;
  const whole = parseJson(body.slice(start));
  if (whole.ok) {
    return {
      documents: [{ value: whole.value, places: [{ from: start, to: body.length }], isEvent: false }],
      lines: [],
    };
  }
  const documents: Document[] = [];
  const lines: TextLine[] = [];
  let data: TextLine[] = [];
  const endEvent = (): void => {
    const [first] = data;
    if (first === undefined) return;
    const text = data.length === 1 ? body.slice(first.from, first.to) : data.map(textIn(body)).join('\n');
    const read = parseJson(text);
    if (read.ok) documents.push({ value: read.value, places: data.map(lineOf(body)), isEvent: true });
    else lines.push(...data);
    data = [];
  };
  for (const { from, to } of linesIn(body, start)) {
    if (from === to) {
      endEvent();
      continue;
    }
    const line = fieldOf(body, from, to);
    if (line.field === 'data') {
      data.push(line);
      continue;
    }
    const first = body.charAt(from);
    const read = first === '{' || first === '[' ? parseJson(body.slice(from, to)) : null;
    if (read?.ok === true) documents.push({ value: read.value, places: [{ from, to }], isEvent: false });
    else lines.push(line);
  }
  endEvent();
  return { documents, lines };
}

const textIn =
  (body: string) =>
  ({ from, to }: TextLine): string =>
    body.slice(from, to);

/** The whole line of a value, with its `data:`. */
const lineOf =
  (body: string) =>
  ({ from, to }: TextLine): { from: number; to: number } => ({ from: body.lastIndexOf('data:', from), to });

function* linesIn(body: string, start: number): Generator<{ readonly from: number; readonly to: number }> {
  const terminator = /\r\n|\n|\r/g;
  terminator.lastIndex = start;
  let from = start;
  for (let found = terminator.exec(body); found !== null; found = terminator.exec(body)) {
    yield { from, to: found.index };
    from = terminator.lastIndex;
  }
  yield { from, to: body.length };
}

const fields = ['data', 'event', 'id', 'retry', ''];

function fieldOf(body: string, from: number, to: number): TextLine {
  for (const field of fields) {
    if (!body.startsWith(`${field}:`, from)) continue;
    const value = from + field.length + 1;
    return { field: field === '' ? 'comment' : field, from: body.charAt(value) === ' ' ? value + 1 : value, to };
  }
  return { field: '', from, to };
}
