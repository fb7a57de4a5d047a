import { readAlone, replyIn } from '../chat/read-answer.js';
import { groupBy } from '../json/group-by.js';
import { partsOf, type Document, type TextLine } from './documents.js';
import { masked, without, type Masker, type Range } from './masker.js';
import { threadsOf, rewritten, type Thread } from './threads.js';

/** Characters; a longer body is not read a second time to see what a client makes of it. */
const longestRead = 8_000_000;

/**
 * Masks what anybody could read in a body: keys in the text, and keys that are cut over the deltas of a stream, the parts
 * of a list or the lines of an event. The time is in proportion to the body.
 * @param cut the body ended too early
 * @returns null, nearly always, when there is nothing to mask
 */
export function maskBody(body: string, masker: Masker, cut: boolean): string | null {
  if (!masker.active || body === '' || (!cut && !masker.mayHold(body))) return null;
  const { documents, lines } = partsOf(body);
  const edits = [...documentEdits(documents, masker, cut), ...lineEdits(body, lines, masker, cut)];
  const shown = edits.length === 0 ? body : applied(body, edits);
  if (holdsStill(shown, masker)) return masked;
  return edits.length === 0 ? null : shown;
}

/** A part of the body with the text to put in its place. */
interface BodyEdit extends Range {
  readonly text: string;
}

function applied(body: string, edits: readonly BodyEdit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, text } of [...edits].sort((one, other) => one.from - other.from)) {
    pieces.push(body.slice(at, from), text);
    at = to;
  }
  return [...pieces, body.slice(at)].join('');
}

/** Whether a client that reads the body would still find a key: then nothing of it can be shown. */
function holdsStill(body: string, masker: Masker): boolean {
  if (body.length > longestRead || !masker.mayHold(body)) return false;
  const reading = readAlone({ status: 200, headers: {}, body: [body], failure: null });
  const reply = replyIn(reading);
  const calls = reply?.tool_calls.flatMap(({ id, name, arguments: args }) => [id, name, JSON.stringify(args)]) ?? [];
  const texts = [reply?.content, reply?.reasoning, reply?.refusal, ...calls, 'detail' in reading && reading.detail];
  return texts.some((text) => typeof text === 'string' && masker.holds(text));
}

function documentEdits(documents: readonly Document[], masker: Masker, cut: boolean): BodyEdit[] {
  const { all, names, counts } = threadsOf(documents.map(({ value }) => value));
  const found = pieceRanges(distinct(all), masker, cut);
  const renamed = new Map(
    [...names].flatMap((name) => {
      const shown = masker.mask(name);
      return shown === name ? [] : [[name, shown] as const];
    }),
  );
  if (found.size === 0 && renamed.size === 0) return [];
  const rename = (name: string): string => renamed.get(name) ?? name;
  const edit = (piece: number, text: string): string => withoutPieces(text, found.get(piece) ?? []);
  let first = 0;
  return documents.flatMap((document, index) => {
    const from = first;
    first += counts[index] ?? 0;
    const touched = renamed.size > 0 || hasPiece(found, from, first);
    return touched ? replacement(document, JSON.stringify(rewritten(document.value, from, edit, rename))) : [];
  });
}

function hasPiece(found: ReadonlyMap<number, unknown>, from: number, to: number): boolean {
  for (let piece = from; piece < to; piece += 1) if (found.has(piece)) return true;
  return false;
}

function replacement({ places, isEvent }: Document, text: string): BodyEdit[] {
  return places.map((place, index) => ({
    ...place,
    // Further lines of the same event become comments, which keeps it in one piece.
    text: index > 0 ? ':' : isEvent ? `data: ${text}` : text,
  }));
}

/** What to mask in a piece; only the first piece of a key shows that something was masked. */
interface PieceRange extends Range {
  readonly first: boolean;
}

/** Ways to name a place mostly lead to the same texts, which are searched once. */
function distinct(threads: readonly Thread[]): readonly Thread[] {
  const bySize = groupBy(threads, ({ pieces }) => `${pieces.length} ${pieces[0]} ${pieces.at(-1)}`);
  return [...bySize.values()].flatMap((alike) =>
    alike.filter(
      (thread, index) => !alike.slice(0, Math.min(index, mostCompared)).some((other) => isSame(thread, other)),
    ),
  );
}

