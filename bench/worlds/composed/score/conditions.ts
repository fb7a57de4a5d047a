import type { ReportCapability, ReportCell } from '../../../../src/matrix/report-format.js';
import type { PlannedCell } from '../../../../src/plan/plan.js';
import { readCondition } from '../../../../test/support/read-condition.js';
import { passRate, type Situation, type WorldModel } from '../model.js';
import type { Night } from '../run-world.js';
import { situationAt } from '../situation.js';
import { noticedBy } from './plain-cells.js';
import { type Mistake, type Scorer, scoreOf } from './score.js';

/** A point at which a cell was judged, and how often a request there really passes. */
interface Point {
  readonly probe: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rate: number;
}

/** A capability with a condition, and its judged points. */
interface Conditioned {
  readonly capability: ReportCapability;
  readonly text: string;
  readonly points: readonly Point[];
}

/** No condition may be false where cells were judged, and each must be of the grammar. */
export const conditions: Scorer = (night) => {
  const partial = night.report.capabilities.filter(({ verdict }) => verdict === 'partial');
  const points = conditionedIn(night).flatMap((one) => one.points.map((point) => ({ one, point })));
  return {
    ...scoreOf('conditions, judged points', points, ({ one, point }) => falseAt(one, point)),
    figures: {
      'partial capabilities with a condition': {
        count: partial.filter(({ condition }) => condition !== null).length,
        of: partial.length,
      },
    },
  };
};

const reliable = 0.95;
const broken = 0.7;
const rounding = 1e-9;

function falseAt({ capability, text }: Conditioned, point: Point): Mistake | null {
  const read = readCondition(text);
  if (read === null) return mistake(capability, text, 'is not of the grammar');
  const passes = read(point.labels);
  const truth = point.rate >= reliable - rounding ? true : point.rate < broken - rounding ? false : null;
  if (truth === null || passes === truth) return null;
  const where = `${point.probe} ${JSON.stringify(point.labels)}`;
  const said = `${text}\n    of ${where}: ${passes ? 'passes' : 'does not pass'}`;
  return mistake(capability, said, `passes at a rate of ${point.rate.toFixed(3)}`);
}

function mistake({ capability, model }: ReportCapability, said: string, truth: string): Mistake {
  return { at: `${capability}@${model}`, said, truth };
}

function conditionedIn(night: Night): readonly Conditioned[] {
  const models = new Map(night.models.map((model) => [`world/${model.id}`, model]));
  const asked = [...night.plan.cells, ...night.plan.reserve.map(({ planned }) => planned)];
  const plannedCells = new Map(asked.map((planned) => [planned.cell.key, planned]));
  const cells = new Map(night.report.cells.map((cell) => [cell.key, cell]));
  return night.report.capabilities.flatMap((capability): Conditioned[] => {
    const { condition: text, model: id } = capability;
    const model = models.get(id);
    if (text === null || model === undefined) return [];
    const own = capability.cells.map((key) => ({ cell: cells.get(key)!, planned: plannedCells.get(key)! }));
    const probes = new Map(own.map(({ cell }) => [cell.probe, own.filter((one) => one.cell.probe === cell.probe)]));
    return [{ capability, text, points: [...probes.values()].flatMap((probe) => pointsOf(probe, model, night)) }];
  });
}

type Own = readonly { readonly cell: ReportCell; readonly planned: PlannedCell }[];

function pointsOf(own: Own, model: WorldModel, night: Night): readonly Point[] {
  const [{ planned }] = own as [Own[number]];
  const { probe } = planned.cell;
  if (probe.enforce !== null || probe.steps.length > 1) return [];
  const noticed = noticedBy(planned, model);
  const sent = own.flatMap(({ cell }) =>
    (night.trials.get(cell.key) ?? []).flatMap((trial) => trial.map(({ situation }) => situation)),
  );
  const [first] = sent;
  if (first === undefined) return [];
  const prompts = [...new Set(sent.map(({ prompt }) => prompt))];
  const at = (labels: Readonly<Record<string, string>>, base: Situation): Point => {
    const situation = situationAt(base, labels, model);
    const rates = prompts.map((prompt) => passRate(noticed, { ...situation, prompt }));
    const rate = rates.reduce((sum, one) => sum + one, 0) / rates.length;
    return { probe: `${probe.suite}/${probe.name}`, labels, rate };
  };
  const judged = own.filter(({ cell: { verdict } }) => verdict === 'pass' || verdict === 'fail' || verdict === 'flaky');
  return judged.flatMap(({ cell }) => {
    const base = night.trials.get(cell.key)?.[0]?.[0]?.situation ?? first;
    if (probe.find === null) return [at(cell.point, base)];
    const { axis } = probe.find;
    return (cell.threshold?.curve ?? []).map(([value]) => at({ ...cell.point, [axis]: String(value) }, base));
  });
}
