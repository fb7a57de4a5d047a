import { isObject, type Json } from '../../json/json.js';
import type { ExchangeRecord } from '../../journal/event.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { CellFailure, Report, ReportCell } from '../../matrix/report-format.js';
import type { Answer, Exchange } from '../../chat/exchange.js';
import { readAnswer, replyIn } from '../../chat/read-answer.js';
import type { Reply } from '../../chat/reply.js';
import { printableBody } from '../evidence/answer-body.js';
import { curlHead } from '../evidence/curl.js';
import { pathOf } from '../evidence/exchange-facts.js';
import type { RenderContext } from '../render.js';
import { type Redact, redactAll, redactForeign } from '../safe/redact.js';
import { capped } from '../safe/capped.js';
import { visible } from '../safe/escape.js';
import { cut, openPlain, type PlainExchange } from './plain-exchange.js';
import { decodedAnswer } from './store/decoded-answer.js';
import { type Block, openPack, type Pack } from './store/pack.js';
import { openRequests, type ShelvedRequest } from './store/request-shelf.js';
import { openShelf, type Rope, type TextShelf } from './store/text-shelf.js';

/** The exchanges of a page: compressed blocks of texts and exchanges, and where each exchange stands in them. */
export interface PageEvidence {
  readonly blocks: readonly Block[];
  /** By exchange id: the number of its item. An exchange that was left out is absent. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Those that stand in the page as text, for readers without JavaScript. */
  readonly plain: ReadonlyMap<string, PlainExchange>;
}