/** With how many others a thread is compared at most: comparing must not cost more than a search. */
const mostCompared = 4;

function isSame(one: Thread, other: Thread): boolean {
  return (
    one.pieces.every((piece, index) => piece === other.pieces[index]) &&
    one.texts.every((text, index) => text === other.texts[index])
  );
}

/** By the number of the piece. */
function pieceRanges(threads: readonly Thread[], masker: Masker, cut: boolean): Map<number, PieceRange[]> {
  const found = new Map<number, PieceRange[]>();
  for (const { texts, pieces } of threads) {
    let at = 0;
    let start = 0;
    for (const range of masker.ranges(texts.join(''), cut)) {
      let first = true;
      for (; at < texts.length && start < range.to; at += 1) {
        const { length } = texts[at] ?? '';
        const end = start + length;
        if (end > range.from) {
          const inPiece = { from: Math.max(0, range.from - start), to: Math.min(length, range.to - start), first };
          const piece = pieces[at] ?? 0;
          const known = found.get(piece);
          if (known === undefined) found.set(piece, [inPiece]);
          else known.push(inPiece);
          first = false;
        }
        // The next key may begin in the same piece.
        if (end > range.to) break;
        start = end;
      }
    }
  }
  return found;
}

/** The text without what several threads want to have masked. */
function withoutPieces(text: string, ranges: readonly PieceRange[]): string {
  let shown = '';
  let at = 0;
  let open: { to: number; first: boolean } | null = null;
  for (const { from, to, first } of [...ranges].sort((one, other) => one.from - other.from)) {
    if (open !== null && from <= open.to) {
      open = { to: Math.max(open.to, to), first: open.first || first };
      continue;
    }
    if (open !== null) {
      shown += open.first ? masked : '';
      at = open.to;
    }
    shown += text.slice(at, from);
    open = { to, first };
  }
  if (open === null) return text;
  return shown + (open.first ? masked : '') + text.slice(open.to);
}

/** Names with their texts, in JSON that cannot be parsed because it is cut, too deep, or two documents in one. */
const member = /"((?:[^"\\]|\\.){0,200})"\s*:\s*"((?:[^"\\]|\\.)*)/g;

/** Masks lines that are no JSON, each field of an event stream read as one text. */
function lineEdits(body: string, lines: readonly TextLine[], masker: Masker, cut: boolean): BodyEdit[] {
  const threads = new Map<string, { texts: string[]; starts: number[] }>();
  const put = (name: string, text: string, start: number): void => {
    const thread = threads.get(name) ?? { texts: [], starts: [] };
    threads.set(name, thread);
    thread.texts.push(text);
    thread.starts.push(start);
  };
  for (const { field, from, to } of lines) {
    const text = body.slice(from, to);
    put(`line ${field}`, text, from);
    for (const found of text.matchAll(member)) {
      const [all, name = '', value = ''] = found;
      put(`member ${name}`, value, from + found.index + all.length - value.length);
    }
  }
  const all: PieceRange[] = [];
  for (const { texts, starts } of threads.values()) {
    const ranges = pieceRanges([{ texts, pieces: texts.map((_, index) => index) }], masker, cut);
    for (const [index, inPiece] of ranges) {
      const start = starts[index] ?? 0;
      all.push(...inPiece.map(({ from, to, first }) => ({ from: from + start, to: to + start, first })));
    }
  }
  return disjoint(all).map(({ from, to, first }) => ({ from, to, text: first ? masked : '' }));
}

function disjoint(ranges: readonly PieceRange[]): PieceRange[] {
  const all: PieceRange[] = [];
  for (const range of [...ranges].sort((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last === undefined || range.from > last.to) all.push(range);
    else all[all.length - 1] = { from: last.from, to: Math.max(last.to, range.to), first: last.first || range.first };
  }
  return all;
}

/** Texts that stand beside each other, such as the headers of an answer: also what they hold together is masked. */
export function maskTexts(texts: readonly string[], masker: Masker): readonly string[] {
  if (!masker.active || !masker.mayHold(texts.join(''))) return texts;
  const found = pieceRanges([{ texts: [...texts], pieces: texts.map((_, index) => index) }], masker, false);
  return texts.map((text, index) => {
    const ranges = found.get(index);
    return ranges === undefined ? text : without(text, ranges);
  });
}
