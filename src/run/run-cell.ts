import pLimit from 'p-limit';
import type { Verdict } from '../cell/verdict.js';
import type { Exchange } from '../chat/exchange.js';
import type { Course, Finding, RecordedTrial, Trial } from '../decide/course.js';
import { findingOf } from '../decide/finding.js';
import { causeIn } from '../decide/law.js';
import { NotSent } from '../decide/trial/trial.js';
import { ChatspecError } from '../errors/chatspec-error.js';
import type { RunEvent, StopReason } from '../journal/event.js';
import { unjudgedOutcome, type Outcome } from '../judge/outcome.js';
import { requestsAtOnce, type Ask, type CourseName, type Send, type Ticket } from '../plan/ticket.js';
import { newTrial, type NotRequested, type Requester } from './retry-policy.js';
import type { Group } from './scheduler.js';
import type { ModelState } from './target-state.js';
import { parsedJson, writtenJson } from '../json/json-text.js';

interface CellOptions {
  readonly request: Requester;
  readonly courses: Readonly<Record<CourseName, Course>>;
  readonly trial: Trial;
  readonly emit: (event: RunEvent) => Promise<void>;
  /** Where a run is judged again: what it asked of a cell, and nobody has asked for yet. */
  readonly asksLeft: ((cell: string) => readonly Ask[]) | null;
  /**
   * Whether the journal may hold more of a cell than was asked for yet: it is read to its end, whatever others prove.
   */
  readonly mayBeRecorded: (cell: string) => boolean;
  /** Of the cells of the model. */
  readonly proof: ReturnType<typeof sharedProof>;
}

/**
 * How a trial ended: with an outcome, or because one of its requests was not sent. A long batch keeps one for each
 * trial, so an outcome is kept as it is: wrapping it would double the memory of a trial.
 */
type TrialEnd = Outcome | NotRequested;

const isMissing = (end: TrialEnd): end is NotRequested => 'stop' in end;

/**
 * Runs the course of one cell, and its trials. When nothing more is sent, the course still gets every outcome
 * there is, even those after a missing one, so that no observed failure is lost. It concludes from what it has.
 */
export async function runCell(ticket: Ticket, state: ModelState, options: CellOptions): Promise<Finding> {
  const exchanges = new Set<string>();
  const course = options.courses[ticket.course](ticket);
  const compact = compactOutcomes(ticket.cell.probe.enforce !== null);
  let stop: StopReason | null = null;
  const seen: Outcome[] = [];
  const limited = pLimit(state.target.config.limits.concurrency);
  const recorded: RecordedTrial[] = [];
  const { key } = ticket.cell;
  const isProved = async (): Promise<boolean> =>
    !options.mayBeRecorded(key) && (await options.proof.isProved(key, causeIn(ticket, seen)));
  let turn = course.next();
  while (turn.done !== true) {
    const asks = turn.value;
    if (await isProved()) {
      turn = course.next(asks.map(() => undefined));
      continue;
    }
    const trials = await limited.map(asks, async (ask) => {
      const { end, ids } = await runTrial(ask, ticket, state, options);
      return { end: isMissing(end) ? end : compact(end), ids };
    });
    for (const id of trials.flatMap(({ ids }) => ids)) exchanges.add(id);
    const ends = trials.map(({ end }) => end);
    const outcomes = ends.map((end) => (isMissing(end) ? undefined : end));
    stop ??= ends.find(isMissing)?.stop ?? null;
    for (const outcome of outcomes) if (outcome !== undefined) seen.push(outcome);
    if (options.asksLeft !== null) {
      for (const [index, ask] of asks.entries()) {
        const outcome = outcomes[index];
        if (outcome !== undefined) recorded.push({ ask, outcome });
      }
    }
    turn = course.next(outcomes);
  }
  // Any other course asks for the same trials, whatever the baseline says.
  const asksByBaseline = ticket.course === 'find' || ticket.course === 'enforce';
  const left = stop === null || !asksByBaseline ? [] : (options.asksLeft?.(key) ?? []);
  let further = 0;
  for (const ask of left) {
    const { end, ids } = await runTrial(ask, ticket, state, options);
    for (const id of ids) exchanges.add(id);
    if (isMissing(end)) continue;
    further += 1;
    recorded.push({ ask, outcome: compact(end) });
  }
  const concluded = further === 0 ? turn.value : concludedFrom(options.courses[ticket.course](ticket, recorded));
  const finding =
    stop !== null && seen.length + further === 0
      ? notAskedBecause(stop, concluded.needed || leastTrials(ticket))
      : concluded;
  const cause = causeIn(ticket, seen);
  if (finding.doubtOutcome === 'confirmed' && cause !== null) options.proof.proved(cause);
  await options.emit({ type: 'cell', cell: key, finding, exchanges, ...(stop === null ? {} : { stop }) });
  return finding;
}

