import { withoutModel } from '../../cell/cell-key.js';
import { isJudged } from '../../cell/verdict.js';
import { benjaminiHochberg } from '../../stats/benjamini-hochberg.js';
import { probabilityOfFewer, probabilityOfMore } from '../../stats/exact-test.js';
import { groupBy } from '../../json/group-by.js';
import type { Report, ReportCapability, ReportCell } from '../report-format.js';

/** Two runs, two models or two targets side by side. */
export interface ReportDiff {
  readonly format: 'chatspec-diff/1';
  readonly kind: 'runs' | 'models' | 'targets';
  readonly base: string;
  readonly head: string;
  /** What passed and no longer does. A rate that fell counts if the fall is significant. */
  readonly lost: readonly CellChange[];
  readonly gained: readonly CellChange[];
  readonly conditions: readonly ConditionChange[];
  readonly thresholds: readonly ThresholdChange[];
  readonly rates: readonly RateChange[];
  readonly quirks: readonly QuirkChange[];
  /** Cells that only one side judged, which are not compared. */
  readonly onlyBase: readonly string[];
  readonly onlyHead: readonly string[];
}

export interface CellChange {
  readonly cell: string;
  readonly capability: string;
  readonly base: Side;
  readonly head: Side;
}

export type Side = Pick<ReportCell, 'verdict' | 'class' | 'reason' | 'status' | 'detail'>;

export interface ConditionChange {
  readonly model: string;
  readonly capability: string;
  readonly base: Pick<ReportCapability, 'verdict' | 'condition'>;
  readonly head: Pick<ReportCapability, 'verdict' | 'condition'>;
}

export interface ThresholdChange {
  readonly cell: string;
  readonly base: number | null;
  readonly head: number | null;
}

export interface RateChange {
  readonly cell: string;
  readonly base: { readonly passed: number; readonly total: number };
  readonly head: { readonly passed: number; readonly total: number };
  /** One-sided exact test in the direction of the change. */
  readonly p: number;
  /** Significant with the false discovery rate held at 5 % over all changed rates. */
  readonly significant: boolean;
}

export interface QuirkChange {
  readonly cell: string;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

interface Pair {
  readonly name: string;
  readonly base: ReportCell;
  readonly head: ReportCell;
}

/** The cells and capabilities of one side, under names that both sides share. */
export interface DiffSide {
  readonly label: string;
  readonly cells: ReadonlyMap<string, ReportCell>;
  readonly capabilities: ReadonlyMap<string, ReportCapability>;
}

/** The share of false positives among the changes that are called significant. */
const falseDiscoveryRate = 0.05;

export function diffSides(kind: ReportDiff['kind'], base: DiffSide, head: DiffSide): ReportDiff {
  const judged = (side: DiffSide, name: string) => {
    const cell = side.cells.get(name);
    return cell && isJudged(cell) ? cell : undefined;
  };
  const names = [...new Set([...base.cells.keys(), ...head.cells.keys()])];
  const pairs = names.flatMap((name): Pair[] => {
    const [before, after] = [judged(base, name), judged(head, name)];
    return before && after ? [{ name, base: before, head: after }] : [];
  });
  const rates = ratesOf(pairs);
  const significant = new Set(rates.filter((rate) => rate.significant).map(({ cell }) => cell));
  return {
    ...{ format: 'chatspec-diff/1', kind, base: base.label, head: head.label },
    lost: pairs.filter((pair) => isLost(pair, significant)).map(changeOf),
    gained: pairs
      .filter(({ name, base: was, head: is }) => isLost({ name, base: is, head: was }, significant))
      .map(changeOf),
    conditions: conditionsOf(base, head),
    thresholds: pairs
      .filter(({ base: was, head: is }) => (was.threshold?.value ?? null) !== (is.threshold?.value ?? null))
      .map(({ name, base: was, head: is }) => ({
        cell: name,
        base: was.threshold?.value ?? null,
        head: is.threshold?.value ?? null,
      })),
    rates,
    quirks: pairs.flatMap(quirksOf),
    onlyBase: names.filter((name) => judged(base, name) && !judged(head, name)),
    onlyHead: names.filter((name) => judged(head, name) && !judged(base, name)),
  };
}

/** From pass to flaky may be chance, so it is lost only if the fall of the rate is significant. */
function isLost({ name, base, head }: Pair, significant: ReadonlySet<string>): boolean {
  if (base.verdict === 'fail') return false;
  if (base.verdict === 'pass' && head.verdict === 'fail') return true;
  return significant.has(name) && rateOf(head) < rateOf(base);
}

function ratesOf(pairs: readonly Pair[]): RateChange[] {
  const changed = pairs.filter(({ base, head }) => rateOf(base) !== rateOf(head));
  const tests = changed.map(({ name, base, head }) => {
    const fell = rateOf(head) < rateOf(base);
    const [was, is] = [countOf(base), countOf(head)];
    return { cell: name, base: was, head: is, p: fell ? probabilityOfFewer(is, was) : probabilityOfMore(is, was) };
  });
  const significant = benjaminiHochberg(
    tests.map(({ p }) => p),
    falseDiscoveryRate,
  );
  return tests.map((test, index) => ({ ...test, significant: significant[index] ?? false }));
}

function rateOf({ trials }: ReportCell): number {
  return trials.passed / trials.total;
}

function countOf({ trials: { passed, total } }: ReportCell): { passed: number; total: number } {
  return { passed, total };
}

function changeOf({ name, base, head }: Pair): CellChange {
  return { cell: name, capability: head.capability, base: sideOf(base), head: sideOf(head) };
}

function sideOf({ verdict, class: outcome, reason, status, detail }: ReportCell): Side {
  return { verdict, class: outcome, reason, status, detail };
}

function conditionsOf(base: DiffSide, head: DiffSide): ConditionChange[] {
  return [...head.capabilities].flatMap(([name, is]) => {
    const was = base.capabilities.get(name);
    if (!was || was.verdict === 'inconclusive' || is.verdict === 'inconclusive' || was.condition === is.condition)
      return [];
    const shown = ({ verdict, condition }: ReportCapability) => ({ verdict, condition });
    return [{ model: is.model, capability: is.capability, base: shown(was), head: shown(is) }];
  });
}

function quirksOf({ name, base, head }: Pair): QuirkChange[] {
  const gained = head.quirks.filter((quirk) => !base.quirks.includes(quirk));
  const lost = base.quirks.filter((quirk) => !head.quirks.includes(quirk));
  return gained.length + lost.length === 0 ? [] : [{ cell: name, gained, lost }];
}

/** Cells and capabilities of the models that `nameOfModel` names; undefined: not on this side. */
export function sideFrom(
  { cells, capabilities }: Report,
  label: string,
  nameOfModel: (model: string) => string | undefined,
): DiffSide {
  const named = <T extends { readonly model: string }>(items: readonly T[], own: (item: T) => string) =>
    new Map(
      [...groupBy(items, (item) => nameOfModel(item.model))].flatMap(([model, group]) =>
        model === undefined
          ? []
          : group.map((item) => [model === '' ? own(item) : `${own(item)}@${model}`, item] as const),
      ),
    );
  return {
    label,
    cells: named(cells, ({ key }) => withoutModel(key)),
    capabilities: named(capabilities, ({ capability }) => capability),
  };
}
