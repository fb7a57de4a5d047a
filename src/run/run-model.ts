import pLimit from 'p-limit';
import { withoutModel } from '../cell/cell-key.js';
import type { Finding } from '../decide/course.js';
import { mostFreshTrials } from '../decide/wire/fresh-exchanges.js';
import { ChatspecError } from '../errors/chatspec-error.js';
import type { StopReason } from '../journal/event.js';
import { unreachedWords } from '../judge/outcome.js';
import type { Ticket } from '../plan/ticket.js';
import { openByControl } from './circuit-breaker.js';
import type { DriveOptions } from './drive-options.js';
import { leastTrials, unaskedFinding, notAskedBecause, runCell, runFreshTrial, sharedProof } from './run-cell.js';
import type { ModelState } from './target-state.js';

/** Cells of a model that are open at once, per request that it may have in flight; more than one, as some wait. */
const cellsPerRequest = 2;
/** At least so many, since a cell that takes many trials shows it only when some were answered. */
const leastOpen = 10;

type ModelOptions = Omit<Parameters<typeof runCell>[2], 'proof'> &
  Parameters<typeof openByControl>[2] &
  Pick<DriveOptions, 'further' | 'watchWire'> & {
    readonly failed: (error: Error) => void;
    /** A recorded control that failed is sent again: the recorded run had ended. */
    readonly askAgain: boolean;
  };

/** A finding without asking. */
interface Concluded {
  readonly finding: Finding;
  readonly exchanges?: readonly string[];
  readonly stop?: StopReason;
}

/**
 * Runs all cells of one model: first the control, then each cell as soon as the cells it needs have passed, if only
 * sometimes, and finally the cells that settle remaining doubts.
 */
