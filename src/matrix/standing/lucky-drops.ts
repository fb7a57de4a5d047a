import { trialsBehind } from '../../baseline/knowledge.js';
import type { Tally } from '../../baseline/learned.js';
import type { Finding } from '../../decide/course.js';
import { passesBehind } from '../../decide/courses/passes-behind.js';
import { discoveryRate } from '../../decide/false-alarms.js';
import type { Ticket } from '../../plan/ticket.js';
import { benjaminiHochberg } from '../../stats/benjamini-hochberg.js';
import { probabilityAfterPasses, rateMixture } from '../../stats/rate-mixture.js';
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
}

/**
 * Which drops luck explains: a cell that passes seven times in ten passes ten times in a row once in 35 times, and a
 * baseline that was accepted then expects it to pass. How many such cells there are is known from those that had no luck:
 * the baseline says of all cells of the run how often they passed, and from that follows how often an unchanged cell with
 * so many passes behind it shows so few now. Over all cells that are expected to pass, the false discovery rate is held.
 * A cell that no longer passes at all, or for which somebody vouches because its line states no trials, is not compared.
 */
export function luckyDrops({ tickets, findings, standings, before }: Compared): ReadonlyMap<string, PartialDrop> {
  const drops = tickets.flatMap((ticket) => {
    const { key } = ticket.cell;
    const stands = standings.get(key);
    if (stands?.standing !== 'regression' || stands.unsettled) return [];
    const [finding, passes] = [findings.get(key), passesBehind(ticket)];
    if (finding === undefined || passes === null) return [];
    const drop = finding.fresh === null ? null : together(finding.fresh, before?.get(key));
    const now = drop ?? finding.trials;
    return now.passed > 0 ? [{ key, drop, now, passes }] : [];
  });
  if (drops.length === 0) return new Map();
  const mixture = rateMixture(tickets.filter(isPlain).flatMap(({ expected }) => trialsBehind(expected) ?? []));
  const pValues = drops.map(({ now, passes }) => probabilityAfterPasses(mixture, passes, now));
  const known = tickets.filter((ticket) => passesBehind(ticket) !== null).length;
  const others = Array.from({ length: known - drops.length }, () => 1);
  const stands = benjaminiHochberg([...pValues, ...others], discoveryRate);
  return new Map(drops.map(({ key, drop }, index) => [key, { drop, isLuck: stands[index] !== true }]));
}

/** What is counted of thresholds and enforcement is no rate of passes. */
export const isPlain = ({ course }: Pick<Ticket, 'course'>): boolean => course === 'fixed' || course === 'sequential';

const together = ({ passed, total }: Tally, before: Tally = { passed: 0, total: 0 }): Tally => ({
  passed: passed + before.passed,
  total: total + before.total,
});
