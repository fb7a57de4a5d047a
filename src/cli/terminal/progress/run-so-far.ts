import { isJudgement } from '../../../cell/verdict.js';
import type { Budget, TargetConfig } from '../../../config/config.js';
import { shareOfLimit } from '../../../config/share-of-limit.js';
import type { Finding } from '../../../decide/course.js';
import { courseCost } from '../../../decide/courses/courses.js';
import type { Exchange } from '../../../chat/exchange.js';
import type { RunEvent } from '../../../journal/event.js';
import type { Plan, Ticket } from '../../../plan/ticket.js';
import type { Spent } from '../../../run/budget-ledger.js';
import { type LastMinute, lastMinute } from './last-minute.js';
import { secondsLeft } from './time-left.js';

/** What progress has to know of a run. */
export interface RunFacts {
  readonly plan: Plan;
  readonly targets: readonly TargetConfig[];
  readonly budget: Budget;
  /** The part of limits and budget that this run may use, above 0 and up to 1. */
  readonly share: number;
  /** By target: equal for targets that a service counts together. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Of the run that this one continues: requests with their answers, and those whose answers are lost. */
  readonly recorded?: { readonly count: number; readonly lost: number };
}

/** What a target waits for: the limits per minute, or an answer that does not come. */
export interface Waiting {
  readonly target: string;
  readonly kind: 'rate_limit' | 'answer';
  readonly seconds: number;
}

/** How far a run is, at one moment. */
export interface Status {
  readonly cells: number;
  readonly planned: number;
  /** Answered, those of an interrupted run that this one continues included. */
  readonly requests: number;
  /** Sent before an interruption, and never answered: they count against the budget. */
  readonly lostRequests: number;
  /** Null: there is no limit. */
  readonly mostRequests: number | null;
  /** Sent in the last minute, or since the run began if that is less. */
  readonly perMinute: number;
  readonly elapsedSeconds: number;
  /** Seconds until everything is asked; null: nothing more is sent, or nothing is answered. */
  readonly left: number | null;
  /** Of tokens and cost. */
  readonly spent: readonly SpentOfBudget[];
  /** Cells that differ from the baseline as far as they are known. The report decides, over all cells together. */
  readonly deviations: number;
  readonly waiting: readonly Waiting[];
  /** Cells of which nothing, and cells of which only part was asked, because something stopped. */
  readonly notAsked: number;
  readonly partly: number;
}

export interface SpentOfBudget {
  readonly unit: 'tokens' | 'cost';
  readonly spent: number;
  /** null: there is no limit. */
  readonly limit: number | null;
}

export interface RunSoFar {
  /** Whether something happens now: it is not only read from the journal of the run that this one continues. */
  readonly isLive: (event: RunEvent) => boolean;
  /** Counts an event, in constant time. */
  readonly see: (event: RunEvent) => void;
  readonly watchBudget: (spending: () => Spent) => void;
  /** Without what takes time to work out. */
  readonly counts: () => Pick<Status, 'cells' | 'planned'>;
  readonly status: () => Status;
}

interface OpenCell {
  readonly ticket: Ticket;
  /** Requests of a trial. */
  readonly steps: number;
  /** Requests that it is still expected to take. */
  left: number;
  asked: boolean;
  /** Not only in the run that this one continues. */
  askedNow: boolean;
}