export async function runModel(tickets: readonly Ticket[], state: ModelState, options: ModelOptions): Promise<void> {
  const report =
    (cell: string | null) =>
    (thrown: unknown): never => {
      const error = runError(thrown, cell);
      options.failed(error);
      throw error;
    };
  const askable = tickets.some(({ cell }) => cell.unmeetable === null);
  const opening = askable
    ? await openByControl(state, options.request, options, options.askAgain).catch(report(null))
    : null;
  if (opening !== null && opening.kind !== 'missing') {
    const reachable = opening.kind === 'reachable';
    await options.emit({ type: 'model', model: state.model.key, reachable, outcome: opening.outcome });
  }
  const watch = options.watchWire?.(state.model.key, tickets);
  if (opening?.kind === 'reachable') watch?.addControl(opening.outcome);
  const most = Math.max(leastOpen, cellsPerRequest * state.target.config.limits.concurrency);
  const open = pLimit(most);
  const byKey = new Map(tickets.map((ticket) => [ticket.cell.key, ticket]));
  const findings = new Map<string, Promise<Finding>>();
  const concluded = new Map<string, Finding>();
  const planned = new Set(byKey.keys());
  const path = new Set<string>();
  const proof = sharedProof();

  // A cell beyond the plan that was not asked is not missing: only planned cells are reported as not run.
  const emit: typeof options.emit = (event) => {
    if (event.type === 'trial') watch?.addTrial(event.cell, event.ask, event.outcome);
    const unplanned = event.type === 'cell' && event.finding.verdict === 'not_run' && !planned.has(event.cell);
    return unplanned ? Promise.resolve() : options.emit(event);
  };
  const conclude = async ({ cell }: Ticket, { finding, exchanges = [], stop }: Concluded): Promise<Finding> => {
    await emit({ type: 'cell', cell: cell.key, finding, exchanges, ...(stop === undefined ? {} : { stop }) });
    return finding;
  };
  const find = async (ticket: Ticket, needs: readonly (readonly [string, Promise<Finding>])[]): Promise<Finding> => {
    const { unmeetable } = ticket.cell;
    if (unmeetable !== null) return conclude(ticket, { finding: unaskedFinding('blocked', unmeetable, 0) });
    const withoutAsking = opening === null ? null : concludedBy(opening, ticket);
    if (withoutAsking !== null) return conclude(ticket, withoutAsking);
    for (const [key, need] of needs) {
      const unmet = unmetNeedReason(key, await need);
      if (unmet !== null) return conclude(ticket, { finding: unaskedFinding('blocked', unmet, 0) });
    }
    const { key } = ticket.cell;
    return open(() => runCell(ticket, state, { ...options, emit, proof }).finally(() => proof.left(key))).catch(
      report(key),
    );
  };
  const findingOf = (ticket: Ticket): Promise<Finding> => {
    const { key, needs } = ticket.cell;
    const begun = findings.get(key);
    if (begun !== undefined) return begun;
    if (path.has(key)) return Promise.resolve(unaskedFinding('blocked', 'needs itself', 0));
    path.add(key);
    const needed = needs.map((need) => [need, neededFinding(need)] as const);
    path.delete(key);
    const finding = find(ticket, needed).then((found) => {
      concluded.set(key, found);
      state.workload.concluded(key);
      return found;
    });
    findings.set(key, finding);
    return finding;
  };
  const neededFinding = (key: string): Promise<Finding> => {
    const ticket = byKey.get(key);
    return ticket === undefined ? Promise.resolve(unaskedFinding('not_run', null, 0)) : findingOf(ticket);
  };

  const pathFrom = ({ cell }: Ticket): number => state.workload.pathFrom(cell.key);
  const runAll = async (all: readonly Ticket[]): Promise<void> => {
    state.workload.plan(all);
    const longestFirst = all.toSorted((a, b) => pathFrom(b) - pathFrom(a));
    const results = await Promise.allSettled(longestFirst.map((ticket) => findingOf(ticket)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  };

  await runAll(tickets);
  const further = (): readonly Ticket[] => options.further?.(state.model.key, concluded) ?? [];
  for (let more = further(); more.length > 0; more = further()) {
    await options.emit({ type: 'further', model: state.model.key, cells: more.map(({ cell }) => cell.key) });
    await runAll(more);
  }
  for (let asked = 0; asked < mostFreshTrials; asked += 1) {
    const fresh = watch?.next() ?? null;
    if (fresh === null) break;
    const { key } = fresh.ticket.cell;
    const outcome = await runFreshTrial(fresh.ask, fresh.ticket, state, { ...options, proof }).catch(report(key));
    if (outcome === null) break;
    watch?.addTrial(key, fresh.ask, outcome);
  }
}

/** The finding of a cell whose model cannot be asked; null when it can. */
function concludedBy(opening: Awaited<ReturnType<typeof openByControl>>, ticket: Ticket): Concluded | null {
  switch (opening.kind) {
    case 'reachable':
      return null;
    case 'missing':
      return { finding: notAskedBecause(opening.stop, leastTrials(ticket)), stop: opening.stop };
    case 'unreachable': {
      const { outcome, exchanges } = opening;
      const detail = `the model ${unreachedWords(outcome)}${outcome.detail === null ? '' : `: ${outcome.detail}`}`;
      return { finding: unaskedFinding('inconclusive', detail, leastTrials(ticket), outcome), exchanges };
    }
  }
}

/**
 * Why a need is not met; null when it is. One that passes only sometimes is met: whether a failure of the cell is more
 * than the need's own is judged when the report is made.
 */
function unmetNeedReason(key: string, { verdict }: Finding): string | null {
  return verdict === 'pass' || verdict === 'flaky' ? null : `${withoutModel(key)} ${unmetWords[verdict]}`;
}

const unmetWords = {
  fail: 'fails',
  inconclusive: 'could not be judged',
  blocked: 'is skipped itself',
  not_run: 'was not asked',
} as const;

/** A bug in chatspec: a course, a trial or a reporter threw. The run ends, and no verdict rests on it. */
export class InternalError extends ChatspecError {
  readonly kind = 'internal';
  constructor(
    readonly cell: string | null,
    cause: unknown,
  ) {
    const what = cause instanceof Error ? cause.message : String(cause);
    super(`${cell === null ? 'the run' : cell} could not be continued: ${what}`, { cause });
  }
}

/** Turns anything that was thrown during a run into an error of ours; what is not one yet is a bug at this cell. */
export function runError(error: unknown, cell: string | null): ChatspecError {
  return error instanceof ChatspecError ? error : new InternalError(cell, error);
}
