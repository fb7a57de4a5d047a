import { type Json, writtenJson } from '../../json/json.js';
import { groupBy } from '../../json/group-by.js';
import type { Report } from '../../matrix/report-format.js';
import { modelIn, type ReportDiff } from '../../matrix/diff/report-diff.js';
import { sumOf } from '../../stats/count.js';
import { capabilitiesText, faultText, joinedNames, type Names } from '../sections/names.js';
import { adviceFor } from '../../matrix/advice.js';
import { adviceText } from '../words/advice-text.js';
import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';

const { diffs, lostModels, needs: needTitles, verdictTexts } = texts;

/** Changes with their kind. Models that show the same share a row. */
export interface DiffRow {
  readonly what: string;
  readonly says: readonly string[];
}

/** The report of the head, which knows what else its models can do. */
export type DiffHead = Pick<Report, 'recommendations' | 'columns'>;

type RenderedCellChange = ReportDiff['lost'][number];
type RenderedNeed = ReportDiff['needs'][number];

/** No report says here what capabilities are called. */
const ids: Names = { model: (id) => id, capability: (id) => id, columns: [], columnOf: () => null };

/** Beyond so many, cells, names and rows are only counted. */
export const diffLimits = { cells: 4, names: 5, rows: 30 };

const row = (what: string, ...says: readonly string[]): DiffRow => ({ what, says });
const rateCountText = ({ passed, total }: { readonly passed: number; readonly total: number }) => `${passed}/${total}`;
const cellsText = (cells: readonly string[]): string => joinedNames(cells, diffLimits.cells);
const total = <T>(items: readonly T[], countOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + countOf(item), 0);

/** The items that say the same, each group with its first. */
function alike<T>(items: readonly T[] | undefined, saysOf: (item: T) => Json): readonly (readonly [T, readonly T[]])[] {
  const groups = groupBy(items ?? [], (item) => writtenJson(saysOf(item)));
  return [...groups.values()].map((all) => [all[0] as T, all]);
}

const modelsText = (items: readonly { readonly model: string }[]): string =>
  joinedNames([...new Set(items.map(({ model }) => model))], diffLimits.names);

/** The changed cells that fail, or failed, for one reason, of all models that show it in the same capabilities. */
export function changesByCause(changes: readonly RenderedCellChange[]): readonly (readonly RenderedCellChange[])[] {
  const ofModels = alike(changes, (one) => [modelIn(one.cell), ...reasonsOf(one)]);
  const merged = alike(ofModels, ([first, all]) => [
    ...reasonsOf(first),
    [...new Set(all.map(({ capability }) => capability))].sort(),
  ]);
  return merged.map(([, groups]) => groups.flatMap(([, all]) => all));
}

function reasonsOf({ base, head, behaviour }: RenderedCellChange): readonly (string | number | null)[] {
  const { class: outcome, reason, status } = head.verdict === 'pass' ? base : head;
  if (behaviour !== undefined) return [behaviour];
  const before = head.verdict === 'fail' && base.verdict === 'fail' ? [base.class, base.reason, base.status] : [];
  return [outcome, reason, status, ...before];
}

/** By what else the models can do, where they can do the same. */
function changeAdvice(cause: readonly RenderedCellChange[], { recommendations, columns }: DiffHead): readonly string[] {
  const [first] = cause as readonly [RenderedCellChange];
  if (first.behaviour !== undefined) return [];
  const trials = sumOf(cause.map(({ head }) => head));
  const adviceOn = (model: string | null): string =>
    adviceText(
      adviceFor(
        { ...first.head, asked: [{ capability: first.capability }], trials },
        model === null ? null : { models: [model], recommendations, columns },
      ),
    );
  const all = [...new Set(cause.map(({ head }) => adviceOn(head.model)))];
  return all.length === 1 ? all : [adviceOn(null)];
}

function causeText(cause: readonly RenderedCellChange[]): string {
  const models = [...new Set(cause.map(({ cell }) => modelIn(cell)))].filter((model) => model !== '');
  const what = capabilitiesText(
    cause.map(({ capability }) => capability),
    ids,
  );
  return models.length === 0 ? what : `${joinedNames(models, diffLimits.names)}: ${what}`;
}

const shownCells = (cause: readonly RenderedCellChange[]): string => cellsText(cause.map(({ cell }) => cell));

const detailOf = (cause: readonly RenderedCellChange[]): readonly string[] =>
  cause.flatMap(({ head }) => head.detail ?? []).slice(0, 1);

export function lostRow(cause: readonly RenderedCellChange[], diffHead: DiffHead): DiffRow {
  const [first] = cause as readonly [RenderedCellChange];
  const [before, now] = [sumOf(cause.map(({ base }) => base)), sumOf(cause.map(({ head }) => head))];
  const fault = first.behaviour ?? faultText(first.head);
  return row(
    causeText(cause),
    say(diffs.lost, { fault, before: rateCountText(before), now: rateCountText(now) }),
    ...changeAdvice(cause, diffHead),
    ...detailOf(cause),
    shownCells(cause),
  );
}

export function gainedRow(cause: readonly RenderedCellChange[]): DiffRow {
  const [before, now] = [sumOf(cause.map(({ base }) => base)), sumOf(cause.map(({ head }) => head))];
  const says = say(diffs.gained, { before: rateCountText(before), now: rateCountText(now) });
  return row(causeText(cause), says, shownCells(cause));
}

