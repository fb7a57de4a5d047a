import { parseCellKey, withoutModel } from '../../cell/cell-key.js';
import { groupBy } from '../../json/group-by.js';
import { meanCost } from '../cost.js';
import type { ReportLatency } from '../report-format.js';
import type { CellTimes, Quantiles } from '../timing.js';
import { meanTokensOf, pooled } from './pooled-times.js';
import type { SwapSide } from './swap-side.js';

/** What answers of one kind took and cost, on both sides. Only trials that passed are among them. */
export interface TimesSwap extends Pick<ReportLatency, 'kind' | 'stream'> {
  /** How many cells have such answers on both sides: where both were measured, only these count, each as much as the other. */
  readonly cells: number;
  /** null: no answer of this kind was measured, or none of a cell that both sides answered. */
  readonly base: TimesSide | null;
  readonly head: TimesSide | null;
}

export interface TimesSide extends Pick<ReportLatency, 'answers' | 'tokens' | 'cost'> {
  /** Milliseconds. */
  readonly first_byte_ms: Pick<Quantiles, 'p50' | 'p95'> | null;
  readonly total_ms: Pick<Quantiles, 'p50' | 'p95'> | null;
}

/** Other requests have other answers, so what only one side answered says nothing of the swap. */
export function timesSwapsOf(base: SwapSide, head: SwapSide): TimesSwap[] {
  const [before, after] = [latencyIn(base), latencyIn(head)];
  const byName = (all: readonly ReportLatency[]) => new Map(all.map((one) => [nameOf(one), one]));
  const [was, is] = [byName(before), byName(after)];
  return [...new Map([...was, ...is])].map(([name, { kind, stream }]): TimesSwap => {
    const [old, now] = [was.get(name), is.get(name)];
    if (old === undefined || now === undefined)
      return { kind, stream, cells: 0, base: old ? sideOf(old) : null, head: now ? sideOf(now) : null };
    const [ofOld, ofNow] = [cellsOf(old, before), cellsOf(now, after)];
    const common = [...ofOld.keys()].filter((cell) => ofNow.has(cell));
    const in_ = (cells: typeof ofOld) => common.map((cell) => cells.get(cell) ?? []);
    return { kind, stream, cells: common.length, ...comparedSides({ old, now }, in_(ofOld), in_(ofNow)) };
  });
}

const latencyIn = ({ report, model }: SwapSide): readonly ReportLatency[] =>
  (report.latency ?? []).filter((one) => one.model === model);

const nameOf = ({ kind, stream }: ReportLatency): string => `${kind} ${stream}`;

/** By the name of the cell that both sides share. All forms have a part in a setting. */
function cellsOf({ kind, cells = [] }: ReportLatency, all: readonly ReportLatency[]) {
  const label = /^thinking\.(.*)$/s.exec(kind)?.[1];
  const own =
    label === undefined
      ? cells
      : all.flatMap((one) => one.cells ?? []).filter(({ cell }) => parseCellKey(cell)?.point['thinking'] === label);
  return groupBy(own, ({ cell }) => withoutModel(cell));
}

type ByCell = readonly (readonly CellTimes[])[];

function comparedSides(
  { old, now }: { readonly old: ReportLatency; readonly now: ReportLatency },
  was: ByCell,
  is: ByCell,
): Pick<TimesSwap, 'base' | 'head'> {
  if (was.length === 0) return { base: null, head: null };
  // What only one side reports must not come from other cells than what the other one does.
  const both = was.map((_, at) => hasTokens(was[at]) && hasTokens(is[at]));
  const metered = (cells: ByCell) => (both.includes(true) ? cells.filter((_, at) => both[at]) : cells);
  const sideFrom = (cells: ByCell, { price }: ReportLatency): TimesSide => {
    const tokens = meanTokensOf(metered(cells));
    return {
      answers: cells.flat().reduce((sum, { answers }) => sum + answers, 0),
      tokens: tokens && {
        prompt: Math.round(tokens.prompt),
        completion: Math.round(tokens.completion),
        reasoning: Math.round(tokens.reasoning),
      },
      cost: meanCost({ tokens }, price ?? null),
      first_byte_ms: pooled(cells.map((one) => one.flatMap(({ first_byte_ms: ms }) => ms))),
      total_ms: pooled(cells.map((one) => one.flatMap(({ total_ms: ms }) => ms))),
    };
  };
  return { base: sideFrom(was, old), head: sideFrom(is, now) };
}

const hasTokens = (cells: readonly CellTimes[] | undefined): boolean =>
  cells?.some(({ tokens }) => tokens !== null) === true;

function sideOf({ answers, tokens, cost, first_byte_ms: first, total_ms: whole }: ReportLatency): TimesSide {
  const of = (one: Quantiles | null) => (one === null ? null : { p50: one.p50, p95: one.p95 });
  return { answers, tokens, cost, first_byte_ms: of(first), total_ms: of(whole) };
}
