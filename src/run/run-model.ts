import pLimit from 'p-limit';
import { withoutModel } from '../cell/cell-key.js';
import { meetsNeed } from '../cell/verdict.js';
import type { Finding } from '../decide/course.js';
import { mostFreshTrials, type WireWatch } from '../decide/wire/fresh-exchanges.js';
import type { StopReason } from '../journal/event.js';
import { unreachedWords } from '../judge/outcome.js';
import type { PlannedCell } from '../plan/plan.js';
import type { ControlOptions } from './ask-until-answered.js';
import { createCellFindings, type NeededCell } from './cell-findings.js';
import type { DriveOptions } from './drive-options.js';
import { openByControl, type Opening } from './open-by-control.js';
import { runCell, runFreshTrial, type CellOptions } from './run-cell.js';
import { runError } from './run-error.js';
import { createSharedProof } from './shared-proof.js';
import type { ModelState } from './target-state.js';
import { leastTrials } from '../decide/courses/sample.js';
import { notAskedBecause, unaskedFinding } from './unasked-finding.js';

/** Cells of a model that are open at once, per request that it may have in flight; more than one, as some wait. */
const cellsPerRequest = 2;
/** At least so many, since a cell that takes many trials shows it only when some were answered. */
const leastOpen = 10;

interface ModelOptions extends Omit<CellOptions, 'proof'>, ControlOptions, Pick<DriveOptions, 'further' | 'watchWire'> {
  readonly failed: (error: Error) => void;
  /** A recorded control that failed is sent again: the recorded run had ended. */
  readonly askAgain: boolean;
}

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
export async function runModel(cells: readonly PlannedCell[], state: ModelState, options: ModelOptions): Promise<void> {
  const opening = await openingOf(cells, state, options);
  const watch = options.watchWire?.(state.model.key, cells);
  if (opening?.kind === 'reachable') watch?.addControl(opening.outcome);
  const byKey = new Map(cells.map((planned) => [planned.cell.key, planned]));
  const emit = emitOfModel(byKey, watch, options.emit);
  const cellOptions: CellOptions = { ...options, emit, proof: createSharedProof() };
  const open = pLimit(Math.max(leastOpen, cellsPerRequest * state.target.config.limits.concurrency));
  const find = async (planned: PlannedCell, needs: readonly NeededCell[]): Promise<Finding> => {
    const { key } = planned.cell;
    const concluded = await concludedWithoutAsking(planned, needs, opening);
    if (concluded !== null) {
      const { finding, exchanges = [], stop } = concluded;
      await emit({ type: 'cell', cell: key, finding, exchanges, ...(stop === undefined ? {} : { stop }) });
      return finding;
    }
    return open(() => runCell(planned, state, cellOptions).finally(() => cellOptions.proof.left(key))).catch(
      endRun(options, key),
    );
  };
  const findings = createCellFindings(byKey, (planned, needs) =>
    find(planned, needs).finally(() => state.workload.concluded(planned.cell.key)),
  );
  const runAll = async (all: readonly PlannedCell[]): Promise<void> => {
    state.workload.plan(all);
    const pathFrom = ({ cell }: PlannedCell): number => state.workload.pathFrom(cell.key);
    const longestFirst = all.toSorted((a, b) => pathFrom(b) - pathFrom(a));
    const results = await Promise.allSettled(longestFirst.map(findings.of));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  };

  await runAll(cells);
  const further = (): readonly PlannedCell[] => options.further?.(state.model.key, findings.concluded) ?? [];
  for (let more = further(); more.length > 0; more = further()) {
    await options.emit({ type: 'further', model: state.model.key, cells: more.map(({ cell }) => cell.key) });
    await runAll(more);
  }
  if (watch !== undefined) await askFreshTrials(watch, state, options);
}

/** Reports what was thrown, which ends the run, and throws it on. */
function endRun({ failed }: ModelOptions, cell: string | null): (thrown: unknown) => never {
  return (thrown) => {
    const error = runError(thrown, cell);
    failed(error);
    throw error;
  };
}

/** Opens the model; null where none of its cells can be asked. */
async function openingOf(
  cells: readonly PlannedCell[],
  state: ModelState,
  options: ModelOptions,
): Promise<Opening | null> {
  if (cells.every(({ cell }) => cell.unmeetable !== null)) return null;
  const opening = await openByControl(state, options.request, options, options.askAgain).catch(endRun(options, null));
  if (opening.kind === 'missing') return opening;
  const reachable = opening.kind === 'reachable';
  await options.emit({ type: 'model', model: state.model.key, reachable, outcome: opening.outcome });
  return opening;
}

/** Shows the trials to the watch. A cell beyond the plan that was not asked is not missing, and gives no event. */
function emitOfModel(
  byKey: ReadonlyMap<string, PlannedCell>,
  watch: WireWatch | undefined,
  emit: CellOptions['emit'],
): CellOptions['emit'] {
  return (event) => {
    if (event.type === 'trial') watch?.addTrial(event.cell, event.ask, event.outcome);
    const isUnplanned = event.type === 'cell' && event.finding.verdict === 'not_run' && !byKey.has(event.cell);
    return isUnplanned ? Promise.resolve() : emit(event);
  };
}

async function askFreshTrials(watch: WireWatch, state: ModelState, options: ModelOptions): Promise<void> {
  for (let asked = 0; asked < mostFreshTrials; asked += 1) {
    const fresh = watch.next();
    if (fresh === null) return;
    const { key } = fresh.planned.cell;
    const outcome = await runFreshTrial(fresh.ask, fresh.planned, state, options).catch(endRun(options, key));
    if (outcome === null) return;
    watch.addTrial(key, fresh.ask, outcome);
  }
}

/** The finding of a cell that need not be asked; null: it must be. */
async function concludedWithoutAsking(
  planned: PlannedCell,
  needs: readonly NeededCell[],
  opening: Opening | null,
): Promise<Concluded | null> {
  const { unmeetable } = planned.cell;
  if (unmeetable !== null) return { finding: unaskedFinding('blocked', unmeetable, 0) };
  const concluded = opening === null ? null : concludedByOpening(opening, planned);
  if (concluded !== null) return concluded;
  for (const [key, need] of needs) {
    const { verdict } = await need;
    if (meetsNeed(verdict)) continue;
    return { finding: unaskedFinding('blocked', `${withoutModel(key)} ${unmetWords[verdict]}`, 0) };
  }
  return null;
}

/** The finding of a cell whose model cannot be asked; null when it can. */
function concludedByOpening(opening: Opening, planned: PlannedCell): Concluded | null {
  switch (opening.kind) {
    case 'reachable':
      return null;
    case 'missing':
      return { finding: notAskedBecause(opening.stop, leastTrials(planned)), stop: opening.stop };
    case 'unreachable': {
      const { outcome, exchanges } = opening;
      const detail = `the model ${unreachedWords(outcome)}${outcome.detail === null ? '' : `: ${outcome.detail}`}`;
      return { finding: unaskedFinding('inconclusive', detail, leastTrials(planned), outcome), exchanges };
    }
  }
}

const unmetWords = {
  fail: 'fails',
  inconclusive: 'could not be judged',
  blocked: 'is skipped itself',
  not_run: 'was not asked',
} as const;
