import { isJudgement } from '../../../cell/verdict.js';
import type { Budget, TargetConfig } from '../../../config/config.js';
import { shareOfLimit } from '../../../config/share-of-limit.js';
import type { Finding } from '../../../decide/course.js';
import { courseCost } from '../../../decide/courses/courses.js';
import type { Exchange } from '../../../chat/exchange.js';
import type { RunEvent } from '../../../journal/event.js';
import type { Plan, Ticket } from '../../../plan/ticket.js';
import type { Spent } from '../../../run/limits/budget-ledger.js';
import { lastMinute } from './last-minute.js';
import { type ModelSoFar, modelSoFar } from './model-so-far.js';
import { timeLeft, type TimeLeft } from './time-left.js';
import { type Wait, type Waiting, waitingNow } from './waits.js';

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
  /** Until everything is asked; null: nothing more is sent. */
  readonly left: TimeLeft | null;
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
  const configs = new Map(targets.map((target) => [target.name, target]));
  const open = new Map<string, OpenCell>();
  const models = new Map<string, ModelSoFar>();
  const waits = new Map<string, Wait>();
  const lastAnswer = new Map<string, number>();
  const minutes = new Map(targets.map(({ name }) => [name, lastMinute()]));
  const perMinute = (at: number): number => {
    const answers = [...minutes.values()].reduce((sum, minute) => sum + minute.within(at), 0);
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
    const { concurrency = 1 } = configs.get(model.target)?.limits ?? {};
    const most = Math.min(model.concurrency ?? Infinity, concurrency);
    const soFar = models.get(model.key) ?? modelSoFar(model.target, most);
    soFar.cells += 1;
    soFar.left += left;
    models.set(model.key, soFar);
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
    const soFar = models.get(model);
    const own = cell === null ? undefined : open.get(cell);
    if (own !== undefined) {
      own.asked = true;
      own.askedNow ||= isNew;
    }
    if (soFar === undefined || !isNew) return;
    const at = now();
    soFar.answered(exchange, at, cell === null);
    lastAnswer.set(soFar.target, at);
    minutes.get(soFar.target)?.count(at);
  };
  /** Its repeated faults are not what was expected, and a trial that is refused still has to be answered. */
  const seeTrial = (cell: string): void => {
    const own = open.get(cell);
    const soFar = own && models.get(own.ticket.cell.model.key);
    if (own === undefined || soFar === undefined) return;
    const ended = Math.min(own.steps, own.left);
    own.left -= ended;
    soFar.left -= ended;
    if (own.askedNow) soFar.ended(own.steps, now());
  };
  const seeCell = ({ cell, finding, stop }: Extract<RunEvent, { type: 'cell' }>): void => {
    const own = open.get(cell);
    if (own === undefined) return;
    open.delete(cell);
    const soFar = models.get(own.ticket.cell.model.key);
    if (soFar !== undefined) {
      soFar.cells -= 1;
      soFar.left -= own.left;
    }
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
          waits.set(event.target, { reason: event.reason, until: now() + event.seconds * 1000 });
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
      const waiting = stopped ? [] : waitingNow(at, { began, models, waits, lastAnswer });
      return {
        ...counts,
        partly: counts.partly + begun,
        notAsked: counts.notAsked + (stopped ? open.size - begun : 0),
        perMinute: perMinute(at),
        elapsedSeconds: (at - began) / 1000,
        left:
          left.length === 0
            ? null
            : timeLeft(at, { began, models, waits, minutes, tokensEach: tokensEach(), targets, share, accounts }),
        lostRequests: recorded.lost,
        mostRequests: budget.requests === null ? null : shareOfLimit(budget.requests, share),
        spent: spentOf(budget, share, spending?.() ?? null),
        waiting,
      };
    },
  };
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
