import type { ReportCell } from '../../../../src/matrix/report-format.js';
import type { PlannedCell } from '../../../../src/plan/plan.js';
import { kinds } from '../kinds.js';
import { holds, passRate, type FailureMode, type Situation, type WorldModel } from '../model.js';
import type { Asked } from '../record-night.js';
import type { Night } from '../run-world.js';

/** A cell whose trials are single requests, all of them the same question: no search, no enforcement, no flow. */
export interface PlainCell {
  readonly cell: ReportCell;
  readonly planned: PlannedCell;
  readonly model: WorldModel;
  readonly trials: readonly PlainTrial[];
}

/** One trial, as the service saw it. */
export interface PlainTrial {
  readonly situation: Situation;
  /** The true pass rate of what was asked. */
  readonly rate: number;
  /** The modes that can strike, as far as the probe can notice them. */
  readonly possible: readonly FailureMode[];
  /** Those of them that did. */
  readonly struck: readonly FailureMode[];
}

export function plainCells({ models, plan, report, trials }: Night): readonly PlainCell[] {
  const byId = new Map(models.map((model) => [`world/${model.id}`, model]));
  const asked = [...plan.cells, ...plan.reserve.map(({ planned }) => planned)];
  const cells = new Map(asked.map((planned) => [planned.cell.key, planned]));
  return report.cells.flatMap((cell) => {
    const planned = cells.get(cell.key)!;
    const { probe } = planned.cell;
    if (probe.find !== null || probe.enforce !== null || probe.steps.length > 1) return [];
    const model = noticedBy(planned, byId.get(cell.model)!);
    const seen = (trials.get(cell.key) ?? []).map((sent) => trialOf(sent, model, byId.get(cell.model)!));
    return [{ cell, planned, model, trials: seen }];
  });
}

/** The last answer to the probe's own request is the one that counts. */
export function trialOf(sent: readonly Asked[], noticed: WorldModel, whole: WorldModel): PlainTrial {
  const { situation, struck } = sent.findLast(({ purpose }) => purpose === 'probe')!;
  const possible = noticed.modes.filter(({ when }) => holds(when, situation));
  const modes = struck.map((index) => whole.modes[index]!);
  return {
    situation,
    rate: passRate(noticed, situation),
    possible,
    struck: modes.filter((mode) => possible.includes(mode)),
  };
}

/** Without the modes that only a rule over the values would notice, where the probe has none. */
export function noticedBy({ cell }: PlannedCell, model: WorldModel): WorldModel {
  const readsValues = cell.probe.steps.some(
    (step) => step.kind === 'ask' && (step.expect.rules ?? []).some(({ assert }) => assert.includes('value.')),
  );
  return readsValues ? model : { ...model, modes: model.modes.filter(({ kind }) => kinds[kind].needsRules !== true) };
}
