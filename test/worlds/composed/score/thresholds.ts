import { groupBy } from '../../../../src/json/group-by.js';
import type { ReportCell } from '../../../../src/matrix/report-format.js';
import { passRate, type Situation, type WorldModel } from '../model.js';
import type { Night } from '../run-world.js';
import { situationAt } from '../situation.js';
import { noticedBy, trialOf, type PlainTrial } from './plain-cells.js';
import { type Scorer, scoreOf } from './score.js';

/** From this rate on a value is reliable, as the sequential test means it. */
const reliable = 0.95;
/** Below this rate no search should take a value for reliable: ten passes in a row are as seldom as one in 35. */
const unreliable = 0.7;

/** The smallest reliable value, what lies above it, and the verdict, of each cell that searches along an axis. */
export const thresholds: Scorer = (night) =>
  scoreOf('thresholds', searchedCells(night), (one) => {
    const truth = mistakenIn(one);
    return truth === null ? null : { at: one.cell.key, said: saidOf(one.cell), truth: `${truth}; ${curveOf(one)}` };
  });

/** A stretch of the axis along which the rate is the same, from `start` to just below the next one. */
interface Stretch {
  readonly start: number;
  /** The first value that is not part of it. */
  readonly end: number;
  readonly rate: number;
}

interface SearchedCell {
  readonly cell: ReportCell;
  readonly axis: string;
  readonly tolerance: number;
  /** The values that a search by doubling may ask before it knows anything: each should pass as the truth says. */
  readonly doublings: readonly number[];
  /** Ascending, without gaps. */
  readonly truth: readonly Stretch[];
  /** By value. */
  readonly asked: ReadonlyMap<number, readonly PlainTrial[]>;
}

function searchedCells({ models, plan, report, trials }: Night): readonly SearchedCell[] {
  const byId = new Map(models.map((model) => [`world/${model.id}`, model]));
  const tickets = new Map(plan.tickets.map((ticket) => [ticket.cell.key, ticket]));
  return report.cells.flatMap((cell) => {
    const ticket = tickets.get(cell.key);
    const find = ticket?.cell.probe.find ?? null;
    if (ticket === undefined || find === null || find.axis !== 'max_tokens' || cell.verdict === 'blocked') return [];
    const whole = byId.get(cell.model)!;
    const model = noticedBy(ticket, whole);
    const answered = (trials.get(cell.key) ?? []).map((sent) => trialOf(sent, model, whole));
    const asked = groupBy(answered, ({ situation }) => situation.max_tokens ?? find.to);
    const { axis, from, to, tolerance } = find;
    const doublings = [from];
    while (doublings.at(-1)! < to) doublings.push(Math.min(to, 2 * doublings.at(-1)!));
    const truth = stretchesOf(
      model,
      answered.map(({ situation }) => situation),
      { axis, from, to },
    );
    return [{ cell, axis, tolerance, doublings, truth, asked }];
  });
}

function stretchesOf(
  model: WorldModel,
  situations: readonly Situation[],
  { axis, from, to }: { readonly axis: string; readonly from: number; readonly to: number },
): readonly Stretch[] {
  const prompts = [...new Map(situations.map((situation) => [situation.prompt, situation])).values()];
  const edges = model.modes.flatMap(({ when }) => [when.below ?? from, when.from ?? from]);
  const starts = [...new Set([from, ...edges.filter((edge) => edge > from && edge <= to)])].sort((a, b) => a - b);
  return starts.map((start, index) => {
    const rates = prompts.map((prompt) => passRate(model, situationAt(prompt, { [axis]: String(start) }, model)));
    const rate = rates.reduce((sum, one) => sum + one, 0) / Math.max(1, rates.length);
    return { start, end: starts[index + 1] ?? to + 1, rate };
  });
}

/** null: nothing is wrong. */
function mistakenIn(one: SearchedCell): string | null {
  return wrongCounts(one) ?? wrongVerdict(one) ?? wrongValue(one) ?? wrongSides(one);
}

function wrongCounts({ cell, asked }: SearchedCell): string | null {
  const curve = new Map((cell.threshold?.curve ?? []).map(([x, passed, total]) => [x, { passed, total }]));
  for (const x of new Set([...curve.keys(), ...asked.keys()])) {
    const { passed, total } = countAt(asked, x);
    const said = curve.get(x);
    if (said?.passed !== passed || said.total !== total) return `${passed} of ${total} passed at ${x}`;
  }
  const at = cell.threshold?.value ?? null;
  const isAtValue = at === null || cell.trials.total === countAt(asked, at).total;
  return isAtValue ? null : `${countAt(asked, at).total} trials at the value`;
}

