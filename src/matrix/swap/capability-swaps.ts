import { groupBy } from '../../json/group-by.js';
import { isJudged } from '../../cell/verdict.js';
import { withoutModel } from '../../cell/cell-key.js';
import type { ReportDiff } from '../diff/report-diff.js';
import type { ReportCapability, ReportCell } from '../report-format.js';
import { capabilitiesOf, cellsIn, type SwapSide } from './swap-side.js';

/** A capability of which cells were lost or gained by more than luck. */
export interface CapabilitySwap {
  readonly capability: string;
  readonly change: 'lost' | 'gained' | 'both';
  readonly base: Pick<ReportCapability, 'verdict' | 'condition'>;
  readonly head: Pick<ReportCapability, 'verdict' | 'condition'>;
  /** How all cells fail that were lost; null: in different ways, or none was lost. */
  readonly failure: Pick<ReportCell, 'class' | 'reason' | 'status'> | null;
  /** Cells, without their model. */
  readonly lost: readonly string[];
  readonly gained: readonly string[];
  /** How many of its cells both models were judged in. */
  readonly compared: number;
}

export function capabilitySwapsOf({ lost, gained }: ReportDiff, base: SwapSide, head: SwapSide): CapabilitySwap[] {
  const [before, after] = [capabilitiesOf(base), capabilitiesOf(head)];
  const byCapability = (all: ReportDiff['lost']) => groupBy(all, ({ capability }) => capability);
  const [lostOf, gainedOf] = [byCapability(lost), byCapability(gained)];
  const compared = comparedOf(base, head);
  return [...new Set([...lostOf.keys(), ...gainedOf.keys()])].map((capability) => {
    const namesIn = (all: typeof lostOf) => (all.get(capability) ?? []).map(({ cell }) => cell);
    const [less, more] = [namesIn(lostOf), namesIn(gainedOf)];
    return {
      capability,
      change: less.length === 0 ? 'gained' : more.length === 0 ? 'lost' : 'both',
      base: shown(before.get(capability)),
      head: shown(after.get(capability)),
      failure: commonFailure((lostOf.get(capability) ?? []).map((one) => one.head)),
      ...{ lost: less, gained: more, compared: compared.get(capability) ?? 0 },
    };
  });
}

/** By capability: how many of its cells both models were judged in. */
function comparedOf(base: SwapSide, head: SwapSide): ReadonlyMap<string, number> {
  const judged = new Set(cellsIn(base).filter(isJudged).map(nameOf));
  const both = cellsIn(head).filter((cell) => isJudged(cell) && judged.has(nameOf(cell)));
  return new Map([...groupBy(both, ({ capability }) => capability)].map(([name, cells]) => [name, cells.length]));
}

function commonFailure(all: readonly Pick<ReportCell, 'class' | 'reason' | 'status'>[]): CapabilitySwap['failure'] {
  const [first, ...others] = all;
  if (first === undefined) return null;
  const { class: outcome, reason, status } = first;
  const isSame = others.every((one) => one.class === outcome && one.reason === reason && one.status === status);
  return isSame ? { class: outcome, reason, status } : null;
}

const nameOf = ({ key }: { readonly key: string }): string => withoutModel(key);

function shown(capability: ReportCapability | undefined): CapabilitySwap['base'] {
  const { verdict = 'inconclusive', condition = null } = capability ?? {};
  return { verdict, condition };
}

/** A capability of which cells passed less often with the new model, as luck may explain. */
export interface UnprovenLoss extends Pick<CapabilitySwap, 'capability' | 'base' | 'head' | 'compared'> {
  /** Those cells, without their model. */
  readonly cells: readonly string[];
}

/** Capabilities that were not lost, but of which a cell was seen to pass less often. */
export function unprovenLossesOf(diff: ReportDiff, base: SwapSide, head: SwapSide): UnprovenLoss[] {
  const lost = new Set(diff.lost.map(({ capability }) => capability));
  const capabilityOf = new Map(cellsIn(head).map((cell) => [nameOf(cell), cell.capability]));
  const worse = diff.rates.filter((one) => one.head.passed * one.base.total < one.base.passed * one.head.total);
  const byCapability = groupBy(worse, ({ cell }) => capabilityOf.get(cell) ?? '');
  const [before, after] = [capabilitiesOf(base), capabilitiesOf(head)];
  const compared = comparedOf(base, head);
  return [...byCapability].flatMap(([capability, rates]): UnprovenLoss[] => {
    if (lost.has(capability)) return [];
    return [
      {
        ...{ capability, base: shown(before.get(capability)), head: shown(after.get(capability)) },
        ...{ cells: rates.map(({ cell }) => cell), compared: compared.get(capability) ?? 0 },
      },
    ];
  });
}
