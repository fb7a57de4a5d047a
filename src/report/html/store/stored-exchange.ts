import type { Answer, Exchange } from '../../../chat/exchange.js';
import { readAnswer, replyIn } from '../../../chat/read-answer.js';
import type { Reply } from '../../../chat/reply.js';
import { isObject } from '../../../json/json.js';
import type { ExchangeRecord } from '../../../journal/event.js';
import type { CellFailure } from '../../../matrix/report-format.js';
import { printableBody } from '../../evidence/answer-body.js';
import { capped } from '../../safe/capped.js';
import { visible } from '../../safe/escape.js';
import type { Redact } from '../../safe/redact.js';
import { redactAll, redactForeign } from '../../safe/redact-values.js';
import { cut } from '../plain-exchange.js';
import { longest, type Wanted } from '../wanted-exchanges.js';
import { decodedAnswer } from './decoded-answer.js';
import type { openRequests } from './request-shelf.js';
import { numbersIn, type Rope, type TextShelf } from './text-shelf.js';

/** An exchange in the store; ropes are put together in the browser. */
export interface StoredExchange {
  readonly id: string;
  readonly purpose: string;
  readonly step: string;
  readonly trial: number | null;
  /** The number of its request, and what stands in the gap of it. */
  readonly request: number;
  readonly model: string;
  readonly status: number | null;
  readonly stream: boolean;
  readonly time: string;
  readonly first: number | null;
  readonly total: number;
  readonly failure: Rope | null;
  readonly headers: Rope | null;
  readonly body: Rope | null;
  /** What was wrong with it. */
  readonly error: Rope | null;
  /** What the browser marks in the answer. */
  readonly violations: CellFailure['violations'];
  /** null: the browser reads the body. */
  readonly read: {
    readonly finish: Rope | null;
    readonly ids: Rope | null;
    readonly usage: Rope | null;
    readonly assembled: Rope | null;
    readonly answer: {
      readonly of: Rope;
      readonly text: Rope | null;
      readonly marks: readonly { readonly line: number; readonly message: string }[];
    } | null;
  } | null;
}

/** Where the texts of exchanges go. */
export interface Shelf {
  readonly shelf: TextShelf;
  readonly requests: ReturnType<typeof openRequests>;
}

/** An exchange as the page keeps it, the numbers of what it uses, and its response as text. */
export function storedExchange(
  { exchange: { request, answer, timing }, ...record }: ExchangeRecord,
  { tier, cell }: Wanted,
  { shelf, requests }: Shelf,
  redact: Redact,
): { readonly stored: StoredExchange; readonly uses: readonly number[]; readonly response: () => string } {
  const most = longest[tier];
  const text = (value: string | null) => (value === null ? null : shelf.text(cut(value, most)));
  const { number, uses, model } = requests(request);
  const isStreamed = isStream(request);
  const whole = isStreamed ? null : wholeBody(answer, redact, most);
  // Most answers are plain. What is in them is read in the browser, if somebody opens one.
  const isLeft = whole !== null && !unusual.test(whole);
  const reply = isLeft ? null : replyIn(readAnswer(answer));
  const printed = () => printableBody(answer, reply, whole === null ? redact : asItIs, most);
  const assembled = reply?.streamed ? redacted(reply.content, redact) : null;
  const failed = redacted(answer.failure?.message ?? null, redact);
  const failure = cell.failures.find(({ exchange }) => exchange === record.id);
  const stored: StoredExchange = {
    id: record.id,
    purpose: record.purpose,
    step: record.step,
    trial: record.ask?.sample ?? null,
    request: number,
    model,
    status: answer.status,
    stream: isStreamed,
    time: timing.started_at,
    first: timing.headers_ms,
    total: timing.total_ms,
    failure: text(failed),
    headers: shelf.once(cut(shownHeaders(answer.headers, redact), most)),
    body: whole === null ? text(printed()) : [whole],
    error: text(redacted(failure?.detail ?? null, redact)),
    violations: isLeft ? violationsOf(failure, redact) : [],
    read: isLeft ? null : readOf(answer, reply, failure),
  };
  return {
    stored,
    uses: [...uses, ...numbersOf(stored)],
    response: () => `${failed === null ? '' : `(${failed})\n`}${assembled ?? printed()}`,
  };

  function readOf(of: Answer, said: Reply | null, failure: CellFailure | undefined): StoredExchange['read'] {
    const { traceresponse = null } = of.headers;
    const ids = [said?.id ?? null, said?.request_id ?? of.headers['x-request-id'] ?? null, traceresponse];
    const decoded = decodedAnswer(said, failure?.violations ?? [], redact);
    return {
      finish: text(redacted(said?.finish_reason ?? null, redact)),
      ids: text(redact(ids.filter((id) => id !== null).join(' · '))),
      usage: text(said === null || !isObject(said.usage) ? null : JSON.stringify(redactForeign(said.usage, redact))),
      assembled: text(assembled),
      answer: decoded && {
        of: shelf.text(capped(decoded.of)),
        text: text(decoded.text),
        marks: decoded.marks.map(({ line, message }) => ({ line, message: visible(capped(message)) })),
      },
    };
  }
}

/** What the browser does not read out of an answer: texts in blocks, and arguments that are no text. */
const unusual = /"(?:content|arguments)"\s*:\s*[[{]/;

const asItIs: Redact = (text) => text;

/** The same pointer would not be found if something in it was masked. */
function violationsOf(failure: CellFailure | undefined, redact: Redact): CellFailure['violations'] {
  return (failure?.violations ?? []).map(({ at, message }) => ({
    at: visible(capped(redact(at))),
    message: visible(capped(redact(message))),
  }));
}

const redacted = (text: string | null, redact: Redact) => (text === null ? null : redact(text));

/** The items that an exchange needs besides its own and those of its request. */
function numbersOf({ failure, headers, body, error, read }: StoredExchange): readonly number[] {
  const own = [failure, headers, body, error];
  if (read === null) return numbersIn(own);
  const { finish, ids, usage, assembled, answer } = read;
  return numbersIn([...own, finish, ids, usage, assembled, answer && answer.of, answer && answer.text]);
}

/**
 * The body of a plain answer if it can be shown as it was sent: whole, and with nothing in it to mask or to make visible. The
 * browser lays it out when somebody opens it.
 */
function wholeBody({ body }: Answer, redact: Redact, most: number): string | null {
  const text = body.length === 1 ? (body[0] ?? '') : body.join('');
  const isShown = text.startsWith('{') && text.length <= most && visible(text) === text;
  // Several documents one behind the other are a stream, whose texts belong together.
  return isShown && redact.isClean?.(text) === true && !/\}\s*\{/.test(text) ? text : null;
}

function shownHeaders(headers: Readonly<Record<string, string>>, redact: Redact): string {
  const lines = headerLines(headers);
  return redact.isClean?.(lines) === true ? lines : headerLines(redactAll(headers, redact));
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

const isStream = ({ body }: Exchange['request']): boolean => isObject(body) && body['stream'] === true;
