import type { ReportCapability, ReportCell } from '../../../../src/matrix/report-format.js';
import type { Ticket } from '../../../../src/plan/ticket.js';
import { readCondition } from '../../../support/read-condition.js';
import { type FailureMode, holds, passRate, type Situation, type WorldModel } from '../model.js';
import type { Night } from '../run-world.js';
import { situationAt } from '../situation.js';
import { noticedBy } from './plain-cells.js';
import { type Mistake, type Scorer, scoreOf } from './score.js';

/** What the text of a condition says of a point of its probes, and how often a request there really passes. */
interface Point {
  readonly probe: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rate: number;
  readonly situation: Situation;
  readonly wasAsked: boolean;
}

/** A capability with a condition, and every point of the full product of its probes. */
interface Conditioned {
  readonly capability: ReportCapability;
  readonly text: string;
  readonly model: WorldModel;
  readonly points: readonly Point[];
}

/** No condition may be false where cells were judged, and each must be of the grammar. */
export const conditionsAsked: Scorer = (night) => {
  const partial = night.report.capabilities.filter(({ verdict }) => verdict === 'partial');
  const open = partial.filter(({ condition }) => condition === null);
  return {
    ...scoreOf('conditions, judged points', pointsIn(night, true), ({ one, point }) => falseAt(one, point)),
    figures: { 'partial without a condition, %': { sum: 100 * open.length, of: partial.length, most: 8 } },
  };
};

/** What a condition means where nothing was asked. */
export const conditionsUnasked: Scorer = (night) =>
  scoreOf('conditions, other points', pointsIn(night, false), ({ one, point }) => falseAt(one, point));

function pointsIn(night: Night, asked: boolean): readonly { readonly one: Conditioned; readonly point: Point }[] {
  return conditionedIn(night).flatMap((one) =>
    one.points.flatMap((point) => (point.wasAsked === asked ? [{ one, point }] : [])),
  );
}

/** Two axes that only fail together are both in the text, if judged cells show it. */
export const interactionsNamed: Scorer = (night) =>
  scoreOf(
    'interactions named',
    conditionedIn(night).flatMap((one) => visibleInteractions(one).map((axes) => ({ one, axes }))),
    ({ one: { capability, text }, axes }) =>
      axes.every((axis) => text.includes(axis))
        ? null
        : mistake(capability, text, `fails with ${axes.join(' and ')} together`),
  );

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
  const asked = [...night.plan.tickets, ...night.plan.reserve.map(({ ticket }) => ticket)];
  const tickets = new Map(asked.map((ticket) => [ticket.cell.key, ticket]));
  const cells = new Map(night.report.cells.map((cell) => [cell.key, cell]));
  return night.report.capabilities.flatMap((capability): Conditioned[] => {
    const { condition: text, model: id } = capability;
    const model = models.get(id);
    if (text === null || model === undefined) return [];
    const own = capability.cells.map((key) => ({ cell: cells.get(key)!, ticket: tickets.get(key)! }));
    const probes = new Map(own.map(({ cell }) => [cell.probe, own.filter((one) => one.cell.probe === cell.probe)]));
    return [
      { capability, text, model, points: [...probes.values()].flatMap((probe) => pointsOf(probe, model, night)) },
    ];
  });
}

/** Axes whose labels say what is sent; of a probe with others, only what was asked is scored. */
const understood: ReadonlySet<string> = new Set(['stream', 'thinking', 'tool_choice', 'max_tokens']);

type Own = readonly { readonly cell: ReportCell; readonly ticket: Ticket }[];

