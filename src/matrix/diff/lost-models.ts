import { withoutModel } from '../../cell/cell-key.js';
import { isJudged } from '../../cell/verdict.js';
import { groupBy } from '../../json/group-by.js';
import type { ReportCell, ReportModel } from '../report-format.js';

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
  /** `unmeasured`, because the run ended before it asked the model; absent: it did ask. */
  readonly not_asked?: true;
}

/** A model with its cells, by the name that both sides share. */
export interface ModelSide {
  readonly model: ReportModel;
  /** By their own names. */
  readonly cells: ReadonlyMap<string, ReportCell>;
}

type Models = ReadonlyMap<string, ModelSide>;

/**
 * What a comparison of cells cannot see.
 * @param kind where two models are compared, the head's may just be misspelt; the removal of a model explains nothing but
 *   that the same model is gone
 */
export function lostModelsOf(base: Models, head: Models, kind: 'runs' | 'models' | 'targets'): LostModel[] {
  return [...base].flatMap(([name, before]): LostModel[] => {
    const now = head.get(name);
    const judged = [...before.cells].filter(([, cell]) => isJudged(cell));
    const asked = judged.filter(([cell]) => now?.cells.has(cell));
    if (now === undefined || asked.length === 0 || [...now.cells.values()].some(isJudged)) return [];
    const { id, reachable, retired, unreachable } = now.model;
    const change = isGone(now.model, head, kind !== 'models') ? 'gone' : reachable ? 'unmeasured' : 'unreachable';
    const passed = judged.filter(([, { verdict }]) => verdict === 'pass').length;
    return [
      {
        ...{ model: name === '' ? id : name, change, expected: kind === 'runs' && retired && change === 'gone' },
        ...{ judged: judged.length, passed, failure: unreachable },
        ...(change === 'unmeasured' && !wasAsked(now) && { not_asked: true as const }),
      },
    ];
  });
}

/** It may be part of a run that ended before its turn. */
export function wasAsked(side: ModelSide | undefined): boolean {
  return [...(side?.cells.values() ?? [])].some(({ verdict }) => verdict !== 'not_run');
}

/** The run calls gone what its baseline or the run before knew; here, the base knew it. */
function isGone({ standing, unreachable, target }: ReportModel, head: Models, sameNames: boolean): boolean {
  if (standing === 'gone') return true;
  if (!sameNames || unreachable?.reason !== 'model_not_found') return false;
  return [...head.values()].some(({ model }) => model.target === target && model.reachable);
}

/** Whether something that passed is lost with the model: its removal was not announced. */
export function isLoss({ change, expected, passed }: LostModel): boolean {
  return change === 'gone' && !expected && passed > 0;
}

/** The models that `nameOf` names, with their cells; undefined: not on this side. */
export function modelSides(
  models: readonly ReportModel[],
  cells: readonly ReportCell[],
  nameOf: (id: string) => string | undefined,
): Models {
  const cellsOf = groupBy(cells, ({ model }) => model);
  return new Map(
    models.flatMap((model) => {
      const name = nameOf(model.id);
      const own = new Map((cellsOf.get(model.id) ?? []).map((cell) => [withoutModel(cell.key), cell]));
      return name === undefined ? [] : [[name, { model, cells: own }] as const];
    }),
  );
}