function wrongVerdict(one: SearchedCell): string | null {
  const { cell, asked, doublings, truth } = one;
  const value = cell.threshold?.value ?? null;
  switch (cell.verdict) {
    case 'pass':
      if (value === null) return 'a cell that passes does so from a value on';
      return rateAt(truth, value) > 0 ? null : 'it never passes there';
    case 'fail': {
      const passing = [...asked.keys()].find((x) => countAt(asked, x).passed > 0);
      if (passing !== undefined) return `it passed at ${passing}`;
      const missed = doublings.find((x) => rateAt(truth, x) >= reliable);
      return missed === undefined ? null : `it passes at ${missed}`;
    }
    case 'flaky': {
      const rates = (value === null ? [...asked.keys()] : [value]).flatMap((x) =>
        (asked.get(x) ?? []).map(({ rate }) => rate),
      );
      const mayBoth = rates.some((rate) => rate > 0 && rate < 1) || new Set(rates).size > 1;
      return mayBoth ? null : 'no trial there passes only sometimes';
    }
    case 'inconclusive':
    case 'blocked':
    case 'not_run':
      return 'it can be measured';
  }
}

function wrongValue({ cell, doublings, tolerance, truth }: SearchedCell): string | null {
  const value = cell.threshold?.value ?? null;
  const regions = reliableRegions(truth);
  // A search that doubles meets the first region that holds a doubling; on its way there it may meet narrower ones.
  const met = regions.findIndex((region) => doublings.some((x) => isIn(region, x)));
  const best = regions[met];
  if (value === null) return best === undefined ? null : `reliable from ${best.start}`;
  const rate = rateAt(truth, value);
  if (rate < unreliable) return `passes at a rate of ${rate.toFixed(2)} there`;
  if (best === undefined) return null;
  const highest = Math.ceil(best.start * (1 + tolerance));
  return value <= Math.max(highest, doublings[0]!) ? null : `reliable from ${best.start}`;
}

function wrongSides({ cell, doublings, truth }: SearchedCell): string | null {
  const { value, last_failing: failing, monotonic } = cell.threshold ?? noThreshold;
  if (failing !== null && rateAt(truth, failing) === 1) return `always passes at ${failing}`;
  const rates = truth.map(({ rate }) => rate);
  const falls = rates.some((rate, index) => rate < (rates[index - 1] ?? 0));
  if (!monotonic) return falls ? null : 'larger values never pass less often';
  if (value === null) return null;
  // Nothing there can be mistaken for chance: from always to never, over a whole doubling.
  const fallen = doublings.find((x) => x > value && rateAt(truth, x) === 0);
  return rateAt(truth, value) >= reliable && fallen !== undefined ? `fails again at ${fallen}` : null;
}

const noThreshold = { value: null, last_failing: null, monotonic: true };

/** Stretches in a row that are reliable count as one. */
function reliableRegions(truth: readonly Stretch[]): readonly Pick<Stretch, 'start' | 'end'>[] {
  return truth
    .filter(({ rate }) => rate >= reliable)
    .reduce<readonly Pick<Stretch, 'start' | 'end'>[]>((regions, { start, end }) => {
      const last = regions.at(-1);
      return last?.end === start ? [...regions.slice(0, -1), { start: last.start, end }] : [...regions, { start, end }];
    }, []);
}

const isIn = ({ start, end }: Pick<Stretch, 'start' | 'end'>, x: number): boolean => x >= start && x < end;

const rateAt = (truth: readonly Stretch[], x: number): number => truth.find((stretch) => isIn(stretch, x))?.rate ?? 0;

function countAt(asked: SearchedCell['asked'], x: number): { readonly passed: number; readonly total: number } {
  const trials = asked.get(x) ?? [];
  return { passed: trials.filter(({ struck }) => struck.length === 0).length, total: trials.length };
}

function saidOf({ verdict, trials, threshold }: ReportCell): string {
  if (threshold === null) return `${verdict}, no threshold`;
  const curve = threshold.curve.map(([x, passed, total]) => `${x}: ${passed}/${total}`).join(', ');
  const sides = `last failing ${threshold.last_failing}, ${threshold.monotonic ? '' : 'not '}monotonic`;
  return `${verdict} ${trials.passed}/${trials.total} from ${threshold.value}, ${sides} (${curve})`;
}

const curveOf = ({ truth }: SearchedCell): string =>
  `rates ${truth.map(({ start, rate }) => `from ${start}: ${rate.toFixed(2)}`).join(', ')}`;
