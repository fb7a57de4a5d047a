import { trialsBehind } from '../../baseline/knowledge.js';
import type { Outcome } from '../../judge/outcome.js';
import type { Ticket } from '../../plan/ticket.js';
import type { Count } from '../../stats/count.js';
import type { Finding } from '../course.js';
import type { Asking } from './sample.js';

type Ask = (ticket: Ticket, plannedCells: number) => Asking<Finding>;

/** Nights of one cell that are tried out. Twice as many move the mean by a few trials in a hundred. */
const nights = 64;

/** By what the number depends on: of thousands of flaky cells, most are known from one of a few dozen counts. */
const means = new Map<string, number>();

/**
 * The mean number of trials of a cell that is known to pass only sometimes, fresh samples included: no formula gives it, so
 * the course itself is played, with trials that pass as often as they are known to. The same for the same ticket.
 * @returns null where the cell is not known to pass sometimes
 */
export function usualTrials(ticket: Ticket, ask: Ask, plannedCells: number): number | null {
  const known = knownRate(ticket.expected);
  if (known === null || known.passed === 0 || known.passed === known.total) return null;
  const name = nameOf(ticket, known, plannedCells);
  const mean = means.get(name) ?? playedMean(ticket, ask, plannedCells, known);
  means.set(name, mean);
  return mean;
}

/** Two tickets of one name are asked alike. */
function nameOf(
  { course, trials, confirm, dropped, expected, cell }: Ticket,
  known: Count,
  plannedCells: number,
): string {
  const { passed = null, total = null, verdict = null } = expected.kind === 'entry' ? expected.entry : {};
  const accepted = expected.kind === 'new' ? null : (expected.trials ?? null);
  const asked = [course, trials, confirm, dropped ?? false, cell.probe.trials, plannedCells];
  return JSON.stringify([...asked, expected.kind, verdict, passed, total, accepted, known.passed, known.total]);
}

/** Of a cell that is known to fail, only what later runs saw of it. */
function knownRate(expected: Ticket['expected']): Count | null {
  if (expected.kind !== 'entry' || expected.entry.verdict === 'flaky') return trialsBehind(expected);
  return expected.pooled ?? null;
}

function playedMean(ticket: Ticket, ask: Ask, plannedCells: number, known: Count): number {
  const random = evenly();
  let trials = 0;
  for (let night = 0; night < nights; night += 1) {
    const asking = ask(ticket, plannedCells);
    for (let step = asking.next(); step.done !== true;) {
      trials += step.value.length;
      step = asking.next(step.value.map(() => outcomeOf(ticket, random() * known.total < known.passed)));
    }
  }
  return Math.round(trials / nights);
}

/** As an answer that fails the way the baseline names. */
function outcomeOf({ expected }: Ticket, passed: boolean): Outcome {
  const {
    class: failure,
    reason,
    status,
  } = expected.kind === 'entry' ? expected.entry : ({ class: null, reason: null, status: null } as const);
  return {
    ...{ passed, fault: false, class: passed ? null : (failure ?? 'rule_violation'), reason: passed ? null : reason },
    ...{ status: passed ? 200 : status, detail: null, rung: null, quirks: [], wire: [], violations: [] },
    ...{ value: undefined, reply: null, step: null, recovered: null },
  };
}

/** Numbers in [0, 1) from a fixed beginning, by Lehmer's method: one plan has one estimate. */
function evenly(): () => number {
  const modulus = 2 ** 31 - 1;
  let state = 48_271;
  return () => {
    state = (state * 48_271) % modulus;
    return state / modulus;
  };
}
