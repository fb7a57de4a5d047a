import type { FindSpec, TrialsSpec } from '../suite/probe.js';
import type { Ticket } from '../plan/ticket.js';

/** How many trials a cell is likely to take, and the most it can take. */
export interface Range {
  readonly expected: number;
  readonly largest: number;
}

/** Most fresh trials that a surprise against the baseline is worth. */
const freshTrials = 60;

/** Trials of a ticket, fresh ones that look into a surprise among the largest number; none where nothing is asked. */
export function trialCount(ticket: Ticket): Range {
  if (ticket.cell.skip !== null) return { expected: 0, largest: 0 };
  const { expected, largest } = undisturbed(ticket);
  return { expected, largest: largest + (ticket.confirm ? freshTrials : 0) };
}

function undisturbed(ticket: Ticket): Range {
  const { cell, course, trials } = ticket;
  const once = sampleCount(ticket, trials);
  if (course === 'find' && cell.probe.find !== null) return findCount(ticket, cell.probe.find, once);
  if (course === 'enforce') return enforceCount(ticket, once);
  return once;
}

function sampleCount({ expected }: Ticket, trials: TrialsSpec): Range {
  if (trials.kind === 'count') return { expected: trials.count, largest: trials.count };
  const { reliable, broken, error, max, min = 1 } = trials;
  const bound = Math.log((1 - error) / error);
  const passes = Math.ceil(bound / Math.log(reliable / broken) - 1e-9);
  const failures = Math.ceil(bound / Math.log((1 - broken) / (1 - reliable)) - 1e-9);
  const largest = Math.max(max, min);
  const likely = expected.kind !== 'entry' ? passes : expected.entry.verdict === 'fail' ? failures : 2 * passes;
  return { expected: Math.min(largest, Math.max(min, likely)), largest };
}

/** Passes in a row that a value found wants on a normal day, and bisections until one keeps them. */
const proof = 3;
const bisected = 4;

/**
 * Doubling from `from` to `to`, then bisection of the last doubling; a stored threshold is looked at in two places. Where
 * no number is ordered, values that pass at first and fail their proof are at most all there are, and two larger ones
 * are looked at twice.
 */
function findCount({ expected, confirm, trials }: Ticket, { from, to, tolerance }: FindSpec, each: Range): Range {
  const doublings = Math.max(0, Math.ceil(Math.log2(to / from))) + 1;
  const bisections = Math.max(0, Math.ceil(Math.log2(1 / tolerance)));
  const search = doublings + bisections;
  const stored = expected.kind === 'pass' && expected.threshold !== null;
  const likely = stored ? 2 : Math.ceil(doublings / 2) + bisections;
  const again = stored ? 2 : 0;
  if (!confirm || trials.kind !== 'count') {
    return { expected: likely * each.expected, largest: (search + again) * each.largest };
  }
  const values = doublings + bisected * bisections + again;
  return { expected: likely * each.expected, largest: values * Math.max(proof, each.largest) + 2 * each.largest + 2 };
}

/** A valid, a free and an invalid echo; then the invalid one again, and at most all three. */
function enforceCount({ cell, confirm }: Ticket, each: Range): Range {
  const kinds = cell.probe.enforce?.keyword === 'description' ? 1 : 3;
  const rounds = confirm ? Math.max(3, each.expected) : each.expected;
  return { expected: kinds + rounds - 1, largest: kinds * Math.max(rounds, each.largest) };
}
