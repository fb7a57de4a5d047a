import pLimit from 'p-limit';
import type { Course, Finding, RecordedTrial, Trial } from '../decide/course.js';
import { causeIn } from '../decide/law.js';
import type { StopReason } from '../journal/event.js';
import type { Outcome } from '../judge/outcome.js';
import type { Ask, CourseName, PlannedCell } from '../plan/plan.js';
import { compactOutcome, isMissing, runTrial, type TrialRun, type TrialRunOptions } from './run-trial.js';
import type { SharedProof } from './shared-proof.js';
import type { ModelState } from './target-state.js';
import { leastTrials } from '../decide/courses/sample.js';
import { notAskedBecause } from './unasked-finding.js';

export interface CellOptions extends Omit<TrialRunOptions, 'trial'> {
  readonly trial: Trial;
  readonly courses: Readonly<Record<CourseName, Course>>;
  /** The asks of a cell that nobody has asked for yet, where a run is judged again; null: it is not. */
  readonly asksLeft: ((cell: string) => readonly Ask[]) | null;
  /**
   * Whether the journal may hold more of a cell than was asked for yet: it is read to its end, whatever others prove.
   */
  readonly mayBeRecorded: (cell: string) => boolean;
  /** Of the cells of the model. */
  readonly proof: SharedProof;
}

/** Options of one cell, with its own trials. */
type OpenedCellOptions = Omit<CellOptions, 'trial'> & TrialRunOptions;

/** The trials of a cell so far. */
interface CellSoFar {
  readonly outcomes: Outcome[];
  readonly recorded: RecordedTrial[];
  /** Ids. */
  readonly exchanges: Set<string>;
  /** The reason why a trial was not asked; null: each was. */
  stop: StopReason | null;
}

/**
 * Runs the course of one cell, and its trials. When nothing more is sent, the course still gets every outcome
 * there is, even those after a missing one, so that no observed failure is lost. It concludes from what it has.
 */
export async function runCell(planned: PlannedCell, state: ModelState, given: CellOptions): Promise<Finding> {
  const { key } = planned.cell;
  const options: OpenedCellOptions = { ...given, trial: given.trial(planned) };
  const soFar: CellSoFar = { outcomes: [], recorded: [], exchanges: new Set(), stop: null };
  const ofCourse = await runCourse(planned, state, options, soFar);
  const further = await runRecordedTrials(planned, state, options, soFar);
  const concluded = further === 0 ? ofCourse : concludedFrom(options.courses[planned.course](planned, soFar.recorded));
  const { stop, outcomes, exchanges } = soFar;
  const isAsked = stop === null || outcomes.length + further > 0;
  const finding = isAsked ? concluded : notAskedBecause(stop, concluded.needed || leastTrials(planned));
  const cause = causeIn(planned, outcomes);
  if (finding.doubtOutcome === 'confirmed' && cause !== null) options.proof.proved(cause);
  await options.emit({ type: 'cell', cell: key, finding, exchanges, ...(stop === null ? {} : { stop }) });
  return finding;
}

async function runCourse(
  planned: PlannedCell,
  state: ModelState,
  options: OpenedCellOptions,
  soFar: CellSoFar,
): Promise<Finding> {
  const { key } = planned.cell;
  const course = options.courses[planned.course](planned);
  const limited = pLimit(state.target.config.limits.concurrency);
  const isProved = async (): Promise<boolean> =>
    !options.mayBeRecorded(key) && (await options.proof.isProved(key, causeIn(planned, soFar.outcomes)));
  let turn = course.next();
  while (turn.done !== true) {
    const asks = turn.value;
    if (await isProved()) {
      turn = course.next(asks.map(() => undefined));
      continue;
    }
    const trials = await limited.map(asks, (ask) => runCompactTrial(ask, planned, state, options));
    for (const [index, { end, ids }] of trials.entries()) {
      for (const id of ids) soFar.exchanges.add(id);
      const ask = asks[index];
      if (isMissing(end)) {
        soFar.stop ??= end.stop;
      } else {
        soFar.outcomes.push(end);
        if (options.asksLeft !== null && ask !== undefined) soFar.recorded.push({ ask, outcome: end });
      }
    }
    turn = course.next(trials.map(({ end }) => (isMissing(end) ? undefined : end)));
  }
  return turn.value;
}

async function runCompactTrial(
  ask: Ask,
  planned: PlannedCell,
  state: ModelState,
  options: TrialRunOptions,
): Promise<TrialRun> {
  const { end, ids } = await runTrial(ask, planned, state, options);
  return { end: isMissing(end) ? end : compactOutcome(end, planned.cell.probe.enforce !== null), ids };
}

/** Judges what a run asked of a cell beyond what its course asks for today. Returns how many trials there are. */
async function runRecordedTrials(
  planned: PlannedCell,
  state: ModelState,
  options: OpenedCellOptions,
  soFar: CellSoFar,
): Promise<number> {
  // Any other course asks for the same trials, whatever the baseline says.
  const asksByBaseline = planned.course === 'find' || planned.course === 'enforce';
  const left = soFar.stop === null || !asksByBaseline ? [] : (options.asksLeft?.(planned.cell.key) ?? []);
  let judged = 0;
  for (const ask of left) {
    const { end, ids } = await runCompactTrial(ask, planned, state, options);
    for (const id of ids) soFar.exchanges.add(id);
    if (isMissing(end)) continue;
    judged += 1;
    soFar.recorded.push({ ask, outcome: end });
  }
  return judged;
}

/** The conclusion of a course that gets no further trial. */
function concludedFrom(course: ReturnType<Course>): Finding {
  for (let turn = course.next(); ; turn = course.next(turn.value.map(() => undefined))) {
    if (turn.done === true) return turn.value;
  }
}

/** Asks a trial once more, only to see its wire: it counts neither for the verdict of its cell nor as a failure. */
export async function runFreshTrial(
  ask: Ask,
  planned: PlannedCell,
  state: ModelState,
  options: Pick<CellOptions, 'trial' | 'request' | 'emit'>,
): Promise<Outcome | null> {
  const emit: TrialRunOptions['emit'] = async (event) => {
    if (event.type !== 'trial') return options.emit(event);
    const { cell, outcome, exchanges } = event;
    await options.emit({ type: 'wire', cell, outcome, exchanges });
  };
  const { end } = await runTrial(ask, planned, state, { ...options, trial: options.trial(planned), emit });
  return isMissing(end) || end.fault ? null : end;
}