/** An exchange in the store; ropes are put together in the browser. */
interface StoredExchange {
  readonly id: string;
  readonly purpose: string;
  readonly step: string;
  readonly trial: number | null;
  readonly path: Rope;
  readonly status: number | null;
  readonly stream: boolean;
  readonly time: string;
  readonly first: number | null;
  readonly total: number;
  readonly failure: Rope | null;
  readonly request: Rope | null;
  readonly curl: Rope | null;
  readonly headers: Rope | null;
  readonly schemas: ShelvedRequest['schemas'];
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

/**
 * Which exchanges come first when there is no room for all, and how many characters of each body are kept: those of
 * deviations, then one of every other cell that does not pass, then one of every cell that passes.
 */
const tiers = ['deviation', 'more of a deviation', 'not passing', 'passing'] as const;
type Tier = (typeof tiers)[number];
const longest: Readonly<Record<Tier, number>> = {
  deviation: 32_000,
  'more of a deviation': 8000,
  'not passing': 8000,
  passing: 4000,
};
/** Characters of the compressed blocks together: a part for every page, and a part for each cell. */
const room = { page: 1_500_000, cell: 400 };
/** Numbers of different tiers never meet. */
const apart = 10_000_000;

/** The exchanges that the page shows for a cell, failed ones first. */
export function shownIds(cell: ReportCell, deviates: boolean): readonly string[] {
  const failing = cell.failures.flatMap(({ exchange }) => exchange ?? []);
  const ids = failing.length > 0 ? failing : cell.exchanges;
  return ids.slice(0, deviates ? 2 : 1);
}

/**
 * Reads the journal once and keeps what fits, the most important first.
 * @param plainIds exchanges that stand in the page as text
 */
export async function pageEvidence(
  report: Report,
  { exchanges, redact }: Pick<RenderContext, 'exchanges' | 'redact'>,
  plainIds: ReadonlySet<string>,
): Promise<PageEvidence> {
  const wanted = wantedIn(report);
  const shelves = openTiers(redact);
  const plain = openPlain(redact, { exchanges: plainIds.size, cells: report.cells.length });
  const kept = new Map<string, { readonly number: number; readonly uses: readonly number[] }>();
  const all = room.page + room.cell * report.cells.length;
  for await (const record of exchanges(new Set(wanted.keys()))) {
    const one = wanted.get(record.id);
    if (one === undefined) continue;
    const tier = shelves[one.tier];
    if (one.tier !== 'deviation' && tier.taken() > all) continue;
    const { stored, response } = storedExchange(record, one, tier, redact);
    if (plainIds.has(record.id)) plain.add(record, response());
    kept.set(record.id, { number: tier.pack.add(stored), uses: numbersIn(stored) });
  }
  const { blocks, dropped } = fitting(shelves, all);
  const isDropped = (number: number) => dropped.some(({ from, count }) => number >= from && number < from + count);
  const numbers = new Map<string, number>();
  for (const [id, { number, uses }] of kept) if (![number, ...uses].some(isDropped)) numbers.set(id, number);
  return { blocks, numbers, plain: plain.all() };
}

interface Wanted {
  readonly cell: ReportCell;
  readonly tier: Tier;
}

function wantedIn(report: Report): ReadonlyMap<string, Wanted> {
  const deviating = new Set(deviationsOf(report).flatMap((one) => ('cell' in one ? one.cell.key : [])));
  const wanted = new Map<string, Wanted>();
  for (const cell of report.cells) {
    const deviates = deviating.has(cell.key);
    for (const [index, id] of shownIds(cell, deviates).entries()) {
      wanted.set(id, { cell, tier: tierOf(cell, deviates, index) });
    }
  }
  // A quirk of the wire is a deviation, too.
  const byKey = new Map(report.cells.map((cell) => [cell.key, cell]));
  for (const quirk of report.wire ?? []) {
    const cell = byKey.get(quirk.cells[0] ?? '');
    if (quirk.standing === 'as_expected' || quirk.exchange === null || cell === undefined) continue;
    wanted.set(quirk.exchange, { cell, tier: 'deviation' });
  }
  return wanted;
}

function tierOf({ verdict }: ReportCell, deviates: boolean, index: number): Tier {
  if (deviates) return index === 0 ? 'deviation' : 'more of a deviation';
  return verdict === 'pass' ? 'passing' : 'not passing';
}

interface Shelf {
  readonly shelf: TextShelf;
  readonly requests: (body: Json) => ShelvedRequest | null;
  /** Where a request goes, and how curl sends it: the same for most of them. */
  readonly sent: (request: Exchange['request']) => { readonly path: Rope; readonly curl: Rope };
}

type Shelves = Readonly<Record<Tier, Shelf & { readonly pack: Pack; readonly taken: () => number }>>;

/** A text that a more important tier holds is not kept again. */
function openTiers(redact: Redact): Shelves {
  const packs = tiers.map((_, index) => openPack(index * apart));
  const known = tiers.map(() => new Map<string, number>());
  return Object.fromEntries(
    tiers.map((tier, index) => {
      const pack = packs[index] ?? openPack();
      const shelf = openShelf(pack, known.slice(0, index + 1));
      const taken = () => packs.slice(0, index + 1).reduce((sum, one) => sum + one.size(), 0);
      return [
        tier,
        { pack, shelf, requests: openRequests(shelf, redact, longest[tier]), sent: openSent(shelf, redact), taken },
      ];
    }),
  ) as unknown as Shelves;
}

function openSent(shelf: TextShelf, redact: Redact): Shelf['sent'] {
  const known = new Map<string, ReturnType<Shelf['sent']>>();
  return (request) => {
    const name = JSON.stringify([request.url, request.headers, isStream(request)]);
    const before = known.get(name);
    if (before !== undefined) return before;
    const url = redact(request.url);
    const sent = { path: shelf.text(capped(pathOf(url))), curl: shelf.text(curlHead({ ...request, url })) };
    // Headers that differ from request to request are not worth keeping.
    if (known.size < mostSent) known.set(name, sent);
    return sent;
  };
}

const mostSent = 1000;

const isStream = ({ body }: Exchange['request']): boolean => isObject(body) && body['stream'] === true;

function fitting(
  shelves: Shelves,
  all: number,
): { readonly blocks: readonly Block[]; readonly dropped: readonly Block[] } {
  const blocks: Block[] = [];
  const dropped: Block[] = [];
  let left = all;
  for (const tier of tiers) {
    for (const block of shelves[tier].pack.blocks()) {
      // Deviations are what the page is for.
      const fits = tier === 'deviation' || block.data.length <= left;
      if (fits) left -= block.data.length;
      (fits ? blocks : dropped).push(block);
    }
  }
  return { blocks, dropped };
}

function storedExchange(
  { exchange: { request, answer, timing }, ...record }: ExchangeRecord,
  { tier, cell }: Wanted,
  { shelf, requests, sent }: Shelf,
  redact: Redact,
): { readonly stored: StoredExchange; readonly response: () => string } {
  const most = longest[tier];
  const text = (value: string | null) => (value === null ? null : shelf.text(cut(value, most)));
  const { path, curl } = sent(request);
  const body = requests(request.body);
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
    path,
    status: answer.status,
    stream: isStreamed,
    time: timing.started_at,
    first: timing.headers_ms,
    total: timing.total_ms,
    failure: text(failed),
    request: body?.body ?? text(JSON.stringify(redactForeign(request.body, redact), null, 2)),
    curl: body && curl,
    headers: shelf.once(cut(shownHeaders(answer.headers, redact), most)),
    schemas: body?.schemas ?? [],
    body: whole === null ? text(printed()) : [whole],
    error: text(redacted(failure?.detail ?? null, redact)),
    violations: isLeft ? violationsOf(failure, redact) : [],
    read: isLeft ? null : readOf(answer, reply, failure),
  };
  return { stored, response: () => `${failed === null ? '' : `(${failed})\n`}${assembled ?? printed()}` };

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

/** The items that an exchange needs besides its own. */
function numbersIn(stored: StoredExchange): readonly number[] {
  const { path, failure, request, curl, headers, schemas, body, error, read } = stored;
  const ropes = [path, failure, request, curl, headers, body, error];
  for (const { name, text } of schemas) ropes.push(name, text);
  if (read !== null) ropes.push(read.finish, read.ids, read.usage, read.assembled);
  if (read?.answer) ropes.push(read.answer.of, read.answer.text);
  const numbers: number[] = [];
  for (const rope of ropes) {
    for (const piece of rope ?? [])
      if (typeof piece !== 'string') numbers.push(typeof piece === 'number' ? piece : piece[0]);
  }
  return numbers;
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
