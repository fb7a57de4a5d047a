import { splitAtModel } from '../../cell/cell-key.js';
import type { JudgedVerdict } from '../../cell/verdict.js';
import type { Stop } from '../../journal/event.js';
import type { Clue } from '../../judge/clue.js';
import type { Count } from '../../stats/count.js';
import type { Recommendation, ReportBehaviour, ReportCapability, ReportCell, ReportModel } from '../report-format.js';

/** Two runs, two models or two targets side by side. */
export interface ReportDiff {
  readonly format: 'chatspec-diff/1';
  readonly kind: 'runs' | 'models' | 'targets';
  readonly base: string;
  readonly head: string;
  /** The ids of the runs, where a model or a target of one is compared with itself in the other; absent otherwise. */
  readonly runs?: { readonly base: string; readonly head: string };
  /** With which each side was asked: `smoke`, `standard` or `certify`. */
  readonly profiles: { readonly base: string; readonly head: string };
  /**
   * The suites or their schemas are not those of the base, so that what changed may be a probe; absent: they are the
   * same.
   */
  readonly suites_differ?: true;
  /** Reasons why each side ended before it had asked everything. */
  readonly stops: { readonly base: readonly Stop[]; readonly head: readonly Stop[] };
  /** Models that are gone, or of which the head could judge nothing; none of their cells is compared. */
  readonly models: readonly LostModel[];
  /** Models that the head serves under other names or fingerprints, none of which the base knew. */
  readonly served: readonly (ServedChange & { readonly model: string })[];
  /** Cells that passed in the base and that the head could not measure, of other models. */
  readonly unmeasured: readonly UnmeasuredCells[];
  /** Cells that both sides judged. */
  readonly compared: number;
  /** Cells that passed and no longer do at all, or pass more rarely by the evidence of all trials. */
  readonly lost: readonly CellChange[];
  /** Cells that did not pass and now do. */
  readonly gained: readonly CellChange[];
  /** Cells that fail on both sides, each in ways that the other never showed. Nothing is lost. */
  readonly otherwise: readonly CellChange[];
  /** Models that pass less often as a whole, which no single cell shows. */
  readonly whole: readonly WholeModel[];
  readonly conditions: readonly ConditionChange[];
  readonly thresholds: readonly ThresholdChange[];
  /** Other pass rates that changed, which may be chance. */
  readonly rates: readonly RateChange[];
  /** Quirks that are the rule on one side and never show on the other, per model. */
  readonly wire: readonly WireChange[];
  /** Recommendations for each need of two models; empty where runs or targets are compared. */
  readonly needs: readonly NeedPair[];
  /** Known behaviours that the head shows and the base does not. */
  readonly behaviours: readonly ReportBehaviour[];
  /** Cells that only one side judged, which are not compared. */
  readonly onlyBase: readonly string[];
  readonly onlyHead: readonly string[];
}

/** Names in the answers of a model that they did not hold before. */
interface ServedChange {
  readonly field: 'model' | 'system_fingerprint';
  readonly before: readonly string[];
  readonly now: readonly string[];
}

interface CellChange {
  readonly cell: string;
  readonly capability: string;
  readonly base: CellSide;
  readonly head: CellSide;
  readonly because: Proof;
  /** The behaviour of the head that explains it; absent: none does. */
  readonly behaviour?: string;
}

interface CellSide extends Pick<ReportCell, 'model' | 'verdict' | 'class' | 'reason' | 'status' | 'detail'>, Count {
  /** Further findings in the answers; absent: none. */
  readonly clue?: Clue;
}

interface RateChange {
  readonly cell: string;
  readonly base: Count;
  readonly head: Count;
  /** Evidence that the rate changed, as log10. */
  readonly evidence: number;
}

interface NeedPair {
  readonly need: Recommendation['need'];
  /** null: nothing was judged that serves the need. */
  readonly base: Advice | null;
  readonly head: Advice | null;
}

type Advice = Pick<Recommendation, 'form' | 'settings' | 'request' | 'because'>;