/** What a course concludes that gets no further trial. */
function concludedFrom(course: ReturnType<Course>): Finding {
  for (let turn = course.next(); ; turn = course.next(turn.value.map(() => undefined))) {
    if (turn.done === true) return turn.value;
  }
}

/** Asks a trial once more, only to see its wire: it counts neither for the verdict of its cell nor as a failure. */
export async function runFreshTrial(
  ask: Ask,
  ticket: Ticket,
  state: ModelState,
  options: CellOptions,
): Promise<Outcome | null> {
  const emit: CellOptions['emit'] = async (event) => {
    if (event.type !== 'trial') return options.emit(event);
    const { cell, outcome, exchanges } = event;
    await options.emit({ type: 'wire', cell, outcome, exchanges });
  };
  const { end } = await runTrial(ask, ticket, state, { ...options, emit });
  return isMissing(end) || end.fault ? null : end;
}

type TrialTurn = ReturnType<ReturnType<Trial>['next']>;

/** No answer ends a run: a trial that breaks on one ends with a fault of chatspec's own. */
function judged(trial: ReturnType<Trial>, exchange: Exchange): TrialTurn {
  try {
    return trial.next(exchange);
  } catch (error) {
    if (error instanceof ChatspecError) throw error;
    return { done: true, value: unjudgedOutcome(error, exchange.answer.status) };
  }
}

interface TrialRun {
  readonly end: TrialEnd;
  readonly ids: readonly string[];
}

/**
 * Runs a trial when one that waits for its first request to go has gone. Under load, a trial is several of the same
 * probe at the same moment, and the first that fails decides.
 */
async function runTrial(ask: Ask, ticket: Ticket, state: ModelState, options: CellOptions): Promise<TrialRun> {
  const size = requestsAtOnce(ticket.cell);
  if (size > 1) return runGroup(ask, size, ticket, state, options);
  const leave = await new Promise<() => void>((enter) => {
    void state.entrance(() => new Promise<void>(enter));
  });
  return runEntered(ask, ticket, state, { ...options, underWay: leave }).finally(leave);
}

async function runGroup(
  ask: Ask,
  size: number,
  ticket: Ticket,
  state: ModelState,
  options: CellOptions,
): Promise<TrialRun> {
  const group: Group = { size };
  const emit: CellOptions['emit'] = (event) => (event.type === 'trial' ? Promise.resolve() : options.emit(event));
  const members = await Promise.all(
    Array.from({ length: size }, (_, index) =>
      runEntered({ ...ask, sample: ask.sample * size + index }, ticket, state, { ...options, emit, group }),
    ),
  );
  const ids = members.flatMap((one) => one.ids);
  const { end } = members.reduce((first, one) => (endRank(one) < endRank(first) ? one : first));
  if (!isMissing(end)) await options.emit({ type: 'trial', cell: ticket.cell.key, ask, outcome: end, exchanges: ids });
  return { end, ids };
}

/** What a group ends with is what ranks lowest among its members: a failure, then a missing end, then a fault. */
function endRank({ end }: TrialRun): number {
  if (isMissing(end)) return 1;
  if (end.fault) return 2;
  return end.passed ? 3 : 0;
}