/** Keeps the counts of a run, and works out the rest only when somebody looks. */
export function runSoFar({
  plan,
  targets,
  budget,
  share,
  accounts,
  now,
  recorded = { count: 0, lost: 0 },
}: RunFacts): RunSoFar {
  const began = now();
  const beganAt = new Date(began).toISOString();
  const open = new Map<string, OpenCell>();
  const paces = new Map(targets.map(({ name }) => [name, targetSoFar(began)]));
  const perMinute = (at: number): number => {
    const answers = [...paces.values()].reduce((sum, { answered }) => sum + answered.within(at), 0);
    return (60 * answers) / Math.min(60, Math.max(1, (at - began) / 1000));
  };
  let spending: (() => Spent) | null = null;
  let stopped = false;
  const counts = { cells: 0, planned: 0, requests: recorded.count, deviations: 0, notAsked: 0, partly: 0 };

  const tokensEach = (): number => {
    const { requests, tokens } = spending?.() ?? { requests: 0, tokens: 0 };
    return requests === 0 ? 0 : tokens / requests;
  };
  const plans = (ticket: Ticket): void => {
    const { key, model } = ticket.cell;
    const steps = stepsAsked(ticket);
    const left = courseCost(ticket).expected * steps;
    const pace = paces.get(model.target);
    if (pace !== undefined) pace.left += left;
    open.set(key, { ticket, steps, left, asked: false, askedNow: false });
    counts.planned += 1;
  };
  for (const ticket of plan.tickets) plans(ticket);
  const reserve = new Map(plan.reserve.map(({ ticket }) => [ticket.cell.key, ticket]));

  const isNewExchange = ({ timing }: Exchange): boolean => timing.started_at >= beganAt;
  const seeExchange = ({ model, cell, exchange }: Extract<RunEvent, { type: 'exchange' }>): void => {
    // Answers of an interrupted run, which this one continues, are counted already and say nothing about its pace.
    const isNew = isNewExchange(exchange);
    if (isNew) counts.requests += 1;
    const own = cell === null ? undefined : open.get(cell);
    if (own !== undefined) {
      own.asked = true;
      own.askedNow ||= isNew;
    }
    const pace = paces.get(model.slice(0, model.indexOf('/')));
    if (pace === undefined || !isNew) return;
    pace.lastAnswer = now();
    pace.answered.count(pace.lastAnswer);
  };
  const limited = (target: string, seconds: number): void => {
    const pace = paces.get(target);
    if (pace !== undefined) pace.limitedUntil = now() + seconds * 1000;
  };
  /** Its repeated faults are not what was expected, and a trial that is refused still has to be answered. */
  const seeTrial = (cell: string): void => {
    const own = open.get(cell);
    const pace = own && paces.get(own.ticket.cell.model.target);
    if (own === undefined || pace === undefined) return;
    const ended = Math.min(own.steps, own.left);
    own.left -= ended;
    pace.left -= ended;
    if (own.askedNow) pace.ended.count(now(), own.steps);
  };
  const seeCell = ({ cell, finding, stop }: Extract<RunEvent, { type: 'cell' }>): void => {
    const own = open.get(cell);
    if (own === undefined) return;
    open.delete(cell);
    const pace = paces.get(own.ticket.cell.model.target);
    if (pace !== undefined) pace.left -= own.left;
    if (finding.verdict === 'not_run') counts.notAsked += 1;
    else {
      counts.cells += 1;
      if (stop !== undefined) counts.partly += 1;
    }
    if (deviates(own.ticket, finding)) counts.deviations += 1;
  };

  return {
    isLive: (event) =>
      event.type === 'exchange' ? isNewExchange(event.exchange) : event.type === 'waiting' || event.type === 'stopped',
    see(event) {
      switch (event.type) {
        case 'exchange':
          seeExchange(event);
          return;
        case 'cell':
          seeCell(event);
          return;
        case 'further':
          for (const key of event.cells) {
            const ticket = reserve.get(key);
            if (ticket !== undefined && !open.has(key)) plans(ticket);
          }
          return;
        case 'waiting':
          if (event.reason === 'rate_limit') limited(event.target, event.seconds);
          return;
        case 'stopped':
          stopped ||= event.stop.target === null;
          return;
        case 'run_finished':
          stopped = true;
          return;
        case 'trial':
          seeTrial(event.cell);
          return;
        case 'run_started':
        case 'model':
        case 'left_alone':
        case 'wire':
          return;
      }
    },
    watchBudget: (read) => {
      spending = read;
    },
    counts: () => counts,
    status() {
      const at = now();
      const left = stopped ? [] : [...open.values()];
      const begun = stopped ? [...open.values()].filter(({ asked }) => asked).length : 0;
      const waiting = stopped ? [] : [...paces].flatMap(([target, pace]) => waitingNow(at, target, pace));
      const nowOf = ({ left, ended, answered }: TargetSoFar) => ({
        ...{ left, ended: ended.within(at), answered: answered.within(at) },
      });
      const pacesNow = new Map([...paces].map(([target, pace]) => [target, nowOf(pace)]));
      const elapsedSeconds = (at - began) / 1000;
      return {
        ...counts,
        partly: counts.partly + begun,
        notAsked: counts.notAsked + (stopped ? open.size - begun : 0),
        perMinute: perMinute(at),
        elapsedSeconds,
        left:
          left.length === 0 || waiting.some(({ kind }) => kind === 'answer')
            ? null
            : secondsLeft(pacesNow, { targets, accounts, share, elapsedSeconds, tokensEach: tokensEach() }),
        lostRequests: recorded.lost,
        mostRequests: budget.requests === null ? null : shareOfLimit(budget.requests, share),
        spent: spentOf(budget, share, spending?.() ?? null),
        waiting,
      };
    },
  };
}

/** Times are in milliseconds since the epoch. */
interface TargetSoFar {
  /** Requests that are expected. */
  left: number;
  readonly ended: LastMinute;
  readonly answered: LastMinute;
  lastAnswer: number;
  limitedUntil: number;
}

const targetSoFar = (began: number): TargetSoFar => ({
  ...{ left: 0, ended: lastMinute(), answered: lastMinute(), lastAnswer: began, limitedUntil: began },
});

/** Seconds without an answer that are worth a word. */
const longSilence = 15;

function waitingNow(at: number, target: string, { left, lastAnswer, limitedUntil }: TargetSoFar): readonly Waiting[] {
  if (left === 0) return [];
  if (limitedUntil > at) return [{ target, kind: 'rate_limit', seconds: Math.ceil((limitedUntil - at) / 1000) }];
  const silence = (at - Math.max(lastAnswer, limitedUntil)) / 1000;
  return silence < longSilence ? [] : [{ target, kind: 'answer', seconds: Math.floor(silence) }];
}

/** Without retries, controls and what a surprise adds. */
function stepsAsked({ cell: { probe, unmeetable } }: Ticket): number {
  if (unmeetable !== null) return 0;
  return probe.enforce === null ? probe.steps.filter(({ kind }) => kind === 'ask').length : 1;
}

/** As far as the cell itself tells: over a whole run, luck is taken into account. */
function deviates({ expected, confirm }: Ticket, { verdict, surprise }: Finding): boolean {
  if (!isJudgement(verdict)) return false;
  if (surprise !== null || confirm) return surprise === 'confirmed';
  return expected.kind === 'entry' ? verdict === 'pass' : verdict !== 'pass';
}

function spentOf(budget: Budget, share: number, spent: Spent | null): readonly SpentOfBudget[] {
  if (spent === null) return [];
  return (['tokens', 'cost'] as const).flatMap((unit): SpentOfBudget[] => {
    const limit = budget[unit];
    if (limit === null && (unit !== 'cost' || spent.cost === 0)) return [];
    return [{ unit, spent: spent[unit], limit: limit === null ? null : limit * share }];
  });
}
