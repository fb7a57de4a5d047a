import { trialsBehind } from '../../baseline/knowledge.js';
import type { Finding } from '../../decide/course.js';
import { passesBehind } from '../../decide/courses/passes-behind.js';
import { discoveryRate } from '../../decide/false-alarms.js';
import { groupBy } from '../../json/group-by.js';
import { hasRate, type Ticket } from '../../plan/ticket.js';
import { benjaminiHochberg } from '../../stats/benjamini-hochberg.js';
import { probabilityOfAtLeast } from '../../stats/binomial.js';
import { type Count, sumOf } from '../../stats/count.js';
import { probabilityOfDrop, probabilityOfRow, rateMixture, type RateShare } from '../../stats/rate-mixture.js';
import type { CellStanding } from './apparent-standing.js';

interface Compared {
  readonly tickets: readonly Ticket[];
  readonly findings: ReadonlyMap<string, Finding>;
  readonly standings: ReadonlyMap<string, CellStanding>;
  /** By cell key: the fresh trials of the runs right before this one; undefined: they are not known. */
  readonly before: ReadonlyMap<string, Count> | undefined;
  /** `mixtureOf` these tickets; asked for only where there is something to compare. */
  readonly mixture: () => readonly RateShare[];
}

interface ComparedDrops extends Compared {
  /** By cell key: in how many runs in a row, up to the one before, it was a regression; undefined: it is not known. */
  readonly shown: ReadonlyMap<string, number> | undefined;
}

/** A regression of a cell that still passes sometimes, and was accepted from trials that all passed. */
export interface PartialDrop {
  /** The fresh trials that show it, of this run and of those right before it; null: the run takes no fresh samples. */
  readonly drop: Count | null;
  /** An unchanged cell that was lucky when it was accepted explains it. */
  readonly isLuck: boolean;
}

/**
 * Which drops luck explains: a cell that passes seven times in ten passes ten times in a row once in 35 times, and a
 * baseline that was accepted then expects it to pass. How many such cells there are is known from those that had no luck:
 * the baseline says of all cells of the run how often they passed, and from that follows how often an unchanged cell with
 * so many passes behind it shows so few now. All runs since then count as well: a cell that was lucky once is not lucky
 * for weeks. Over all cells that are expected to pass, the false discovery rate is held.
 * A cell that no longer passes at all, or for which somebody vouches because its line states no trials, is not compared.
 */
export function luckyDrops({
  tickets,
  findings,
  standings,
  before,
  shown,
  mixture,
}: ComparedDrops): ReadonlyMap<string, PartialDrop> {
  const drops = settledAs('regression', tickets, standings).flatMap((ticket) => {
    const { key } = ticket.cell;
    const [finding, known] = [findings.get(key), countsOfPassing(ticket)];
    if (finding === undefined || known === null) return [];
    const earlier = before?.get(key);
    const drop = finding.fresh === null ? null : sumOf(earlier ? [finding.fresh, earlier] : [finding.fresh]);
    const now = drop ?? finding.trials;
    const looks = (shown?.get(key) ?? 0) + 1;
    const chance = (spread: readonly RateShare[]) =>
      Math.min(1, overAllNights(looks) * probabilityOfDrop(spread, known, now));
    return now.passed > 0 ? [{ key, model: ticket.cell.model.key, drop, chance }] : [];
  });
  if (drops.length === 0) return new Map();
  const spread = mixture();
  const compared = tickets.filter((ticket) => passesBehind(ticket) !== null);
  const isLuck = explainedByLuck(
    drops.map(({ chance }) => chance(spread)),
    compared.length,
  );
  const together = fallenTogether(drops, spread, compared, tickets);
  return new Map(drops.map(({ key, drop }, index) => [key, { drop, isLuck: isLuck(index) && !together.has(key) }]));
}

interface ComparedDrop {
  readonly key: string;
  readonly model: string;
  /** Of such a drop of an unchanged cell, where rates are spread like this. */
  readonly chance: (spread: readonly RateShare[]) => number;
}

/**
 * The drops of models of which more cells dropped than luck explains. Each of them may well be luck in a run of thousands
 * of cells, some of which are lucky; but cells are lucky one by one, so that several in one model are too many. Where the
 * cells of a model pass less often than those of others, its own cells say how many lucky ones to expect.
 * @param compared the cells that could have dropped so
 */
