import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { canonicalJson } from '../json/digest.js';
import type { Json } from '../json/json.js';
import type { Ask, Send } from '../plan/ticket.js';
import type { ExchangeRecord, JournalLine, RunFinished, RunStarted } from './event.js';
import { journalFiles, type JournalFiles } from './journal-files.js';
import { readJournal, readPlacedLines } from './read-journal.js';

/** What an exchange was for: the question it answers. */
export interface Question {
  readonly model: string;
  readonly cell: string | null;
  readonly ask: Ask | null;
  readonly send: Send;
}

/** The exchanges of an earlier run, each of which answers its question once. */
export interface Recorded {
  readonly started: RunStarted | null;
  readonly finished: RunFinished | null;
  /** How many exchanges there are. */
  readonly count: number;
  /** The highest number of an exchange id. */
  readonly lastNumber: number;
  /** Bytes of the journal after which a resumed run goes on. */
  readonly resumeAt: number;
  take(question: Question): Promise<ExchangeRecord | null>;
  /** All of them, in order; to be read before anything is added to the journal. */
  exchanges(): AsyncIterable<ExchangeRecord>;
  close(): Promise<void>;
}

interface RecordedOptions {
  /** Take an exchange for an answer only when the same body was sent (suites may have changed since). */
  readonly matchBodies: boolean;
}

/** Reads a journal once and keeps where each exchange stands, not the exchange. */
export async function recordedIn(
  file: string,
  options: RecordedOptions,
  files: JournalFiles = journalFiles,
): Promise<Recorded> {
  const places = createPlaces<readonly [offset: number, length: number]>(options);
  for await (const { line, offset, length } of readPlacedLines(file, files)) {
    places.note(line, [offset, length], offset, offset + length);
  }
  let opened: Promise<FileHandle> | null = null;
  return places.recorded(
    () => exchangesOf(readJournal(file, files)),
    async ([offset, length]) => {
      const handle = await (opened ??= open(file, 'r'));
      const bytes = Buffer.alloc(length);
      await handle.read(bytes, 0, length, offset);
      return JSON.parse(bytes.toString('utf8')) as ExchangeRecord;
    },
    async () => {
      const closing = opened;
      opened = null;
      await (await closing)?.close();
    },
  );
}

/** The same over lines that are in memory. */
export function recordedOf(lines: Iterable<JournalLine>, options: RecordedOptions): Recorded {
  const places = createPlaces<ExchangeRecord>(options);
  const kept = [...lines];
  for (const line of kept) places.note(line, line as ExchangeRecord, 0, 0);
  return places.recorded(
    () => exchangesOf(kept),
    (record) => Promise.resolve(record),
    () => Promise.resolve(),
  );
}

async function* exchangesOf(lines: Iterable<JournalLine> | AsyncIterable<JournalLine>): AsyncGenerator<ExchangeRecord> {
  for await (const line of lines) if (line.type === 'exchange') yield line;
}

interface Places<Place> {
  note(line: JournalLine, place: Place, startsAt: number, endsAt: number): void;
  recorded(
    exchanges: Recorded['exchanges'],
    read: (place: Place) => Promise<ExchangeRecord>,
    close: () => Promise<void>,
  ): Recorded;
}

function createPlaces<Place>({ matchBodies }: RecordedOptions): Places<Place> {
  const byQuestion = new Map<string, Place[]>();
  let started: RunStarted | null = null;
  let finished: RunFinished | null = null;
  let count = 0;
  let lastNumber = 0;
  let resumeAt = 0;
  return {
    note(line, place, startsAt, endsAt) {
      resumeAt = line.type === 'run_finished' ? startsAt : endsAt;
      if (line.type === 'run_started') started ??= line;
      else if (line.type === 'run_finished') finished = line;
      else {
        finished = null;
        count += 1;
        lastNumber = Math.max(lastNumber, Number(line.id.slice(1)) || 0);
        const { model, cell, ask, purpose, step, attempt } = line;
        const send: Send = { purpose, step, attempt, body: line.exchange.request.body };
        const key = keyOf({ model, cell, ask, send }, matchBodies);
        const others = byQuestion.get(key);
        if (others === undefined) byQuestion.set(key, [place]);
        else others.push(place);
      }
    },
    recorded: (exchanges, read, close) => ({
      started,
      finished,
      count,
      lastNumber,
      resumeAt,
      exchanges,
      async take(question) {
        const place = byQuestion.get(keyOf(question, matchBodies))?.shift();
        return place === undefined ? null : read(place);
      },
      close,
    }),
  };
}

/** Equal for equal questions, and short, since a run has many. */
function keyOf({ model, cell, ask, send }: Question, withBody: boolean): string {
  const parts: Json = [
    cell ?? model,
    ask === null ? null : [ask.kind, ask.patch, ask.sample],
    [send.purpose, send.step, send.attempt],
    withBody ? send.body : null,
  ];
  return createHash('sha256').update(canonicalJson(parts)).digest('base64url').slice(0, 22);
}
