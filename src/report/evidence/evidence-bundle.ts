import type { Exchange, Answer } from '../../chat/exchange.js';
import { parseJson } from '../../chat/parse-json.js';
import { readExchangeAnswer, replyIn } from '../../chat/read-answer.js';
import type { Reply } from '../../chat/reply.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { FindExchanges } from '../../journal/journal.js';
import { digest } from '../../json/digest.js';
import { type Json, type JsonObject, parsedJson, writtenJson } from '../../json/json.js';
import { loggedExchangeFacts, type ExchangeFacts, type RepliedFacts } from '../../judge/application/exchange-facts.js';
import { maskBody } from '../../masking/joined-fields.js';
import type { Masker } from '../../masking/masker.js';
import type { CellFailure, Report, ReportCell } from '../../matrix/report-format.js';
import type { RenderContext } from '../render.js';
import { curlCommand, shellWord } from '../safe/shell.js';
import { everything } from '../safe/capped.js';
import { redactForeign, redactAll, type Redact } from '../safe/redact.js';

/** Evidence for support: the redacted exchanges of a cell, with everything around them. */
export interface EvidenceBundle {
  readonly format: 'chatspec-evidence/1';
  readonly run: string;
  /** null: the exchange is a control of its model, and belongs to no cell. */
  readonly cell: ReportCell | null;
  readonly exchanges: readonly EvidenceExchange[];
  /** How many exchanges the cell has; not all may be shown. */
  readonly of: number;
}

export interface EvidenceExchange extends ExchangeFacts {
  readonly exchange: string;
  readonly purpose: string;
  readonly step: string;
  /** Number of its trial, from 0; null for a control. */
  readonly trial: number | null;
  /** The error of the trial that it decided, if that failed. */
  readonly error: string | null;
  readonly validation_errors: readonly { readonly at: string; readonly message: string }[];
  readonly request: Json;
  readonly response: {
    readonly status: number | null;
    readonly headers: Readonly<Record<string, string>>;
    /** As it arrived. */
    readonly body: string;
    /** The text of a stream, assembled. */
    readonly content: string | null;
    readonly failure: string | null;
  };
  readonly curl: string;
}

/** A failing trial, as far as evidence tells of it. */
export type ToldFailure = Pick<CellFailure, 'detail' | 'violations' | 'exchange' | 'exchanges'>;

interface Sources extends Pick<RenderContext, 'exchanges' | 'redact'> {
  /** By cell key: all failing trials. A report holds the first few of a cell. */
  readonly failuresOf?: (keys: ReadonlySet<string>) => Promise<ReadonlyMap<string, readonly ToldFailure[]>>;
}

/**
 * Of each cell, at most `most` exchanges: first those that decided failing trials, then others of these trials, then
 * those of trials that passed. The journal is read once.
 */
export async function evidenceBundles(
  report: Report,
  cells: readonly ReportCell[],
  { exchanges, redact, failuresOf = noStoredFailures }: Sources,
  most = 20,
): Promise<readonly EvidenceBundle[]> {
  const failures = await failuresOf(new Set(cells.map(({ key }) => key)));
  const asked = cells.map((cell) => {
    const failing = failingTrials(cell, failures);
    return { cell, failing, ids: cellExchangeIds(cell, failing).slice(0, most) };
  });
  const wanted = new Map(asked.flatMap((one) => one.ids.map((id) => [id, one])));
  const found = new Map<string, EvidenceExchange>();
  if (wanted.size > 0) {
    for await (const record of exchanges(new Set(wanted.keys()))) {
      const failing = wanted.get(record.id)?.failing ?? [];
      found.set(record.id, evidenceExchange(record, { failures: failing }, redact));
    }
  }
  return asked.map(({ cell, ids }) => ({
    format: 'chatspec-evidence/1',
    run: report.run.id,
    cell: redactedCell(cell, redact),
    exchanges: ids.flatMap((id) => found.get(id) ?? []),
    of: cell.exchanges.length,
  }));
}

