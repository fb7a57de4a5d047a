import { constants } from 'node:buffer';
import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { excerpt } from '../chat/excerpt.js';
import { shippedSchema } from '../files/shipped-schema.js';
import { type Json, parsedJson, writtenJson } from '../json/json.js';
import { canonicalJson } from '../json/canonical-json.js';
import type { Ask, Send } from '../plan/plan.js';
import { fileBytes, nameOnDisk, openForReading } from './compressed.js';
import type { JournalLine, ExchangeRecord, RequestSent, RunFinished, RunStarted } from './event.js';
import { JournalError, journalError } from './journal-error.js';

/** A line and where it is in the file, in bytes. */
interface PlacedLine {
  readonly line: JournalLine;
  readonly offset: number;
  readonly length: number;
}

/**
 * The lines of a journal, one at a time. Drops a torn last line, which a killed run leaves. Throws a JournalError.
 * @param wanted ids of exchanges: the others are left out, unread
 */
export async function* readJournal(file: string, wanted?: ReadonlySet<string>): AsyncGenerator<JournalLine> {
  for await (const { line } of readPlacedLines(file, wanted)) yield line;
}

/** Like readJournal, with the place of each line. Whatever follows the last of them is torn. */
async function* readPlacedLines(file: string, wanted?: ReadonlySet<string>): AsyncGenerator<PlacedLine> {
  const fits = await shippedSchema('journal');
  const shown = nameOnDisk(file);
  let offset = 0;
  let number = 0;
  let torn: JournalError | null = null;
  for await (const bytes of wholeLines(file)) {
    // A line that begins as one and breaks off is torn if it is the last, whatever ends it.
    if (torn !== null) throw torn;
    number += 1;
    if (wanted !== undefined && isOtherExchange(bytes, wanted)) {
      offset += bytes.length + 1;
      continue;
    }
    const read = jsonIn(bytes, `${shown}:${number}`);
    if (read instanceof JournalError && number > 1 && bytes.subarray(0, 2).equals(lineStart)) {
      torn = read;
      continue;
    }
    const line = lineIn(read, fits, `${shown}:${number}`);
    const starts = line.type === 'run_started';
    if (number === 1 && !starts) {
      throw damaged(`${shown}:1 is not the beginning of a run: the journal lacks its first line`);
    }
    if (number > 1 && starts) throw damaged(`${shown}:${number} is the beginning of another run`);
    const length = bytes.length + 1;
    // A later version may have added types.
    if (journalLineTypes.has(line.type)) yield { line, offset, length };
    offset += length;
  }
}

const journalLineTypes: ReadonlySet<string> = new Set<JournalLine['type']>([
  'run_started',
  'sent',
  'exchange',
  'run_finished',
]);

/** As a line is written that holds an exchange. */
const exchangeStart = /^\{"type":"exchange","id":"([^"\\]{1,64})",/;

function isOtherExchange(bytes: Buffer, wanted: ReadonlySet<string>): boolean {
  const id = exchangeStart.exec(bytes.toString('latin1', 0, 100))?.[1];
  return id !== undefined && !wanted.has(id);
}

const lineStart = Buffer.from('{"');

const damaged = (message: string, cause?: unknown): JournalError => new JournalError('damaged', message, { cause });

async function* wholeLines(file: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of fileBytes(file)) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        parts.push(chunk.subarray(from, end));
        yield Buffer.concat(parts);
        parts = [];
        length = 0;
        from = end + 1;
      }
      parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > constants.MAX_STRING_LENGTH) {
        throw damaged(`${nameOnDisk(file)}: it holds a line that is longer than any that chatspec writes`);
      }
    }
  } catch (error) {
    throw journalError(error, nameOnDisk(file), 'read');
  }
}

function jsonIn(bytes: Buffer, place: string): Json | JournalError {
  try {
    return parsedJson(bytes.toString('utf8')) as Json;
  } catch (error) {
    return damaged(`${place} is not JSON: another program changed the journal`, error);
  }
}

function lineIn(line: Json | JournalError, fits: ValidateFunction, place: string): JournalLine {
  if (line instanceof JournalError) throw line;
  if (fits(line)) return line as unknown as JournalLine;
  const where = writtenJson(excerpt(memberOf(fits.errors?.find(({ keyword }) => keyword !== 'if')), 100));
  throw damaged(`${place} is not a journal event: ${where} is missing or has another form`);
}

/** The first member that does not have the form which chatspec writes, as `exchange.answer.status`. */
function memberOf(error: ErrorObject | undefined): string {
  const { instancePath = '', params = {} } = error ?? {};
  const { missingProperty = '' } = params as { missingProperty?: string };
  return [...instancePath.split('/').slice(1), missingProperty].filter((step) => step !== '').join('.');
}

/** The identity of a request of a run in a journal. */
export interface RunRequest {
  readonly model: string;
  /** null, as is `ask`: the opening control of the model. */
  readonly cell: string | null;
  readonly ask: Ask | null;
  readonly send: Send;
}

/** The exchanges of an earlier run. */
export interface RecordedExchanges {
  readonly started: RunStarted | null;
  readonly finished: RunFinished | null;
  readonly count: number;
  /** The highest number of an exchange id. */
  readonly lastNumber: number;
  /** Requests that were sent and have no exchange: what was in flight whenever the run was killed or cut off. */
  readonly lost: readonly RequestSent[];
  /** The place at which a resumed run continues in the journal, in bytes. */
  readonly resumeAt: number;
  /** The exchange of this request, each only once; null when none is left. */
  take(request: RunRequest): Promise<ExchangeRecord | null>;
  /** The asks of a cell that were not taken, in order. */
  asksLeft(cell: string): readonly Ask[];
  /** The exchanges, in order. Read them before anything is added to the journal. */
  exchanges(): AsyncIterable<ExchangeRecord>;
  close(): Promise<void>;
}

