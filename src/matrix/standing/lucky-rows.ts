import { trialsBehind } from '../../baseline/knowledge.js';
import type { Tally } from '../../baseline/learned.js';
import type { Finding } from '../../decide/course.js';
import { discoveryRate } from '../../decide/false-alarms.js';
import type { Ticket } from '../../plan/ticket.js';
import { benjaminiHochberg } from '../../stats/benjamini-hochberg.js';
import { probabilityOfRow, rateMixture } from '../../stats/rate-mixture.js';
import type { CellStanding } from './apparent-standing.js';
import { isPlain } from './lucky-drops.js';

/** An improvement of a cell that is known to pass sometimes: it passed every time. */
export interface RowOfPasses {
  /** Fresh passes, of this run and of those right before it. */
  readonly row: number;
  /** An unchanged cell that seldom fails, and was unlucky when it was accepted, explains it. */
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
 * Which rows of passes luck explains, as `luckyDrops` does for the opposite: a cell that passes nine times in ten fails five
 * of nine trials once in a thousand times, and is then known as one that hardly ever passes. How likely a cell with these
 * counts is to pass so many times in a row although nothing changed follows from how the rates of all cells are spread.
 * The false discovery rate is held over the cells that are known to pass sometimes, since no other can be taken for
 * improved by such a row.
 */
export function luckyRows({ tickets, findings, standings, before }: Compared): ReadonlyMap<string, RowOfPasses> {
  const rows = tickets.flatMap((ticket) => {
    const { key } = ticket.cell;
    const stands = standings.get(key);
    if (stands?.standing !== 'improvement' || stands.unsettled) return [];
    const [finding, counts] = [findings.get(key), countsInPart(ticket)];
    if (finding === undefined || counts === null) return [];
    const now = (finding.fresh ?? finding.trials).total;
    return [{ key, counts, row: now + (before?.get(key)?.total ?? 0) }];
  });
  if (rows.length === 0) return new Map();
  const mixture = rateMixture(tickets.filter(isPlain).flatMap(({ expected }) => trialsBehind(expected) ?? []));
  const pValues = rows.map(({ counts, row }) => probabilityOfRow(mixture, counts, row));
  const known = tickets.filter((ticket) => countsInPart(ticket) !== null).length;
  const others = Array.from({ length: known - rows.length }, () => 1);
  const stands = benjaminiHochberg([...pValues, ...others], discoveryRate);
  return new Map(rows.map(({ key, row }, index) => [key, { row, isLuck: stands[index] !== true }]));
}

/** Of a cell that is known to pass sometimes; null for any other. */
function countsInPart({ course, expected }: Ticket): Tally | null {
  const counts = isPlain({ course }) && expected.kind === 'entry' ? trialsBehind(expected) : null;
  return counts !== null && counts.passed > 0 && counts.passed < counts.total ? counts : null;
}
