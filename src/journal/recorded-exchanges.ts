import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { canonicalJson } from '../json/canonical-json.js';
import type { Json } from '../json/json.js';
import type { Ask, Send } from '../plan/ticket.js';
import type { ExchangeRecord, JournalLine, RequestSent, RunFinished, RunStarted } from './event.js';
import { exchangeNumber } from './exchange-ids.js';
import { journalFiles, type JournalFiles } from './journal-files.js';
import { readJournal, readPlacedLines } from './read-journal.js';

/** What identifies a request of a run in a journal. */
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
  /** Where a resumed run continues in the journal, in bytes. */
  readonly resumeAt: number;
  /** The exchange of this request, each only once; null when none is left. */
  take(request: RunRequest): Promise<ExchangeRecord | null>;
  /** What was asked of a cell and not taken, in order; nothing where bodies are not compared. */
  asksLeft(cell: string): readonly Ask[];
  /** All of them, in order. Read them before anything is added to the journal. */
  exchanges(): AsyncIterable<ExchangeRecord>;
  close(): Promise<void>;
}

interface MatchOptions {
  /** An exchange answers a request only if the body is the same, since the suites may have changed. */
  readonly matchBodies: boolean;
}

/** Reads a journal once. Keeps only the place of each exchange in memory, not the exchange. */
export async function openRecordedExchanges(
  file: string,
  options: MatchOptions,
  files: JournalFiles = journalFiles,
): Promise<RecordedExchanges> {
  const index = createIndex<readonly [offset: number, length: number]>(options);
  for await (const { line, offset, length } of readPlacedLines(file, files)) {
    index.add(line, [offset, length], offset, offset + length);
  }
  let opened: Promise<FileHandle> | null = null;
  return index.over({
    exchanges: () => exchangesOf(readJournal(file, files)),
    async read([offset, length]) {
      const handle = await (opened ??= files.openRead(file));
      const bytes = Buffer.alloc(length);
      await handle.read(bytes, 0, length, offset);
      return JSON.parse(bytes.toString('utf8')) as ExchangeRecord;
    },
    async close() {
      const closing = opened;
      opened = null;
      await (await closing)?.close();
    },
  });
}

/** The same for journal lines in memory. */
export function recordedExchangesOf(lines: Iterable<JournalLine>, options: MatchOptions): RecordedExchanges {
  const index = createIndex<ExchangeRecord>(options);
  const kept = [...lines];
  for (const line of kept) index.add(line, line as ExchangeRecord, 0, 0);
  return index.over({
    exchanges: () => exchangesOf(kept),
    read: (record) => Promise.resolve(record),
    close: () => Promise.resolve(),
  });
}

async function* exchangesOf(lines: Iterable<JournalLine> | AsyncIterable<JournalLine>): AsyncGenerator<ExchangeRecord> {
  for await (const line of lines) if (line.type === 'exchange') yield line;
}

/** Where a journal's exchanges are, by request. */
interface ExchangeIndex<Place> {
  add(line: JournalLine, place: Place, startsAt: number, endsAt: number): void;
  over(source: JournalSource<Place>): RecordedExchanges;
}

interface JournalSource<Place> {
  readonly exchanges: () => AsyncIterable<ExchangeRecord>;
  readonly close: () => Promise<void>;
  readonly read: (place: Place) => Promise<ExchangeRecord>;
}

function createIndex<Place>({ matchBodies }: MatchOptions): ExchangeIndex<Place> {
  const byRequest = new Map<string, Place[]>();
  const asksOf = new Map<string, { readonly ask: Ask; readonly key: string }[]>();
  const unanswered = new Map<string, RequestSent[]>();
  let started: RunStarted | null = null;
  let finished: RunFinished | null = null;
  let count = 0;
  let lastNumber = 0;
  let resumeAt = 0;
  return {
    add(line, place, startsAt, endsAt) {
      resumeAt = line.type === 'run_finished' ? startsAt : endsAt;
      if (line.type === 'run_started') started ??= line;
      else if (line.type === 'run_finished') finished = line;
      else if (line.type === 'sent') {
        finished = null;
        if (!matchBodies) unanswered.set(line.request, [...(unanswered.get(line.request) ?? []), line]);
      } else {
        finished = null;
        count += 1;
        lastNumber = Math.max(lastNumber, exchangeNumber(line.id) ?? 0);
        const { model, cell, ask, purpose, step, attempt } = line;
        const send: Send = { purpose, step, attempt, body: line.exchange.request.body };
        const key = keyOf({ model, cell, ask, send }, matchBodies);
        answered(unanswered, key);
        const others = byRequest.get(key);
        if (others === undefined) byRequest.set(key, [place]);
        else others.push(place);
        if (!matchBodies || cell === null || ask === null || purpose !== 'probe' || attempt > 0) return;
        const before = asksOf.get(cell);
        if (before === undefined) asksOf.set(cell, [{ ask, key }]);
        else before.push({ ask, key });
      }
    },
    over: ({ exchanges, read, close }) => ({
      started,
      finished,
      count,
      lastNumber,
      lost: [...unanswered.values()].flat(),
      resumeAt,
      exchanges,
      asksLeft: (cell) => {
        const left = (asksOf.get(cell) ?? []).filter(({ key }) => (byRequest.get(key)?.length ?? 0) > 0);
        // The steps of a flow are one ask.
        return [...new Map(left.map(({ ask }) => [canonicalJson([ask.kind, ask.patch, ask.sample]), ask])).values()];
      },
      async take(request) {
        const place = byRequest.get(keyOf(request, matchBodies))?.shift();
        return place === undefined ? null : read(place);
      },
      close,
    }),
  };
}

/** Takes away the latest of the equal requests that were sent: those before it were lost with the process that sent them. */
function answered(unanswered: Map<string, RequestSent[]>, request: string): void {
  const sent = unanswered.get(request);
  sent?.pop();
  if (sent?.length === 0) unanswered.delete(request);
}

/** Names a request in the journal, before its exchange is there. */
export function requestName(request: RunRequest): string {
  return keyOf(request, false);
}

/** Equal for equal requests; short, because a run has many. */
function keyOf({ model, cell, ask, send }: RunRequest, withBody: boolean): string {
  const parts: Json = [
    cell ?? model,
    ask === null ? null : [ask.kind, ask.patch, ask.sample],
    [send.purpose, send.step, send.attempt],
    withBody ? send.body : null,
  ];
  return hash('sha256', canonicalJson(parts), 'base64url').slice(0, 22);
}