const noStoredFailures = (): Promise<ReadonlyMap<string, readonly ToldFailure[]>> => Promise.resolve(new Map());

function failingTrials(
  { key, failures }: ReportCell,
  all: ReadonlyMap<string, readonly ToldFailure[]>,
): readonly ToldFailure[] {
  const found = all.get(key) ?? [];
  return found.length < failures.length ? failures : found;
}

/** The exchanges of a cell, each once. */
function cellExchangeIds(cell: ReportCell, failing: readonly ToldFailure[]): readonly string[] {
  const deciding = failing.flatMap(({ exchange }) => exchange ?? []);
  return [...new Set([...deciding, ...failing.flatMap((one) => one.exchanges), ...cell.exchanges])];
}

/** One exchange by its id, with its cell, if it belongs to one; null: the run has no such exchange. */
export async function evidenceOfExchange(
  report: Report,
  id: string,
  { exchanges, redact, failuresOf = noStoredFailures }: Sources,
): Promise<EvidenceBundle | null> {
  for await (const record of exchanges(new Set([id]))) {
    const cell = report.cells.find(({ key }) => key === record.cell) ?? null;
    const failures = cell === null ? [] : failingTrials(cell, await failuresOf(new Set([cell.key])));
    return {
      format: 'chatspec-evidence/1',
      run: report.run.id,
      cell: cell && redactedCell(cell, redact),
      exchanges: [evidenceExchange(record, { failures }, redact)],
      of: cell?.exchanges.length ?? 1,
    };
  }
  return null;
}

function redactedCell(cell: ReportCell, redact: Redact): ReportCell {
  const { detail, failures } = cell;
  return { ...cell, ...redactAll({ detail, failures }, redact) };
}

/** One exchange, redacted. The caller shows at most `most` characters of the response. */
function evidenceExchange(
  record: ExchangeRecord,
  cell: { readonly failures: readonly ToldFailure[] },
  redact: Redact,
  most?: number,
): EvidenceExchange {
  const { request, answer } = record.exchange;
  const failure = cell.failures.find(({ exchange }) => exchange === record.id);
  const body = redactForeign(request.body, redact);
  const reply = replyIn(readExchangeAnswer(answer));
  return {
    ...redactedFacts(exchangeFacts(record), redact),
    exchange: record.id,
    purpose: record.purpose,
    step: record.step,
    trial: record.ask?.sample ?? null,
    error: failure ? redactAll(failure.detail, redact) : null,
    validation_errors: redactAll(failure?.violations ?? [], redact),
    request: body,
    response: {
      status: answer.status,
      headers: redactAll(answer.headers, redact),
      body: printableBody(answer, reply, redact, most),
      content: reply?.streamed && reply.content !== null ? redact(reply.content) : null,
      failure: answer.failure && redact(answer.failure.message),
    },
    curl: curlLine({ ...request, url: redact(request.url), body }),
  };
}

/** Headers that curl sends itself, that hold the key, or that name one request. */
const notRepeated = new Set([
  'authorization',
  'content-type',
  'content-length',
  'host',
  'connection',
  'accept-encoding',
  'traceparent',
]);

/**
 * A command that sends the request again, with `$API_KEY` in place of the key, and `$X_TOKEN` in place of the secret
 * value of a header `x-token`. The body must be redacted already.
 */
function curlLine({ url, headers, body }: Exchange['request']): string {
  const stream = typeof body === 'object' && body !== null && 'stream' in body && body.stream === true;
  const further = Object.entries(headers).filter(([name]) => !notRepeated.has(name));
  return curlCommand(
    `-i${stream ? ' -N' : ''} ${shellWord(url)}`,
    [
      ['Authorization', { shell: 'Bearer $API_KEY' }],
      ['Content-Type', 'application/json'],
      ...further.map(([name, value]) => [name, isMasked(value) ? variableOf(name) : value] as const),
    ],
    `--data-raw ${shellWord(writtenJson(body))}`,
  );
}

