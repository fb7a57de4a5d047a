import type { Report } from '../../matrix/report-format.js';
import type { RenderContext } from '../render.js';
import type { Redact } from '../safe/redact.js';
import { openPlain, type PlainExchange } from './plain-exchange.js';
import { type Block, openPack, type Pack } from './store/pack.js';
import { openRequests } from './store/request-shelf.js';
import { type Shelf, storedExchange } from './store/stored-exchange.js';
import { openShelf } from './store/text-shelf.js';
import { longest, type Tier, tiers, wantedIn } from './wanted-exchanges.js';

/** The exchanges of a page: compressed blocks of texts and exchanges, and where each exchange stands in them. */
export interface PageEvidence {
  readonly blocks: readonly Block[];
  /** By exchange id: the number of its item. An exchange that was left out is absent. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Those that stand in the page as text, for readers without JavaScript. */
  readonly plain: ReadonlyMap<string, PlainExchange>;
}

/** Characters of the compressed blocks together: a part for every page, and a part for each cell. */
const room = { page: 1_500_000, cell: 400 };
/** Numbers of different tiers never meet. */
const apart = 10_000_000;

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
