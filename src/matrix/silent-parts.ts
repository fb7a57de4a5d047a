import { groupBy } from '../json/group-by.js';
import { familyOf } from './capability-families.js';
import type { Report, ReportCell } from './report-format.js';

/** What a model does not answer at all, although it answers other requests. */
interface SilentPart {
  /** `TARGET/MODEL` */
  readonly model: string;
  /** A capability, or a family of them. */
  readonly part: string;
  readonly cells: readonly ReportCell[];
}

/** One cell may meet so many faults in a bad moment. */
const mostByChance = 2;

/** Families and capabilities of models that were reached, none of whose cells got an answer that could be judged. */
export function silentParts({ models, cells }: Pick<Report, 'models' | 'cells'>): readonly SilentPart[] {
  const ofModel = groupBy(cells, ({ model }) => model);
  return models.flatMap(({ id, reachable, standing }) => {
    const own = ofModel.get(id) ?? [];
    if (!reachable || standing === 'gone' || own.every(metOnlyFaults)) return [];
    const families = silentIn(id, own, familyOf);
    const told = new Set(families.flatMap((one) => one.cells));
    const rest = own.filter((cell) => !told.has(cell));
    return [...families, ...silentIn(id, rest, (capability) => capability)];
  });
}

function silentIn(model: string, cells: readonly ReportCell[], partOf: (capability: string) => string): SilentPart[] {
  return [...groupBy(cells, ({ capability }) => partOf(capability))].flatMap(([part, own]) => {
    const open = own.filter(({ expected }) => expected?.verdict !== 'fail');
    const faults = open.reduce((sum, { trials }) => sum + trials.faults, 0);
    const isSilent = open.length > 0 && own.every((cell) => metOnlyFaults(cell) || cell.verdict === 'blocked');
    return isSilent && (open.length > 1 || faults > mostByChance) ? [{ model, part, cells: open }] : [];
  });
}

/**
 * Answers that settle nothing, such as those that are cut before they show whether a keyword is enforced, are answers.
 */
export function metOnlyFaults({ verdict, trials }: Pick<ReportCell, 'verdict' | 'trials'>): boolean {
  return verdict === 'inconclusive' && trials.total === 0 && trials.faults > 0;
}
