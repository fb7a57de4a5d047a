import type { ReportLatency } from '../report-format.js';
import type { Quantiles } from '../timing.js';
import type { SwapSide } from './swap-side.js';

/** What answers of one kind took and cost, on both sides. Only trials that passed are among them. */
export interface TimesSwap extends Pick<ReportLatency, 'kind' | 'stream'> {
  /** null: no answer of this kind was measured. */
  readonly base: TimesSide | null;
  readonly head: TimesSide | null;
}

export interface TimesSide extends Pick<ReportLatency, 'answers' | 'tokens' | 'cost'> {
  /** Milliseconds. */
  readonly first_byte_ms: Pick<Quantiles, 'p50' | 'p95'> | null;
  readonly total_ms: Pick<Quantiles, 'p50' | 'p95'> | null;
}

export function timesSwapsOf(base: SwapSide, head: SwapSide): TimesSwap[] {
  const byName = ({ report, model }: SwapSide) =>
    new Map((report.latency ?? []).filter((one) => one.model === model).map((one) => [nameOf(one), one]));
  const [before, after] = [byName(base), byName(head)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): TimesSwap[] => {
    const [was, is] = [before.get(name), after.get(name)];
    const any = was ?? is;
    return any === undefined
      ? []
      : [{ kind: any.kind, stream: any.stream, base: was ? sideOf(was) : null, head: is ? sideOf(is) : null }];
  });
}

const nameOf = ({ kind, stream }: ReportLatency): string => `${kind} ${stream}`;

function sideOf({ answers, tokens, cost, first_byte_ms: first, total_ms: whole }: ReportLatency): TimesSide {
  const of = (one: Quantiles | null) => (one === null ? null : { p50: one.p50, p95: one.p95 });
  return { answers, tokens, cost, first_byte_ms: of(first), total_ms: of(whole) };
}