/** A value that was masked as a whole is a credential, so it is read from a variable named after the header. */
const isMasked = (value: string): boolean => value === '***' || value === '[redacted]';
const variableOf = (name: string) => ({ shell: `$${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}` });

/** @param reply of an exchange whose body is no longer there */
export function exchangeFacts(
  { exchange }: Pick<ExchangeRecord, 'exchange'>,
  reply: RepliedFacts | null = replyIn(readExchangeAnswer(exchange.answer)),
): ExchangeFacts {
  return loggedExchangeFacts(exchange, reply, digest);
}

/** The facts, redacted; in `usage`, names and numbers too, because the service wrote all of it. */
export function redactedFacts<Facts extends Pick<ExchangeFacts, 'usage'>>(facts: Facts, redact: Redact): Facts {
  const usage = redactForeign(facts.usage, redact) as JsonObject | null;
  return { ...redactAll(facts, redact), usage };
}

/** A page that shows only the beginning of a body masks at most this many characters; few answers are longer. */
const longestMasked = 1_000_000;

/**
 * The body of an answer as it may be shown. It is masked before it is cut, since half an address is still an address,
 * and JSON is decoded first, so that escapes hide nothing. A stream whose text needs masking is withheld, because its
 * pieces cannot be masked one by one.
 * @param most how many characters the caller shows
 */
export function printableBody(
  answer: Answer,
  reply: Reply | null,
  redact: Redact,
  most = Number.POSITIVE_INFINITY,
): string {
  const text = answer.body.join('');
  if (most < longestMasked && text.length > longestMasked && !reply?.streamed) {
    return `[a body of ${text.length.toLocaleString('en')} characters, too long to be masked here; ${everything}]`;
  }
  if (reply?.streamed) {
    return replyTexts(reply).some((part) => redact(part) !== part)
      ? '[the chunks are withheld because their text is redacted]'
      : redact(text);
  }
  // JSON that is nested too deeply to be judged cannot be walked here either, so it is shown as text.
  const json = parseJson(text);
  return json.ok ? writtenJson(redactForeign(json.value, redact), 2) : redactedText(text, redact);
}

/** Text that is not JSON, or no longer because it was cut: unchanged, unless an escape hides something in it. */
function redactedText(text: string, redact: Redact): string {
  const plain = text.replace(/\\u00([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const masked = redact(plain);
  return masked === plain && plain !== text ? redact(text) : masked;
}

/** The texts that a client would assemble from a stream. */
function replyTexts({ content, reasoning, refusal, tool_calls }: Reply): string[] {
  const calls = tool_calls.map((call) => call.arguments).filter((text) => typeof text === 'string');
  return [content, reasoning, refusal, ...calls].filter((text) => text !== null);
}

/**
 * The same exchanges as today's rules mask them. A journal holds no key that was known when it was written; it may be
 * older than a rule, or than a target of the config.
 */
export function maskedExchanges(find: FindExchanges, keys: Masker): FindExchanges {
  if (!keys.active) return find;
  return async function* (ids) {
    for await (const record of find(ids)) yield { ...record, exchange: maskedExchange(record.exchange, keys) };
  };
}

function maskedExchange({ request, answer, ...exchange }: Exchange, keys: Masker): Exchange {
  const headers = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [keys.mask(name), keys.mask(value)]));
  const { failure } = answer;
  const body = maskBody(answer.body.join(''), keys, failure !== null);
  return {
    ...exchange,
    request: {
      url: keys.mask(request.url),
      headers: headers(request.headers),
      body: withMaskedKeys(request.body, keys),
    },
    answer: {
      ...answer,
      headers: headers(answer.headers),
      body: body === null ? answer.body : [body],
      failure: failure && { ...failure, message: keys.mask(failure.message) },
    },
  };
}

function withMaskedKeys(value: Json, keys: Masker): Json {
  const shown = maskBody(writtenJson(value), keys, false);
  if (shown === null) return value;
  try {
    return parsedJson(shown) as Json;
  } catch {
    return shown;
  }
}