/**
 * Grounds for more than chance: everything passed and nothing does, the evidence of all trials, or another way
 * of failing.
 */
type Proof = 'total' | 'rate' | 'ways';

/** A model that passes less often as a whole, beside the cells that were lost themselves. */
interface WholeModel {
  readonly model: string;
  /** The trials of its cells that passed in the base. */
  readonly base: Count;
  readonly head: Count;
  /** As log10. */
  readonly evidence: number;
  readonly compared: number;
  /** Cells that pass less often. */
  readonly cells: readonly string[];
}

interface ConditionChange {
  readonly model: string;
  readonly capability: string;
  readonly base: Pick<ReportCapability, 'verdict' | 'condition'>;
  readonly head: Pick<ReportCapability, 'verdict' | 'condition'>;
  /** False if every change of its cells may be luck. */
  readonly significant: boolean;
}

interface ThresholdChange {
  readonly cell: string;
  readonly base: number | null;
  readonly head: number | null;
  /** One side passed in every trial between the two values, and the other in none of several. */
  readonly significant: boolean;
}

/** A model of which the base judged cells, and the head, which was to ask it, none. */
interface LostModel {
  /** The name that both sides share; where two models are compared, that of the head. */
  readonly model: string;
  /**
   * `gone`: the service does not know it. `unreachable`: even a plain request failed. `unmeasured`: whatever it was
   * asked gave no answer that could be judged.
   */
  readonly change: 'gone' | 'unreachable' | 'unmeasured';
  /**
   * Whether the model is gone since the day that the config announced, and nothing is to take its place in this
   * comparison.
   */
  readonly expected: boolean;
  /** How many cells the base judged, and in how many of them every trial passed. */
  readonly judged: number;
  readonly passed: number;
  /** How a plain request failed; null: it did not, or nothing is known of it. */
  readonly failure: ReportModel['unreachable'];
}

/**
 * Cells of a capability that passed in the base, and that the head asked but could not measure, though it measured
 * others.
 */
interface UnmeasuredCells {
  readonly capability: string;
  /** As the diff names them. */
  readonly cells: readonly string[];
  /** Nothing else is known of the capability in the head, so that it could not be compared. */
  readonly whole: boolean;
  /** How the first of them failed. */
  readonly failure: Pick<ReportCell, 'class' | 'reason' | 'status' | 'detail'>;
}

/** A quirk that is the rule on one side and never shows on the other. */
interface WireChange {
  readonly model: string;
  readonly quirk: string;
  readonly change: 'became the rule' | 'ended';
  /** In how many answers it showed. */
  readonly seen: number;
  readonly of: number;
  readonly breaks: readonly string[];
  /** Harm to the user's own clients that read the answers of the base: `openai 6.49: throws`. */
  readonly loses: readonly string[];
  /** Models that show it on one side only. */
  readonly cells: readonly string[];
}

/** A cell that both sides judged, under the name that they share. */
export interface CellPair {
  readonly name: string;
  readonly base: JudgedCell;
  readonly head: JudgedCell;
}

export type JudgedCell = ReportCell & { readonly verdict: JudgedVerdict };

/** The name of the model that both sides share; empty where two models are compared. */
export const modelIn = (name: string): string => splitAtModel(name).model ?? '';

/** `diff` exits with 1 when something was lost. */
export function lostSomething({ lost, models, whole, wire }: ReportDiff): boolean {
  return lost.length > 0 || models.some(isLoss) || whole.length > 0 || wire.some(({ loses }) => loses.length > 0);
}

/** Whether something that passed is lost with the model: its removal was not announced. */
const isLoss = ({ change, expected, passed }: LostModel): boolean => change === 'gone' && !expected && passed > 0;

/**
 * `diff` exits with 3 when nothing was lost of what it compared, but it could not compare: in all, of one model, or of
 * what a model no longer answers.
 */
export function comparedTooLittle({ compared, models, unmeasured }: ReportDiff): boolean {
  return compared === 0 || models.some(({ change }) => change !== 'gone') || unmeasured.some(({ whole }) => whole);
}