/** A failure before and another one now. */
export function otherwiseRow(cause: readonly RenderedCellChange[]): DiffRow {
  const [{ base, head }] = cause as readonly [RenderedCellChange];
  const says = say(diffs.change, { before: faultText(base), now: faultText(head) });
  return row(causeText(cause), says, ...detailOf(cause), shownCells(cause));
}

export function modelRows(models: ReportDiff['models']): readonly DiffRow[] {
  const saysOf = ({ change, expected, failure }: ReportDiff['models'][number]) => [
    change,
    expected,
    failure === null ? null : [failure.class, failure.reason, failure.status],
  ];
  return alike(models, saysOf).map(([{ change, expected, failure }, all]) => {
    const counts = { passed: total(all, ({ passed }) => passed), judged: total(all, ({ judged }) => judged) };
    return row(
      modelsText(all),
      say(lostModels[expected ? 'announced' : change], counts),
      ...(failure === null ? [] : [failure.detail ?? faultText(failure)]),
    );
  });
}

export function wholeRow({ model, base, head, cells }: ReportDiff['whole'][number], name: string): DiffRow {
  const says = say(diffs.rate, { base: rateCountText(base), head: rateCountText(head) });
  return row(model === '' ? name : model, says, cellsText(cells));
}

export const clientRows = (wire: ReportDiff['wire']): readonly DiffRow[] =>
  alike(wire, ({ quirk, loses }) => [quirk, loses]).map(([{ quirk, loses }, all]) =>
    row(`${quirk}@${modelsText(all)}`, loses.join('; '), cellsText(all.flatMap(({ cells }) => cells))),
  );

export const wireRows = (wire: ReportDiff['wire']): readonly DiffRow[] =>
  alike(wire, ({ quirk, change, breaks }) => [quirk, change, breaks]).map(([{ quirk, change, breaks }, all]) => {
    const isNew = change === 'became the rule';
    const counts = { seen: total(all, ({ seen }) => seen), of: total(all, ({ of }) => of) };
    const says = say(isNew ? diffs.quirkNew : diffs.quirkGone, counts);
    return row(`${quirk}@${modelsText(all)}`, says, ...(isNew && breaks.length > 0 ? [breaks.join('; ')] : []));
  });

type ConditionSide = ReportDiff['conditions'][number]['base'];
const conditionText = ({ verdict, condition }: ConditionSide): string => condition ?? say(verdictTexts[verdict]);

export const conditionRows = (conditions: ReportDiff['conditions'] | undefined): readonly DiffRow[] =>
  alike(conditions, ({ capability, base, head }) => [capability, conditionText(base), conditionText(head)]).map(
    ([{ capability, base, head }, all]) =>
      row(
        `${capability}@${modelsText(all)}`,
        say(diffs.change, { before: conditionText(base), now: conditionText(head) }),
      ),
  );

export function thresholdRow({ cell, base, head }: ReportDiff['thresholds'][number]): DiffRow {
  return row(cell, say(diffs.threshold, { before: String(base ?? 'none'), now: String(head ?? 'none') }));
}

export const rateRow = ({ cell, base, head }: ReportDiff['rates'][number]): DiffRow =>
  row(cell, say(diffs.rate, { base: rateCountText(base), head: rateCountText(head) }));

export const servedRow = ({ model, field, before, now }: ReportDiff['served'][number]): DiffRow =>
  row(model, say(diffs.fromTo, { name: field, before: before.join(', '), now: now.join(', ') }));

/** Where two models are compared, there is only one that could show them. */
export const behaviourRows = ({ behaviours, kind }: Pick<ReportDiff, 'behaviours' | 'kind'>): readonly DiffRow[] =>
  alike(behaviours, ({ title, advice }) => [title, advice]).map(([{ title, advice }, all]) =>
    row(kind === 'models' ? title : `${modelsText(all)}: ${title}`, advice),
  );

type RenderedUnmeasured = ReportDiff['unmeasured'][number];

export function unmeasuredRows(unmeasured: readonly RenderedUnmeasured[]): readonly DiffRow[] {
  const saysOf = ({ failure: { class: kind, reason, status } }: RenderedUnmeasured) => [kind, reason, status];
  return alike(unmeasured, saysOf).map(([{ failure }, all]) =>
    row(
      joinedNames([...new Set(all.map(({ capability }) => capability))], diffLimits.names),
      faultText(failure),
      ...(failure.detail === null ? [] : [failure.detail]),
      cellsText(all.flatMap(({ cells }) => cells)),
    ),
  );
}

const needFormText = (side: RenderedNeed['base']): string =>
  side === null || side.form === null
    ? say(diffs.noForm)
    : [side.form, ...Object.entries(side.request ?? {}).map(([name, value]) => `${name}: ${writtenJson(value)}`)].join(
        ', ',
      );

export const isOther = ({ base, head }: RenderedNeed): boolean =>
  base !== null && head !== null && writtenJson(sentForNeed(base)) !== writtenJson(sentForNeed(head));

const sentForNeed = ({ form, request = {} }: NonNullable<RenderedNeed['base']>): Json =>
  form === null ? null : [form, request];

export function needRow({ need, base, head }: RenderedNeed): DiffRow {
  return row(say(needTitles[need]), say(diffs.change, { before: needFormText(base), now: needFormText(head) }));
}