function fallenTogether(
  drops: readonly ComparedDrop[],
  spread: readonly RateShare[],
  compared: readonly Ticket[],
  tickets: readonly Ticket[],
): ReadonlySet<string> {
  const models = groupBy(compared, ({ cell }) => cell.model.key);
  const found = [...groupBy(drops, ({ model }) => model)].flatMap(([model, ofModel]) => {
    if (ofModel.length < 2) return [];
    const own = mixtureOf(tickets.filter(({ cell }) => cell.model.key === model));
    const ascending = ofModel
      .map(({ key, chance }) => ({ key, pValue: Math.max(chance(spread), chance(own)) }))
      .sort((a, b) => a.pValue - b.pValue);
    const cells = models.get(model)?.length ?? 0;
    // A single one is compared over the whole run.
    const chances = ascending.map(({ pValue }, index) =>
      index === 0 ? 1 : cells * models.size * probabilityOfAtLeast(index + 1, cells, pValue),
    );
    const least = Math.min(...chances);
    return least > discoveryRate ? [] : ascending.slice(0, chances.indexOf(least) + 1);
  });
  return new Set(found.map(({ key }) => key));
}

/** An improvement of a cell that is known to pass sometimes: it passed every time. */
export interface RowOfPasses {
  /** Fresh passes, of this run and of those right before it. */
  readonly row: number;
  /** An unchanged cell that seldom fails, and was unlucky when it was accepted, explains it. */
  readonly isLuck: boolean;
}

/**
 * Which rows of passes luck explains, the opposite: a cell that passes nine times in ten fails five of nine trials once in
 * a thousand times, and is then known as one that hardly ever passes. How likely a cell with these counts is to pass so
 * many times in a row although nothing changed follows from how the rates of all cells are spread. The false discovery
 * rate is held over the cells that are known to pass sometimes, since no other can be taken for improved by such a row.
 */
export function luckyRows({
  tickets,
  findings,
  standings,
  before,
  mixture,
}: Compared): ReadonlyMap<string, RowOfPasses> {
  const rows = settledAs('improvement', tickets, standings).flatMap((ticket) => {
    const { key } = ticket.cell;
    const [finding, known] = [findings.get(key), countsInPart(ticket)];
    if (finding === undefined || known === null) return [];
    const now = (finding.fresh ?? finding.trials).total;
    return [{ key, known, row: now + (before?.get(key)?.total ?? 0) }];
  });
  if (rows.length === 0) return new Map();
  const spread = mixture();
  const pValues = rows.map(({ known, row }) => probabilityOfRow(spread, known, row));
  const isLuck = explainedByLuck(pValues, tickets.filter((ticket) => countsInPart(ticket) !== null).length);
  return new Map(rows.map(({ key, row }, index) => [key, { row, isLuck: isLuck(index) }]));
}

/** Of thousands of cells, hardly any. */
function settledAs(
  standing: 'regression' | 'improvement',
  tickets: readonly Ticket[],
  standings: Compared['standings'],
): readonly Ticket[] {
  return tickets.filter(({ cell }) => {
    const stands = standings.get(cell.key);
    return stands?.standing === standing && !stands.unsettled;
  });
}

/** How the pass rates of all cells of the run are spread, as far as the baseline knows them. */
export const mixtureOf = (tickets: readonly Ticket[]) =>
  rateMixture(tickets.filter(hasRate).flatMap(({ expected }) => trialsBehind(expected) ?? []));

/** @param cells how many could have been among those with a p-value, which count as unsuspicious */
function explainedByLuck(pValues: readonly number[], cells: number): (index: number) => boolean {
  const stands = benjaminiHochberg(pValues, discoveryRate, cells);
  return (index) => stands[index] !== true;
}

/**
 * Who adds up the trials of many nights and looks after each sees every lucky cell as a changed one in the end. So each
 * look may take only its part of the probability of an error: a half, a sixth, a twelfth and so on, which make up the whole.
 */
const overAllNights = (looks: number): number => looks * (looks + 1);

/** How often a cell passed that may have been lucky when it was accepted, then and since; null for any other. */
function countsOfPassing(ticket: Ticket): Count | null {
  return passesBehind(ticket) === null ? null : trialsBehind(ticket.expected);
}

/** Of a cell that is known to pass sometimes; null for any other. */
function countsInPart(ticket: Ticket): Count | null {
  const known = hasRate(ticket) && ticket.expected.kind === 'entry' ? trialsBehind(ticket.expected) : null;
  return known !== null && known.passed > 0 && known.passed < known.total ? known : null;
}
