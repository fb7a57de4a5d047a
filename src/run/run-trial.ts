import type { Exchange } from '../chat/exchange.js';
import type { Trial } from '../decide/course.js';
import { NotSent } from '../decide/trial/trial.js';
import { ChatspecError } from '../errors/chatspec-error.js';
import { parsedJson, writtenJson } from '../json/json.js';
import { unjudgedOutcome, type Outcome } from '../judge/outcome.js';
import { requestsAtOnce, type Ask, type Send, type PlannedCell } from '../plan/plan.js';
import type { EmitEvent } from './drive-options.js';
import type { NotRequested, Requester } from './requester.js';
import { createRequestGroup, type RequestGroup } from './scheduler.js';
import type { ModelState } from './target-state.js';
import { createTrialHistory } from './trial-history.js';

type CellTrial = ReturnType<Trial>;

export interface TrialRunOptions {
  readonly request: Requester;
  readonly trial: CellTrial;
  readonly emit: EmitEvent;
}

/**
 * The end of a trial: an outcome, or one of its requests was not sent. A long batch keeps one for each
 * trial, so an outcome is kept as it is: wrapping it would double the memory of a trial.
 */
export type TrialEnd = Outcome | NotRequested;

export const isMissing = (end: TrialEnd): end is NotRequested => 'stop' in end;

type TrialTurn = ReturnType<ReturnType<CellTrial>['next']>;

/** No answer ends a run: a trial that breaks on one ends with a fault of chatspec's own. */
function judged(trial: ReturnType<CellTrial>, exchange: Exchange): TrialTurn {
  try {
    return trial.next(exchange);
  } catch (error) {
    if (error instanceof ChatspecError) throw error;
    return { done: true, value: unjudgedOutcome(error, exchange.answer.status) };
  }
}

export interface TrialRun {
  readonly end: TrialEnd;
  readonly ids: readonly string[];
}

/**
 * Runs a trial when one that waits for its first request to go has gone. Under load, a trial is several of the same
 * probe at the same moment, and the first that fails decides.
 */
export async function runTrial(
  ask: Ask,
  planned: PlannedCell,
  state: ModelState,
  options: TrialRunOptions,
): Promise<TrialRun> {
  const size = requestsAtOnce(planned.cell);
  if (size > 1) return runGroup(ask, size, planned, state, options);
  const leave = await new Promise<() => void>((enter) => {
    void state.entrance(() => new Promise<void>(enter));
  });
  return runEntered(ask, planned, state, { ...options, underWay: leave }).finally(leave);
}

async function runGroup(
  ask: Ask,
  size: number,
  planned: PlannedCell,
  state: ModelState,
  options: TrialRunOptions,
): Promise<TrialRun> {
  const group = createRequestGroup(size);
  const emit: TrialRunOptions['emit'] = (event) => (event.type === 'trial' ? Promise.resolve() : options.emit(event));
  const members = await Promise.all(
    Array.from({ length: size }, (_, index) =>
      runEntered({ ...ask, sample: ask.sample * size + index }, planned, state, { ...options, emit, group }),
    ),
  );
  const ids = members.flatMap((one) => one.ids);
  const { end } = members.reduce((first, one) => (endRank(one) < endRank(first) ? one : first));
  if (!isMissing(end)) await options.emit({ type: 'trial', cell: planned.cell.key, ask, outcome: end, exchanges: ids });
  return { end, ids };
}

/** A group ends as its lowest member does: a failure ranks lowest, then a missing end, then a fault. */
function endRank({ end }: TrialRun): number {
  if (isMissing(end)) return 1;
  if (end.fault) return 2;
  return end.passed ? 3 : 0;
}

async function runEntered(
  ask: Ask,
  planned: PlannedCell,
  state: ModelState,
  options: TrialRunOptions & { readonly underWay?: () => void; readonly group?: RequestGroup },
): Promise<TrialRun> {
  const { key, model } = planned.cell;
  const trial = options.trial(ask);
  const ids: string[] = [];
  const history = createTrialHistory('cell', options.underWay, options.group);
  /** A function of its own, because a loop that waits would keep the last answer in memory. */
  const afterAsking = async (send: Send): Promise<TrialTurn | NotRequested> => {
    const result = await options.request.ask(state, { model: model.key, cell: key, ask, send }, history);
    if (result.kind === 'missing') {
      // The outcome does not depend on the client's retry, which is measured beside it.
      return send.purpose === 'retry' ? trial.throw(new NotSent()) : result;
    }
    ids.push(result.id);
    return judged(trial, result.exchange);
  };
  state.trials.began();
  const finish = async (): Promise<TrialEnd> => {
    let turn = trial.next();
    while (turn.done !== true) {
      const next = await afterAsking(turn.value);
      if ('stop' in next) return next;
      turn = next;
    }
    return turn.value;
  };
  const outcome = await finish().finally(() => state.trials.ended());
  if (isMissing(outcome)) return { end: outcome, ids };
  await options.emit({ type: 'trial', cell: key, ask, outcome, exchanges: ids });
  return { end: outcome, ids };
}

/**
 * The part of an outcome that a course keeps: no reply, no value and nothing of the wire, so that answers of
 * megabytes are let go.
 * @param readsReplies the course looks at replies and violations (as `enforce` does): where the judge has compared
 * them, it keeps the violations, and where not, the whole outcome
 */
export function compactOutcome(outcome: Outcome, readsReplies: boolean): Outcome {
  if (readsReplies && !outcome.fault && outcome.compared === undefined) return outcome;
  const violations = readsReplies ? outcome.violations : [];
  // Parsed again from its text, since a slice of a string keeps the whole reply in memory that it was cut from.
  const text = writtenJson({ ...outcome, wire: [], reply: null, violations, value: undefined });
  return { value: undefined, ...(parsedJson(text) as Omit<Outcome, 'value'>) };
}
