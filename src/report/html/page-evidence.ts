import { isObject, type Json } from '../../json/json.js';
import type { ExchangeRecord } from '../../journal/event.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { readAnswer, replyIn } from '../../chat/read-answer.js';
import { printableBody } from '../evidence/answer-body.js';
import { curlHead } from '../evidence/curl.js';
import { type EvidenceExchange, evidenceExchange } from '../evidence/evidence-bundle.js';
import { pathOf } from '../evidence/exchange-facts.js';
import type { RenderContext } from '../render.js';
import { redactAll, redactForeign } from '../safe/redact.js';
import { capped } from '../safe/capped.js';
import { visible } from '../safe/escape.js';
import { decodedAnswer } from './store/decoded-answer.js';
import { type Block, openPack, type Pack } from './store/pack.js';
import { openRequests, type ShelvedRequest } from './store/request-shelf.js';
import { openShelf, type TextShelf } from './store/text-shelf.js';

/** The exchanges of a page: compressed blocks of texts and exchanges, and where each exchange stands in them. */
export interface PageEvidence {
  readonly blocks: readonly Block[];
  /** By exchange id: the number of its item. An exchange that was left out is absent. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Those that stand in the page as text, for readers without JavaScript. */
  readonly plain: ReadonlyMap<string, PlainExchange>;
}

/** What a page without JavaScript shows of an exchange. */
export interface PlainExchange {
  readonly id: string;
  readonly status: number | null;
  readonly request: string;
  readonly response: string;
}

/** An exchange in the store; ropes are put together in the browser. */
interface StoredExchange {
  readonly [name: string]: unknown;
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
/** Characters of a request and of a response in the page's text. */
const longestPlain = 1500;

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
  const plain = new Map<string, PlainExchange>();
  const kept = new Map<string, { readonly number: number; readonly uses: readonly number[] }>();
  const all = room.page + room.cell * report.cells.length;
  for await (const record of exchanges(new Set(wanted.keys()))) {
    const one = wanted.get(record.id);
    if (one === undefined) continue;
    const { pack, taken, ...shelf } = shelves[one.tier];
    if (one.tier !== 'deviation' && taken() > all) continue;
    if (plainIds.has(record.id)) plain.set(record.id, plainExchange(evidenceExchange(record, one.cell, redact)));
    const stored = storedExchange(record, one, { redact, ...shelf });
    kept.set(record.id, { number: pack.add(stored), uses: numbersIn(stored) });
  }
  const { blocks, dropped } = await fitting(shelves, all);
  const isDropped = (number: number) => dropped.some(({ from, count }) => number >= from && number < from + count);
  const numbers = new Map<string, number>();
  for (const [id, { number, uses }] of kept) if (![number, ...uses].some(isDropped)) numbers.set(id, number);
  return { blocks, numbers, plain };
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
}

type Shelves = Readonly<Record<Tier, Shelf & { readonly pack: Pack; readonly taken: () => number }>>;

/** A text that a more important tier holds is not kept again. */
function openTiers(redact: RenderContext['redact']): Shelves {
  const packs = tiers.map((_, index) => openPack(index * apart));
  const known = tiers.map(() => new Map<string, number>());
  return Object.fromEntries(
    tiers.map((tier, index) => {
      const pack = packs[index] ?? openPack();
      const shelf = openShelf(pack, known.slice(0, index + 1));
      const taken = () => packs.slice(0, index + 1).reduce((sum, one) => sum + one.size(), 0);
      return [tier, { pack, shelf, requests: openRequests(shelf, redact, longest[tier]), taken }];
    }),
  ) as unknown as Shelves;
}

async function fitting(
  shelves: Shelves,
  all: number,
): Promise<{ readonly blocks: readonly Block[]; readonly dropped: readonly Block[] }> {
  const blocks: Block[] = [];
  const dropped: Block[] = [];
  let left = all;
  for (const tier of tiers) {
    for (const block of await shelves[tier].pack.blocks()) {
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
  { redact, shelf, requests }: Shelf & Pick<RenderContext, 'redact'>,
): StoredExchange {
  const text = (value: string | null) => (value === null ? null : shelf.text(cut(value, longest[tier])));
  const body = requests(request.body);
  const url = redact(request.url);
  const isStreamed = isObject(request.body) && request.body['stream'] === true;
  const common = {
    ...{ id: record.id, purpose: record.purpose, step: record.step, trial: record.ask?.sample ?? null },
    ...{ path: shelf.text(capped(pathOf(url))), status: answer.status, stream: isStreamed },
    ...{ time: timing.started_at, first: timing.headers_ms, total: timing.total_ms },
    failure: text(redacted(answer.failure?.message ?? null, redact)),
    request: body?.body ?? text(JSON.stringify(redactForeign(request.body, redact), null, 2)),
    curl: body && shelf.text(curlHead({ ...request, url })),
    headers: text(headerLines(redactAll(answer.headers, redact))),
    schemas: body?.schemas ?? [],
  };
  // Most exchanges are plain answers that pass. What is in them is read in the browser, if somebody opens one.
  if (tier === 'passing' && !isStreamed && answer.body[0]?.startsWith('{') === true) {
    return { ...common, body: text(printableBody(answer, null, redact, longest[tier])), read: null };
  }
  const reply = replyIn(readAnswer(answer));
  const failure = cell.failures.find(({ exchange }) => exchange === record.id);
  const { traceresponse = null } = answer.headers;
  const ids = [reply?.id ?? null, reply?.request_id ?? answer.headers['x-request-id'] ?? null, traceresponse];
  const decoded = decodedAnswer(answer, failure?.violations ?? [], redact);
  return {
    ...common,
    body: text(printableBody(answer, reply, redact, longest[tier])),
    read: {
      finish: text(redacted(reply?.finish_reason ?? null, redact)),
      error: text(redacted(failure?.detail ?? null, redact)),
      ids: text(redact(ids.filter((id) => id !== null).join(' · '))),
      usage: text(reply === null || !isObject(reply.usage) ? null : JSON.stringify(redactForeign(reply.usage, redact))),
      assembled: text(reply?.streamed ? redacted(reply.content, redact) : null),
      answer: decoded && {
        of: shelf.text(capped(decoded.of)),
        text: text(decoded.text),
        marks: decoded.marks.map(({ line, message }) => ({ line, message: visible(capped(message)) })),
      },
    },
  };
}

const redacted = (text: string | null, redact: RenderContext['redact']) => (text === null ? null : redact(text));

/** Every number of another item in a stored exchange stands in a rope, which is an array. */
function numbersIn(value: unknown): readonly number[] {
  if (Array.isArray(value)) {
    return value.flatMap((piece: unknown) => {
      if (typeof piece === 'number') return piece;
      if (Array.isArray(piece) && typeof piece[0] === 'number') return piece[0];
      return numbersIn(piece);
    });
  }
  return isObject(value) ? Object.values(value as object).flatMap(numbersIn) : [];
}

function plainExchange({ exchange, response, request }: EvidenceExchange): PlainExchange {
  const answer = [response.failure === null ? '' : `(${response.failure})\n`, response.content ?? response.body];
  return {
    ...{ id: exchange, status: response.status },
    request: cut(JSON.stringify(request, null, 2), longestPlain),
    response: cut(answer.join(''), longestPlain),
  };
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function cut(text: string, most: number): string {
  const over = text.length - most;
  return over <= 0 ? text : `${text.slice(0, most)}\n[... ${over.toLocaleString('en')} more characters in the journal]`;
}
