import type { ReportDiff } from '../diff/report-diff.js';
import type { ReportBehaviour } from '../report-format.js';
import { type CapabilitySwap, capabilitySwapsOf, type UnprovenLoss, unprovenLossesOf } from './capability-swaps.js';
import { type NeedSwap, needSwapsOf } from './need-swaps.js';
import { type RequestChange, requestChangesOf } from './request-changes.js';
import type { SwapSide } from './swap-side.js';
import { type TimesSwap, timesSwapsOf } from './times-swaps.js';
import { type Uncompared, uncomparedOf } from './uncompared.js';

/** What it means for a client to use one model instead of another. Each follows from a diff, and says no more than it does. */
export interface ModelSwap {
  /** With cells that were lost or gained by more than luck. */
  readonly capabilities: readonly CapabilitySwap[];
  /** Passed less often, as luck may explain: not lost. */
  readonly unproven: readonly UnprovenLoss[];
  readonly needs: readonly NeedSwap[];
  readonly requests: readonly RequestChange[];
  /** Known behaviours that the new model shows and the old one does not. */
  readonly behaviours: readonly Pick<ReportBehaviour, 'id' | 'title' | 'advice'>[];
  readonly times: readonly TimesSwap[];
  /** What at least one side did not measure: neither lost nor kept. */
  readonly uncompared: readonly Uncompared[];
}

/** A diff of two models. */
export interface ModelDiff extends ReportDiff {
  readonly swap: ModelSwap;
}

export function modelSwapOf(diff: ReportDiff, base: SwapSide, head: SwapSide): ModelSwap {
  const capabilities = capabilitySwapsOf(diff, base, head);
  const needs = needSwapsOf(diff, base, head);
  return {
    ...{ capabilities, unproven: unprovenLossesOf(diff, base, head), needs },
    requests: requestChangesOf({ diff, capabilities, needs }, base, head),
    behaviours: behavioursOnlyOf(base, head),
    times: timesSwapsOf(base, head),
    uncompared: uncomparedOf(base, head),
  };
}

function behavioursOnlyOf(base: SwapSide, head: SwapSide): ModelSwap['behaviours'] {
  const of = ({ report, model }: SwapSide) => report.behaviours.filter((one) => one.model === model);
  const before = new Set(of(base).map(({ id }) => id));
  return of(head)
    .filter(({ id }) => !before.has(id))
    .map(({ id, title, advice }) => ({ id, title, advice }));
}
