import { isJudged } from '../../cell/verdict.js';
import { groupBy } from '../../json/group-by.js';
import type { ReportCell, ReportModel } from '../report-format.js';
import { metOnlyFaults } from '../silent-parts.js';
import { modelIn, type ReportDiff } from './report-diff.js';

type LostModel = ReportDiff['models'][number];
type UnmeasuredCells = ReportDiff['unmeasured'][number];

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