/** `matchBodies`: an exchange answers a request only if the body is the same, since the suites may have changed. */
type MatchOptions = Readonly<Record<'matchBodies', boolean>>;

/** Reads a journal once. Keeps only the place of each exchange in memory, not the exchange. */
export async function openRecordedExchanges(file: string, options: MatchOptions): Promise<RecordedExchanges> {
  let opened: Promise<FileHandle> | null = null;
  const readAt = async (offset: number, length: number): Promise<ExchangeRecord> => {
    const handle = await (opened ??= openForReading(file));
    const bytes = Buffer.alloc(length);
    await handle.read(bytes, 0, length, offset);
    return parsedJson(bytes.toString('utf8')) as ExchangeRecord;
  };
  const index = createIndex(options);
  let resumeAt = 0;
  for await (const { line, offset, length } of readPlacedLines(file)) {
    index.add(line, () => readAt(offset, length));
    resumeAt = line.type === 'run_finished' ? offset : offset + length;
  }
  return {
    ...index.found(),
    resumeAt,
    exchanges: () => exchangesOf(readJournal(file)),
    async close() {
      const closing = opened;
      opened = null;
      await (await closing)?.close();
    },
  };
}

/** The exchanges of journal lines in memory. */
export function recordedExchangesOf(lines: Iterable<JournalLine>, options: MatchOptions): RecordedExchanges {
  const index = createIndex(options);
  const kept = [...lines];
  for (const line of kept) index.add(line, () => Promise.resolve(line as ExchangeRecord));
  return { ...index.found(), resumeAt: 0, exchanges: () => exchangesOf(kept), close: () => Promise.resolve() };
}

async function* exchangesOf(lines: Iterable<JournalLine> | AsyncIterable<JournalLine>): AsyncGenerator<ExchangeRecord> {
  for await (const line of lines) if (line.type === 'exchange') yield line;
}

type FoundExchanges = Omit<RecordedExchanges, 'resumeAt' | 'exchanges' | 'close'>;

type ReadExchange = () => Promise<ExchangeRecord>;

/** Finds the exchanges of a journal by their request. */
function createIndex({ matchBodies }: MatchOptions): {
  add(line: JournalLine, read: ReadExchange): void;
  found(): FoundExchanges;
} {
  const byRequest = new Map<string, ReadExchange[]>();
  const asksOf = new Map<string, { readonly ask: Ask; readonly key: string }[]>();
  const unanswered = new Map<string, RequestSent[]>();
  let started: RunStarted | null = null;
  let finished: RunFinished | null = null;
  let count = 0;
  let lastNumber = 0;
  return {
    add(line, read) {
      finished = line.type === 'run_finished' ? line : null;
      if (line.type === 'run_started') started = line;
      if (line.type === 'sent' && !matchBodies) appendToList(unanswered, line.request, line);
      if (line.type !== 'exchange') return;
      count += 1;
      lastNumber = Math.max(lastNumber, Number(/^e(\d{6,15})$/.exec(line.id)?.[1] ?? 0));
      const { model, cell, ask, purpose, step, attempt } = line;
      const key = runRequestKey(
        { model, cell, ask, send: { purpose, step, attempt, body: line.exchange.request.body } },
        matchBodies,
      );
      // The latest of equal requests: those before it were lost with the process that sent them.
      unanswered.get(key)?.pop();
      appendToList(byRequest, key, read);
      if (cell !== null && ask !== null && purpose === 'probe' && attempt === 0) {
        appendToList(asksOf, cell, { ask, key });
      }
    },
    found: () => ({
      started,
      finished,
      count,
      lastNumber,
      lost: [...unanswered.values()].flat(),
      take: async (request) => (await byRequest.get(runRequestKey(request, matchBodies))?.shift()?.()) ?? null,
      asksLeft(cell) {
        const left = (asksOf.get(cell) ?? []).filter(({ key }) => (byRequest.get(key)?.length ?? 0) > 0);
        // The steps of a flow are one ask.
        return [...new Map(left.map(({ ask }) => [canonicalJson([ask.kind, ask.patch, ask.sample]), ask])).values()];
      },
    }),
  };
}

function appendToList<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) {
    lists.set(key, [value]);
  } else {
    list.push(value);
  }
}

/** Names a request in the journal, before its exchange is there. */
export const requestName = (request: RunRequest): string => runRequestKey(request, false);

/** Equal for equal requests; short, because a run has many. */
function runRequestKey({ model, cell, ask, send }: RunRequest, withBody: boolean): string {
  const parts: Json = [
    cell ?? model,
    ask === null ? null : [ask.kind, ask.patch, ask.sample],
    [send.purpose, send.step, send.attempt],
    withBody ? send.body : null,
  ];
  return hash('sha256', canonicalJson(parts), 'base64url').slice(0, 22);
}

/** The ids after the exchange with this number (0: from the first one), one for each call: e000001, e000002, ... */
export function exchangeIdsAfter(last: number): () => string {
  let number = last;
  return () => `e${String((number += 1)).padStart(6, '0')}`;
}