function pointsOf(own: Own, model: WorldModel, night: Night): readonly Point[] {
  const [{ ticket }] = own as [Own[number]];
  const { probe } = ticket.cell;
  if (probe.enforce !== null || probe.steps.length > 1) return [];
  const noticed = noticedBy(ticket, model);
  const sent = own.flatMap(({ cell }) =>
    (night.trials.get(cell.key) ?? []).flatMap((trial) => trial.map(({ situation }) => situation)),
  );
  const [first] = sent;
  if (first === undefined) return [];
  const prompts = [...new Set(sent.map(({ prompt }) => prompt))];
  const at = (labels: Readonly<Record<string, string>>, base: Situation, wasAsked: boolean): Point => {
    const situation = situationAt(base, labels, model);
    const rates = prompts.map((prompt) => passRate(noticed, { ...situation, prompt }));
    const rate = rates.reduce((sum, one) => sum + one, 0) / rates.length;
    return { probe: `${probe.suite}/${probe.name}`, labels, rate, situation, wasAsked };
  };
  const judged = own.filter(({ cell: { verdict } }) => verdict === 'pass' || verdict === 'fail' || verdict === 'flaky');
  const asked = judged.flatMap(({ cell }) => {
    const base = night.trials.get(cell.key)?.[0]?.[0]?.situation ?? first;
    if (probe.find === null) return [at(cell.point, base, true)];
    const { axis } = probe.find;
    return (cell.threshold?.curve ?? []).map(([value]) => at({ ...cell.point, [axis]: String(value) }, base, true));
  });
  const axes = probe.axes.map(({ name }) => name).filter((name) => name !== probe.find?.axis);
  if (!axes.every((axis) => understood.has(axis)) || probe.exclude.length > 0) return asked;
  const values = probe.find === null ? [] : Array.from({ length: 9 }, (_, step) => String(64 * 2 ** step));
  const labels = [
    ...axes.map((axis) => [axis, [...new Set(own.flatMap(({ cell }) => cell.point[axis] ?? []))]] as const),
    ...(probe.find === null ? [] : [[probe.find.axis, values] as const]),
  ];
  const known = new Set(asked.map((point) => keyOf(point.labels)));
  return [
    ...asked,
    ...productOf(labels).flatMap((point) => (known.has(keyOf(point)) ? [] : [at(point, first, false)])),
  ];
}

const keyOf = (labels: Readonly<Record<string, string>>): string => JSON.stringify(Object.entries(labels).sort());

function productOf(axes: readonly (readonly [string, readonly string[]])[]): Record<string, string>[] {
  return axes.reduce<Record<string, string>[]>(
    (rows, [axis, labels]) => rows.flatMap((row) => labels.map((label) => ({ ...row, [axis]: label }))),
    [{}],
  );
}

/** The axes of each mode that needs two of them, where judged points fail by it alone and pass without either. */
function visibleInteractions({ model, points }: Conditioned): readonly (readonly string[])[] {
  return model.modes.flatMap((mode) => {
    const axes = axesOf(mode);
    if (axes.length < 2 || 1 - mode.rate >= broken) return [];
    const asked = points.filter(({ wasAsked, labels }) => wasAsked && axes.every((axis) => labels[axis] !== undefined));
    const others = { ...model, modes: model.modes.filter((other) => other !== mode) };
    const failsByIt = asked.some(
      ({ rate, situation }) => rate < broken && holds(mode.when, situation) && passRate(others, situation) >= reliable,
    );
    const passesWithout = axes.every((axis) =>
      asked.some(
        ({ rate, situation }) =>
          rate >= reliable &&
          !holds(only(mode, [axis]), situation) &&
          holds(
            only(
              mode,
              axes.filter((one) => one !== axis),
            ),
            situation,
          ),
      ),
    );
    return failsByIt && passesWithout ? [axes] : [];
  });
}

function axesOf({ when }: FailureMode): readonly string[] {
  return [
    ...(when.stream === undefined ? [] : ['stream']),
    ...(when.thinking === undefined ? [] : ['thinking']),
    ...(when.tool_choice === undefined ? [] : ['tool_choice']),
    ...(when.below === undefined && when.from === undefined ? [] : ['max_tokens']),
  ];
}

/** The circumstances on some axes alone. */
function only({ when }: FailureMode, axes: readonly string[]): FailureMode['when'] {
  const { stream, thinking, tool_choice, below, from } = when;
  return {
    ...(axes.includes('stream') && stream !== undefined && { stream }),
    ...(axes.includes('thinking') && thinking !== undefined && { thinking }),
    ...(axes.includes('tool_choice') && tool_choice !== undefined && { tool_choice }),
    ...(axes.includes('max_tokens') && below !== undefined && { below }),
    ...(axes.includes('max_tokens') && from !== undefined && { from }),
  };
}
