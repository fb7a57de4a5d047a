import { isObject } from '../../json/json.js';
import type { ExchangeRecord } from '../../journal/event.js';
import { cellsByKey } from '../../matrix/cells-by-key.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { CellFailure, Report, ReportCell } from '../../matrix/report-format.js';
import type { Answer, Exchange } from '../../chat/exchange.js';
import { readAnswer, replyIn } from '../../chat/read-answer.js';
import type { Reply } from '../../chat/reply.js';
import { printableBody } from '../evidence/answer-body.js';
import type { RenderContext } from '../render.js';
import { type Redact, redactAll, redactForeign } from '../safe/redact.js';
import { capped } from '../safe/capped.js';
import { visible } from '../safe/escape.js';
import { cut, openPlain, type PlainExchange } from './plain-exchange.js';
import { decodedAnswer } from './store/decoded-answer.js';
import { type Block, openPack, type Pack } from './store/pack.js';
import { openRequests } from './store/request-shelf.js';
import { numbersIn, openShelf, type Rope, type TextShelf } from './store/text-shelf.js';

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
    const { stored, uses, response } = storedExchange(record, one, tier, redact);
    if (plainIds.has(record.id)) plain.add(record, response());
    kept.set(record.id, { number: tier.pack.add(stored), uses });
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
  const byKey = cellsByKey(report.cells);
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
  readonly requests: ReturnType<typeof openRequests>;
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
      return [tier, { pack, shelf, requests: openRequests(pack, shelf, redact, longest[tier]), taken }];
    }),
  ) as unknown as Shelves;
}

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
