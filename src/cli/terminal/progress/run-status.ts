import { isJudgement } from '../../../cell/verdict.js';
import type { Budget } from '../../../config/config.js';
import { shareOfLimit } from '../../../config/share-of-limit.js';
import { courseCost } from '../../../decide/courses/courses.js';
import type { RunEvent } from '../../../journal/event.js';
import type { Plan, Ticket } from '../../../plan/ticket.js';
import type { Spent } from '../../../run/budget-ledger.js';
import { numberText } from '../number-text.js';

/** What progress has to know of a run. */
export interface RunFacts {
  readonly plan: Plan;
  readonly budget: Budget;
  /** The part of limits and budget that this run may use, above 0 and up to 1. */
  readonly share: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Of the run that this one continues: requests with their answers, and those whose answers are lost. */
  readonly recorded?: { readonly count: number; readonly lost: number };
}

export type RunStatus = ReturnType<typeof runStatus>;

interface OpenCell {
  readonly ticket: Ticket;
  /** Requests of a trial. */
  readonly steps: number;
  /** Requests that it is still expected to take. */
  left: number;
}

/** Seconds without an answer that are worth a word. */
const longSilence = 15;

/** Keeps the counts of a run; the rest is worked out when somebody looks. */
export function runStatus({ plan, budget, share, now, recorded = { count: 0, lost: 0 } }: RunFacts) {
  const began = now();
  const open = new Map<string, OpenCell>();
  const reserve = new Map(plan.reserve.map(({ ticket }) => [ticket.cell.key, ticket]));
  const waits = new Map<string, number>();
  const counts = { cells: 0, planned: 0, sent: 0, deviations: 0, left: 0, ended: 0 };
  let spending: (() => Spent) | null = null;
  let lastAnswer = began;
  let stopped = false;

  const plans = (ticket: Ticket): void => {
    const steps = stepsAsked(ticket);
    const left = courseCost(ticket).expected * steps;
    open.set(ticket.cell.key, { ticket, steps, left });
    counts.planned += 1;
    counts.left += left;
  };
  for (const ticket of plan.tickets) plans(ticket);
  const takesOff = (cell: OpenCell, requests: number): void => {
    cell.left -= requests;
    counts.left -= requests;
  };

  /** Counts an event, in constant time. Returns whether it happens now, and is not only read from a journal. */
  function see(event: RunEvent): boolean {
    if (event.type === 'exchange') {
      // Answers of an interrupted run, which this one continues, say nothing about its pace.
      if (Date.parse(event.exchange.timing.started_at) < began) return false;
      counts.sent += 1;
      lastAnswer = now();
    } else if (event.type === 'waiting') {
      if (event.reason === 'rate_limit') waits.set(event.target, now() + event.seconds * 1000);
    } else if (event.type === 'stopped') {
      stopped ||= event.stop.target === null;
    } else {
      countCell(event);
      return false;
    }
    return true;
  }

  function countCell(event: RunEvent): void {
    if (event.type === 'run_finished') stopped = true;
    if (event.type === 'further') {
      for (const ticket of event.cells.flatMap((key) => (open.has(key) ? [] : (reserve.get(key) ?? [])))) plans(ticket);
    }
    const own = event.type === 'trial' || event.type === 'cell' ? open.get(event.cell) : undefined;
    if (own === undefined) return;
    if (event.type === 'trial') {
      counts.ended += own.steps;
      // Repeated faults are not what was expected.
      takesOff(own, Math.min(own.steps, own.left));
    } else if (event.type === 'cell') {
      takesOff(own, own.left);
      if (event.finding.verdict === 'not_run' || event.stop !== undefined) return;
      open.delete(event.cell);
      counts.cells += 1;
      if (differs(own.ticket, event.finding.verdict)) counts.deviations += 1;
    }
  }

  /** What an interruption or a spent budget left out; null: nothing. */
  const unasked = (): string | null => {
    const none = counts.planned - counts.cells;
    if (!stopped || none === 0) return null;
    return `${numberText(none)} of ${numberText(counts.planned)} ${counts.planned === 1 ? 'cell' : 'cells'} not asked, or only in part`;
  };

  return {
    see,
    watchBudget: (read: () => Spent) => {
      spending = read;
    },
    counts: (): { readonly cells: number; readonly planned: number } => counts,
    unasked,
    /** How far the run is, on one line, the most important first. */
    text(): string {
      const at = now();
      const elapsed = (at - began) / 1000;
      const perSecond = counts.ended / Math.max(1, elapsed);
      const left = stopped || counts.left <= 0 || perSecond === 0 ? null : counts.left / perSecond;
      const limited = [...waits].filter(([, until]) => until > at);
      const silent = (at - lastAnswer) / 1000;
      const parts = [
        `${numberText(counts.cells)}/${numberText(counts.planned)} cells`,
        `${requestsText(counts.sent)} (${numberText(Math.round((60 * counts.sent) / Math.max(1, elapsed)))} a minute)`,
        `${durationText(elapsed)}${left === null ? '' : `, about ${durationText(left)} left`}`,
        `${numberText(counts.deviations)} unexpected so far`,
        ...spentTexts(budget, share, spending?.() ?? null),
        unasked() ?? '',
        ...limited.map(([target, until]) => `${target}: per-minute limit, ${durationText((until - at) / 1000)}`),
        stopped || limited.length > 0 || silent < longSilence ? '' : `no answer for ${durationText(silent)}`,
      ];
      return parts.filter((part) => part !== '').join(', ');
    },
  };

  function requestsText(sent: number): string {
    const requests = sent + recorded.count;
    const most = budget.requests === null ? null : shareOfLimit(budget.requests, share);
    const noun = (most ?? requests) === 1 ? 'request' : 'requests';
    const lost = recorded.lost === 0 ? '' : ` and ${numberText(recorded.lost)} without an answer`;
    return `${numberText(requests)}${most === null ? '' : ` of ${numberText(most)}`} ${noun}${lost}`;
  }
}

/** Without retries, controls and what a doubt adds. */
function stepsAsked({ cell: { probe, unmeetable } }: Ticket): number {
  if (unmeetable !== null) return 0;
  return probe.enforce === null ? probe.steps.filter(({ kind }) => kind === 'ask').length : 1;
}

/** As far as the cell alone tells; the report decides by all evidence. */
function differs({ expected }: Ticket, verdict: Parameters<typeof isJudgement>[0]): boolean {
  return isJudgement(verdict) && (verdict === 'pass') === (expected.kind === 'entry');
}

function spentTexts(budget: Budget, share: number, spent: Spent | null): readonly string[] {
  if (spent === null) return [];
  const of = (limit: number | null, text: (value: number) => string): string =>
    limit === null ? '' : ` of ${text(limit * share)}`;
  const tokens = (value: number): string => numberText(Math.floor(value));
  const cost = (value: number): string => value.toFixed(value < 1 ? 4 : 2);
  return [
    ...(budget.tokens === null ? [] : [`${tokens(spent.tokens)}${of(budget.tokens, tokens)} tokens spent`]),
    ...(budget.cost === null && spent.cost === 0 ? [] : [`cost ${cost(spent.cost)}${of(budget.cost, cost)}`]),
  ];
}

/** "45 s", "3 min 10 s", "1 h 5 min" */
function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${rest} s`;
}
