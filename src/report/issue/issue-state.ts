import { splitAtModel } from '../../cell/cell-key.js';
import { isJudged } from '../../cell/verdict.js';
import { isSameJson } from '../../json/same-json.js';
import { familyOf } from '../../matrix/capability-families.js';
import { type Deviation, deviationId, deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report, ReportUnmeasured } from '../../matrix/report-format.js';
import { comparable, judgedIn, showsIn } from '../history/run-says.js';
import type { RunSummary } from '../history/run-summary.js';
import { deviatingSince, isNew, type Since } from '../history/since.js';
import { enoughExchanges } from '../../decide/wire/wire-standing.js';
import { isShard } from '../view/is-shard.js';
import { modelsInDoubt } from '../view/summary.js';
import { lastingGroups } from '../view/unmeasured.js';

/** What a run means for the issue that tracks deviations. */
export interface IssueState {
  /** null: nothing deviates as far as was measured, but what did may still do so; the issue stays as it is. */
  readonly state: 'open' | 'closed' | null;
  /** Cells and models of which nobody knows whether they deviate. */
  readonly open: readonly string[];
  readonly deviations: readonly KnownDeviation[];
  /** Ids of deviations of the last run that this one shows to be gone. */
  readonly ended: readonly string[];
  /** Ids of cells that fail at times, of a capability family of which others did so in the run before, and the other way round. */
  readonly atTimes: { readonly now: readonly string[]; readonly then: readonly string[] };
  /** What models never answered, which keeps the issue open. */
  readonly unanswered: readonly ReportUnmeasured[];
}

export interface KnownDeviation {
  readonly id: string;
  readonly deviation: Deviation;
  readonly since: Since;
}

/**
 * @param earlier the runs before, the oldest first; those of older versions, which do not say what deviated, and shards
 *   are left out
 */
export function issueState(report: Report, earlier: readonly RunSummary[]): IssueState {
  const runs = comparable(earlier);
  const deviations = deviationsOf(report).map((deviation): KnownDeviation => {
    const id = deviationId(deviation);
    return { id, deviation, since: deviatingSince(deviation, runs) };
  });
  const unanswered = lastingGroups(report, earlier);
  const explained = new Set(unanswered.flatMap(({ cells }) => cells));
  const asked = openQuestions(report, runs);
  const open = asked.filter((subject) => !explained.has(subject));
  if (isShard(report)) return { state: null, open, deviations: [], ended: [], atTimes: noneAtTimes, unanswered: [] };
  const still = new Set([...deviations.map(({ id }) => id), ...asked]);
  const last = runs.at(-1);
  const left = (last?.deviating ?? []).filter(
    (id) => !still.has(id) && !still.has(subjectOf(id)) && !(last && isStillShared(id, last, report)),
  );
  const atTimes = last === undefined ? noneAtTimes : failingAtTimes(report, { deviations, left, last });
  const ended = left.filter((id) => !atTimes.then.includes(id));
  const isOpen = deviations.length > 0 || unanswered.length > 0;
  const isClosed = open.length === 0 && modelsInDoubt(report) === null;
  return { state: isOpen ? 'open' : isClosed ? 'closed' : null, open, deviations, ended, atTimes, unanswered };
}

const noneAtTimes = { now: [], then: [] };

/**
 * What is flaky fails enough to be told in one cell tonight and in another tomorrow. Where cells of a model and a family
 * did so in the run before and do so tonight, nothing says that those of then are mended, and those of now are new.
 */
function failingAtTimes(
  { cells }: Report,
  { deviations, left, last }: { deviations: readonly KnownDeviation[]; left: readonly string[]; last: RunSummary },
): IssueState['atTimes'] {
  const places = new Map(cells.map(({ key, model, capability }) => [key, `${model} ${familyOf(capability)}`]));
  const placeOf = (id: string): string => places.get(subjectOf(id)) ?? '';
  const isFlakyThen = (id: string): boolean =>
    id.startsWith('regression ') && last.cells[subjectOf(id)]?.startsWith('flaky ') === true && placeOf(id) !== '';
  const flaky = deviations.filter(
    ({ deviation: one }) => one.kind === 'regression' && one.cell.verdict === 'flaky' && one.cell.shared === undefined,
  );
  const placesNow = new Set(flaky.map(({ id }) => placeOf(id)));
  const placesThen = new Set((last.deviating ?? []).filter(isFlakyThen).map(placeOf));
  return {
    now: flaky.flatMap(({ id, since }) => (isNew(since) && placesThen.has(placeOf(id)) ? [id] : [])),
    then: left.filter((id) => isFlakyThen(id) && placesNow.has(placeOf(id))),
  };
}

