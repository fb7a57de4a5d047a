import { trialsBehind } from '../../baseline/knowledge.js';
import type { Tally } from '../../baseline/learned.js';
import type { Finding } from '../../decide/course.js';
import { passesBehind } from '../../decide/courses/passes-behind.js';
import { discoveryRate } from '../../decide/false-alarms.js';
import type { Ticket } from '../../plan/ticket.js';
import { benjaminiHochberg } from '../../stats/benjamini-hochberg.js';
import { probabilityOfDrop, rateMixture } from '../../stats/rate-mixture.js';
import type { CellStanding } from './apparent-standing.js';

/** A regression of a cell that still passes sometimes, and was accepted from trials that all passed. */
export interface PartialDrop {
  /** The fresh trials that show it, of this run and of those right before it; null: the run takes no fresh samples. */
  readonly drop: Tally | null;
  /** An unchanged cell that was lucky when it was accepted explains it. */
  readonly isLuck: boolean;
}

interface Compared {
  readonly tickets: readonly Ticket[];
  readonly findings: ReadonlyMap<string, Finding>;
  readonly standings: ReadonlyMap<string, CellStanding>;
  /** By cell key: the fresh trials of the runs right before this one; undefined: they are not known. */
  readonly before: ReadonlyMap<string, Tally> | undefined;
  /** By cell key: in how many runs in a row, up to the one before, it was a regression; undefined: it is not known. */
  readonly shown: ReadonlyMap<string, number> | undefined;
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
}: Compared): ReadonlyMap<string, PartialDrop> {
  const drops = tickets.flatMap((ticket) => {
    const { key } = ticket.cell;
    const stands = standings.get(key);
    if (stands?.standing !== 'regression' || stands.unsettled) return [];
    const [finding, known] = [findings.get(key), countsOfPassing(ticket)];
    if (finding === undefined || known === null) return [];
    const drop = finding.fresh === null ? null : together(finding.fresh, before?.get(key));
    const now = drop ?? finding.trials;
    return now.passed > 0 ? [{ key, drop, now, known, looks: (shown?.get(key) ?? 0) + 1 }] : [];
  });
  if (drops.length === 0) return new Map();
  const mixture = rateMixture(tickets.filter(isPlain).flatMap(({ expected }) => trialsBehind(expected) ?? []));
  const chances = drops.map(({ now, known, looks }) =>
    Math.min(1, overAllNights(looks) * probabilityOfDrop(mixture, known, now)),
  );
  const compared = tickets.filter((ticket) => passesBehind(ticket) !== null).length;
  const others = Array.from({ length: compared - drops.length }, () => 1);
  const stands = benjaminiHochberg([...chances, ...others], discoveryRate);
  return new Map(drops.map(({ key, drop }, index) => [key, { drop, isLuck: stands[index] !== true }]));
}

/**
 * Who adds up the trials of many nights and looks after each sees every lucky cell as a changed one in the end. So each
 * look may take only its part of the probability of an error: a half, a sixth, a twelfth and so on, which make up the whole.
 */
const overAllNights = (looks: number): number => looks * (looks + 1);

/** How often a cell passed that may have been lucky when it was accepted, then and since; null for any other. */
function countsOfPassing(ticket: Ticket): Tally | null {
  return passesBehind(ticket) === null ? null : trialsBehind(ticket.expected);
}

/** What is counted of thresholds and enforcement is no rate of passes. */
export const isPlain = ({ course }: Pick<Ticket, 'course'>): boolean => course === 'fixed' || course === 'sequential';

const together = ({ passed, total }: Tally, before: Tally = { passed: 0, total: 0 }): Tally => ({
  passed: passed + before.passed,
  total: total + before.total,
});