async function runEntered(
  ask: Ask,
  ticket: Ticket,
  state: ModelState,
  options: CellOptions & { readonly underWay?: () => void; readonly group?: Group },
): Promise<TrialRun> {
  const { key, model } = ticket.cell;
  const trial = options.trial(ticket, ask);
  const ids: string[] = [];
  const soFar = newTrial('cell', options.underWay, options.group);
  /** A function of its own, because a loop that waits would keep the last answer in memory. */
  const afterAsking = async (send: Send): Promise<TrialTurn | NotRequested> => {
    const result = await options.request.ask(state, { model: model.key, cell: key, ask, send }, soFar);
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
 * What a course keeps of the outcomes of its trials: no reply, no value and nothing of the wire, so that answers of
 * megabytes are let go.
 * @param readsReplies the course looks at replies and violations (as `enforce` does): it keeps what the judge has told
 * of them, and an outcome that tells nothing whole
 */
function compactOutcomes(readsReplies: boolean): (outcome: Outcome) => Outcome {
  return (outcome) => {
    if (readsReplies && !outcome.fault && outcome.compared === undefined) return outcome;
    const violations = readsReplies ? outcome.violations : [];
    // Parsed again from its text, since a slice of a string keeps the whole reply in memory that it was cut from.
    const text = writtenJson({ ...outcome, wire: [], reply: null, violations, value: undefined });
    return { value: undefined, ...(parsedJson(text) as Omit<Outcome, 'value'>) };
  };
}

/**
 * The finding of a cell without trials.
 * @param needed trials that would have been needed to decide
 * @param control what the failed control showed, if that is the reason
 */
export function unaskedFinding(
  verdict: Extract<Verdict, 'inconclusive' | 'blocked' | 'not_run'>,
  detail: string | null,
  needed: number,
  control: Pick<Outcome, 'class' | 'reason' | 'status'> | null = null,
): Finding {
  const { class: failure = null, reason = null, status = null } = control ?? {};
  return { ...findingOf([], needed), verdict, class: failure, reason, status, detail };
}

/** The finding of a cell of which nothing was asked before something stopped. */
export function notAskedBecause(stop: StopReason, needed: number): Finding {
  if (stop.kind !== 'unanswered') return unaskedFinding('not_run', null, needed);
  const what = stop.answered === 0 ? 'answers nothing' : 'stopped answering';
  return unaskedFinding('inconclusive', `the model ${what}: ${stop.detail ?? 'no answer'}`, needed, stop);
}

/** The least number of trials that the ticket asks for. */
export function leastTrials({ trials }: Ticket): number {
  return trials.kind === 'count' ? trials.count : 1;
}

/**
 * Of the cells of a model that fail alike, one is asked until it is an alarm; the others wait, and are asked no further
 * if it is. What this saves depends on the order of the run, what the run concludes does not: that follows from the
 * findings.
 */
interface SharedProof {
  /**
   * Resolves when the cell has to be asked on, to false, or when another has proved its cause, to true.
   * @param cause null: it shows none that it may share
   */
  readonly isProved: (cell: string, cause: string | null) => Promise<boolean>;
  /** A cell of this cause is an alarm. */
  readonly proved: (cause: string) => void;
  /** Nothing more is asked of it. */
  readonly left: (cell: string) => void;
}

export function sharedProof(): SharedProof {
  const certain = new Set<string>();
  /** The cell that is asked on, by cause. */
  const provers = new Map<string, string>();
  let waiting: (() => void)[] = [];
  const left = (cell: string): void => {
    for (const [cause, prover] of provers) if (prover === cell) provers.delete(cause);
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  };
  return {
    left,
    async isProved(cell, cause) {
      if (cause !== null && provers.get(cause) === cell) return false;
      left(cell);
      if (cause === null) return false;
      while (provers.has(cause)) await new Promise<void>((go) => waiting.push(go));
      if (certain.has(cause)) return true;
      provers.set(cause, cell);
      return false;
    },
    proved: (cause) => void certain.add(cause),
  };
}