/** A cell that failed at times, of a model whose cells still share a failure: tonight, others of them show it. */
function isStillShared(id: string, { cells }: RunSummary, { models }: Report): boolean {
  const subject = subjectOf(id);
  const model = models.find((one) => one.id === splitAtModel(subject).model);
  const goesOn = model?.shared_failures?.some(({ alarm, runs }) => alarm && runs > 1) === true;
  return goesOn && id.startsWith('regression ') && cells[subject]?.startsWith('flaky ') === true;
}

/**
 * What may deviate although this run does not show it: cells and models that it did not measure, or left out by its
 * options, and that deviated when they were last measured; without earlier runs, all of them. What the plan no longer
 * holds although the options are the same was removed.
 */
function openQuestions(report: Report, runs: readonly RunSummary[]): readonly string[] {
  const left = new Set(report.models.filter(({ standing }) => standing === 'gone').map(({ id }) => id));
  const reached = new Set(report.models.filter(({ id, reachable }) => reachable || left.has(id)).map(({ id }) => id));
  const judged = new Set(report.cells.filter(isJudged).map(({ key }) => key));
  const unmeasured = report.cells.filter((cell) => !isJudged(cell) && !isExplained(cell) && !left.has(cell.model));
  const planned = new Set(report.cells.map(({ key }) => key));
  if (runs.length === 0) return unmeasured.map(({ key }) => key);
  const open = lastDeviating(runs).flatMap(({ id, run }): string[] => {
    const subject = subjectOf(id);
    const model = splitAtModel(subject).model ?? subject;
    const isOfCell = !id.startsWith('gone ') && !id.startsWith('wire ');
    if (left.has(model)) return [];
    const isSamePart = isSameJson({ ...report.run.filters }, { ...run.run.filters });
    const isWhole = report.run.last_failed === undefined && (report.run.filters === undefined || isSamePart);
    if (id.startsWith('wire ')) return isWireSettled(subject, report, isWhole) ? [] : [subject];
    if (isOfCell ? judged.has(subject) : reached.has(model)) return [];
    const isPlanned = isOfCell ? planned.has(subject) : report.models.some((one) => one.id === model);
    if (isPlanned) return isOfCell && !unmeasured.some(({ key }) => key === subject) ? [] : [subject];
    return isWhole ? [] : [subject];
  });
  return [...new Set(open)];
}

/**
 * Whether the run tells what became of a quirk. Where it could not show, the report does not name it; then only a run that
 * asked all that showed it, and judged all cells of the model, tells that it is gone.
 * @param subject `quirk@t/m`
 * @param isWhole the run asked whatever the run with the quirk asked
 */
function isWireSettled(subject: string, { wire = [], cells }: Report, isWhole: boolean): boolean {
  const { head, model } = splitAtModel(subject);
  const own = wire.find((one) => one.model === model && one.quirk === head);
  if (own !== undefined) return own.of >= enoughExchanges;
  const ofModel = cells.filter((cell) => cell.model === model);
  return isWhole && ofModel.length > 0 && ofModel.every((cell) => isJudged(cell) || isExplained(cell));
}

/** Another cell explains why it was not asked. */
const isExplained = ({ verdict, trials }: Report['cells'][number]): boolean =>
  verdict === 'blocked' && (trials.missing ?? 0) === 0;

/** Each deviation of earlier runs that the last run which could have shown it showed, with that run. */
function lastDeviating(runs: readonly RunSummary[]): readonly { readonly id: string; readonly run: RunSummary }[] {
  const ids = new Set(runs.flatMap(({ deviating = [] }) => deviating));
  return [...ids].flatMap((id) => {
    const subject = subjectOf(id);
    const model = splitAtModel(subject).model ?? subject;
    const isOfModel = id.startsWith('gone ') || id.startsWith('wire ');
    const run = runs.findLast(
      (one) => showsIn(one, id) || (isOfModel ? one.models[model]?.reachable === true : judgedIn(one, subject)),
    );
    return run !== undefined && showsIn(run, id) ? [{ id, run }] : [];
  });
}

/** `suite/probe[...]@t/m`, `t/m` or `quirk@t/m`. */
const subjectOf = (id: string): string => id.slice(id.indexOf(' ') + 1);
