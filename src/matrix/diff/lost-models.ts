import { isJudged } from '../../cell/verdict.js';
import { groupBy } from '../../json/group-by.js';
import type { ReportCell, ReportModel } from '../report-format.js';
import { metOnlyFaults } from '../silent-parts.js';
import { modelIn } from './changes.js';

/** A model of which the base judged cells, and the head, which was to ask it, none. */
export interface LostModel {
  /** The name that both sides share; where two models are compared, that of the head. */
  readonly model: string;
  /**
   * `gone`: the service does not know it. `unreachable`: even a plain request failed. `unmeasured`: whatever it was asked
   * gave no answer that could be judged.
   */
  readonly change: 'gone' | 'unreachable' | 'unmeasured';
  /** It is gone since the day that the config announced, and nothing is to take its place in this comparison. */
  readonly expected: boolean;
  /** How many cells the base judged, and in how many of them every trial passed. */
  readonly judged: number;
  readonly passed: number;
  /** How a plain request failed; null: it did not, or nothing is known of it. */
  readonly failure: ReportModel['unreachable'];
}

/** Cells of a capability that passed in the base, and that the head asked but could not measure, though it measured others. */
export interface UnmeasuredCells {
  readonly capability: string;
  /** As the diff names them. */
  readonly cells: readonly string[];
  /** Nothing else is known of the capability in the head, so that it could not be compared. */
  readonly whole: boolean;
  /** How the first of them failed. */
  readonly failure: Pick<ReportCell, 'class' | 'reason' | 'status' | 'detail'>;
}

/** What is read of a side: under the names that both share. */
interface Side {
  readonly models: ReadonlyMap<string, ReportModel>;
  readonly cells: ReadonlyMap<string, ReportCell>;
}

/**
 * What a comparison of cells cannot see.
 * @param kind where two models are compared, the head's may just be misspelt; the removal of a model explains nothing but
 *   that the same model is gone
 */
export function lostModels(base: Side, head: Side, kind: 'runs' | 'models' | 'targets'): LostModel[] {
  const ofModel = groupBy([...base.cells], ([name]) => modelIn(name));
  const measured = new Set([...head.cells].flatMap(([name, cell]) => (isJudged(cell) ? modelIn(name) : [])));
  return [...base.models.keys()].flatMap((name): LostModel[] => {
    const now = head.models.get(name);
    const judged = (ofModel.get(name) ?? []).filter(([, cell]) => isJudged(cell));
    if (now === undefined || measured.has(name) || !judged.some(([cell]) => head.cells.has(cell))) return [];
    const { id, reachable, retired, unreachable } = now;
    const change = isGone(now, head, kind !== 'models') ? 'gone' : reachable ? 'unmeasured' : 'unreachable';
    const passed = judged.filter(([, { verdict }]) => verdict === 'pass').length;
    return [
      {
        ...{ model: name === '' ? id : name, change, expected: kind === 'runs' && retired && change === 'gone' },
        ...{ judged: judged.length, passed, failure: unreachable },
      },
    ];
  });
}

/** The run calls gone what its baseline or the run before knew; here, the base knew it. */
function isGone({ standing, unreachable, target }: ReportModel, head: Side, sameNames: boolean): boolean {
  if (standing === 'gone') return true;
  if (!sameNames || unreachable?.reason !== 'model_not_found') return false;
  return [...head.models.values()].some((model) => model.target === target && model.reachable);
}

/** Whether something that passed is lost with the model: its removal was not announced. */
export const isLoss = ({ change, expected, passed }: LostModel): boolean =>
  change === 'gone' && !expected && passed > 0;

/** @param lost models of which nothing could be compared, which says it of their cells */
export function unmeasuredCells(base: Side, head: Side, lost: readonly LostModel[]): UnmeasuredCells[] {
  const told = new Set(lost.map(({ model }) => model));
  const missed = [...base.cells].flatMap(([name, before]) => {
    const now = head.cells.get(name);
    const isOfLost = told.has(modelIn(name)) || (modelIn(name) === '' && lost.length > 0);
    const isMissed = isJudged(before) && before.trials.passed > 0 && now !== undefined && metOnlyFaults(now);
    return isMissed && !isOfLost ? [{ name, now }] : [];
  });
  const groups = groupBy(missed, ({ name, now }) => JSON.stringify([modelIn(name), now.capability]));
  return [...groups.values()].flatMap((all): UnmeasuredCells[] => {
    const [first] = all;
    if (first === undefined) return [];
    const { capability, class: outcome, reason, status, detail } = first.now;
    const known = [...head.cells].some(
      ([name, cell]) => modelIn(name) === modelIn(first.name) && cell.capability === capability && isJudged(cell),
    );
    const failure = { class: outcome, reason, status, detail };
    return [{ capability, cells: all.map(({ name }) => name), whole: all.length > 1 && !known, failure }];
  });
}
