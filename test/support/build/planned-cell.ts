import type { BaselineEntry, Expected } from '../../../src/baseline/entries.js';
import { cellKey } from '../../../src/cell/cell-key.js';
import type { Cell, Plan, PlannedCell } from '../../../src/plan/plan.js';
import type { Probe } from '../../../src/suite/probe.js';
import { aModel } from './config.js';
import { aProbe } from './probe.js';

export type PlannedCellChanges = Partial<Omit<PlannedCell, 'cell'>> &
  Partial<Omit<Cell, 'key' | 'probe'>> & { readonly path?: string; readonly probe?: Partial<Probe> };

/** A planned cell for the probe at `path`, `SUITE/NAME`; the cell's key follows from path, point and model. */
export function aPlannedCell(changes: PlannedCellChanges = {}): PlannedCell {
  const { path = 'suite/probe', model = aModel(), point = {}, ...others } = changes;
  const { capability, needs = [], selected = true, unmeetable = null, ...planned } = others;
  const probe = aProbe(path, changes.probe);
  const key = cellKey(path, Object.entries(point), model.key);
  return {
    cell: { key, probe, point, model, capability: capability ?? probe.capability, needs, selected, unmeetable },
    expected: planned.expected ?? expectedPass,
    course: planned.course ?? 'fixed',
    trials: planned.trials ?? countedTrials(1),
    confirm: planned.confirm ?? true,
  };
}

export function aPlan(cells: readonly PlannedCell[], changes: Partial<Plan> = {}): Plan {
  const covered = cells.filter(({ expected }) => expected.kind !== 'new');
  return {
    ...{ cells, reserve: [], absent: [], digest: 'plan-1', digests: { config: 'c', suites: 's', schemas: 'h' } },
    ...{ profile: 'standard', seed: 1, plannedCells: cells.length },
    knownModels: new Set(covered.map(({ cell }) => cell.model.key)),
    acceptedWire: new Map(),
    ...changes,
  };
}

export const countedTrials = (count: number) => ({ kind: 'count', count }) as const;
export const sequentialTrials = { kind: 'decided', reliable: 0.95, broken: 0.7, error: 0.05, max: 40 } as const;

export const expectedPass: Expected = { kind: 'pass', threshold: null };

/** What the baseline says of a cell; without changes, that it fails. */
export function anEntry(changes: Partial<BaselineEntry> = {}): Extract<Expected, { kind: 'entry' }> {
  return {
    kind: 'entry',
    entry: {
      ...{ key: aPlannedCell().cell.key, verdict: 'fail', class: 'not_json', reason: null, status: 200 },
      ...{ passed: null, total: null, date: '2026-01-01', note: null, link: null, provisional: false, threshold: null },
      ...changes,
    },
  };
}
