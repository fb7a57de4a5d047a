import pLimit from 'p-limit';
import type { Finding } from '../decide/course.js';
import type { Ticket } from '../plan/ticket.js';
import { openingControl, type ControlOptions, type Opening } from './opening-control.js';
import type { DriveOptions } from './drive-options.js';
import type { ModelLane } from './target-state.js';
import { leastTrials, notAsked } from './not-asked.js';
import { runCell, type CellOptions } from './run-cell.js';
import { runError } from './run-error.js';

/** Cells of a model that are open at the same time, for each request that may be in flight: some will be waiting. */
const cellsPerRequest = 2;

export type ModelOptions = CellOptions &
  ControlOptions &
  Pick<DriveOptions, 'further'> & { readonly failed: (error: Error) => void };

/**
 * All cells of one model: the control first, then each cell as soon as what it needs has passed, and at the end what
 * settles the doubts that are left.
 */
export async function runModel(tickets: readonly Ticket[], lane: ModelLane, options: ModelOptions): Promise<void> {
  const rethrown =
    (cell: string | null) =>
    (error: unknown): never => {
      const speaking = runError(error, cell);
      options.failed(speaking);
      throw speaking;
    };
  const askable = tickets.some(({ cell }) => cell.skip === null);
  const opening = askable ? await openingControl(lane, options).catch(rethrown(null)) : null;
  if (opening !== null && opening.kind !== 'missing') {
    const reachable = opening.kind === 'reachable';
    await options.emit({ type: 'model', model: lane.model.key, reachable, outcome: opening.outcome });
  }
  const open = pLimit(cellsPerRequest * lane.slots.room());
  const byKey = new Map(tickets.map((ticket) => [ticket.cell.key, ticket]));
  const findings = new Map<string, Promise<Finding>>();
  const concluded = new Map<string, Finding>();
  const planned = new Set(byKey.keys());
  const path = new Set<string>();

  // What nobody planned is no gap when nothing more is sent.
  const emit: typeof options.emit = async (event) => {
    const isNoGap = event.type === 'cell' && event.finding.verdict === 'not_run' && !planned.has(event.cell);
    if (!isNoGap) await options.emit(event);
  };
  const conclude = async (ticket: Ticket, finding: Finding, exchanges: readonly string[] = []): Promise<Finding> => {
    await emit({ type: 'cell', cell: ticket.cell.key, finding, exchanges });
    return finding;
  };
  const find = async (ticket: Ticket, needs: readonly (readonly [string, Promise<Finding>])[]): Promise<Finding> => {
    const { skip } = ticket.cell;
    if (skip !== null) return conclude(ticket, notAsked('not_run', skip, 0));
    const closed = opening === null ? null : withoutAsking(opening, ticket);
    if (closed !== null) return conclude(ticket, closed.finding, closed.exchanges);
    for (const [key, need] of needs) {
      const unmet = said(key, await need);
      if (unmet !== null) return conclude(ticket, notAsked('blocked', unmet, 0));
    }
    return open(() => runCell(ticket, lane, { ...options, emit })).catch(rethrown(ticket.cell.key));
  };
  const findingOf = (ticket: Ticket): Promise<Finding> => {
    const { key, needs } = ticket.cell;
    const begun = findings.get(key);
    if (begun !== undefined) return begun;
    if (path.has(key)) return Promise.resolve(notAsked('blocked', 'needs itself', 0));
    path.add(key);
    const needed = needs.map((need) => [need, neededFinding(need)] as const);
    path.delete(key);
    const finding = find(ticket, needed).then((found) => {
      concluded.set(key, found);
      return found;
    });
    findings.set(key, finding);
    return finding;
  };
  const neededFinding = (key: string): Promise<Finding> => {
    const ticket = byKey.get(key);
    return ticket === undefined ? Promise.resolve(notAsked('not_run', null, 0)) : findingOf(ticket);
  };

  const askAll = async (asked: readonly Ticket[]): Promise<void> => {
    const all = await Promise.allSettled(asked.map((ticket) => findingOf(ticket)));
    for (const one of all) if (one.status === 'rejected') throw one.reason;
  };

  await askAll(tickets);
  const further = (): readonly Ticket[] => options.further?.(lane.model.key, concluded) ?? [];
  for (let more = further(); more.length > 0; more = further()) {
    await options.emit({ type: 'further', model: lane.model.key, cells: more.map(({ cell }) => cell.key) });
    await askAll(more);
  }
}

/** The finding of a cell whose model cannot be asked; null when it can. */
function withoutAsking(
  opening: Opening,
  ticket: Ticket,
): { readonly finding: Finding; readonly exchanges: readonly string[] } | null {
  switch (opening.kind) {
    case 'reachable':
      return null;
    case 'missing':
      return { finding: notAsked('not_run', opening.why, leastTrials(ticket)), exchanges: [] };
    case 'unreachable': {
      const { outcome, exchanges } = opening;
      const detail = `the model cannot be reached${outcome.detail === null ? '' : `: ${outcome.detail}`}`;
      return { finding: notAsked('inconclusive', detail, leastTrials(ticket), outcome), exchanges };
    }
  }
}

/** Why a need is not met; null when it is. */
function said(key: string, { verdict }: Finding): string | null {
  switch (verdict) {
    case 'pass':
      return null;
    case 'fail':
      return `needs ${key}, which failed`;
    case 'flaky':
      return `needs ${key}, which passes only sometimes`;
    case 'inconclusive':
      return `needs ${key}, which could not be judged`;
    case 'blocked':
      return `needs ${key}, which is blocked itself`;
    case 'not_run':
      return `needs ${key}, which was not run`;
  }
}
