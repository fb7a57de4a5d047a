import { compareTexts } from '../../../json/compare-texts.js';
import type { SharedFailure } from '../../../decide/shared-failure.js';
import { groupBy } from '../../../json/group-by.js';
import type { Report } from '../../../matrix/report-format.js';
import { type Deviation, deviationsOf } from '../../../matrix/standing/deviations.js';
import { sumOf } from '../../../stats/count.js';
import type { RunSummary } from '../../history/run-summary.js';
import { deviatingSince } from '../../history/since.js';
import { sinceAmong } from '../../history/since-text.js';
import { deviationView, supportLine } from '../deviation-view.js';
import { shortNames } from '../matrix-view.js';
import { count, listed, sentAgain } from '../phrases.js';
import { configOption, shellWord } from '../shell-word.js';
import { typicalFailure } from '../typical-failure.js';
import { wireEvidence } from '../wire-view.js';
import { acceptAdvice } from './accept-advice.js';
import { runKeys } from './run-keys.js';
import type { Cause, CauseCell, CauseExample } from './cause.js';
import { directionNames, directions } from './direction.js';
import { furtherFaults } from './further-faults.js';
import { answers, type Group, groupsOfModel, partOf } from './groups-of-model.js';
import { cellTrait } from './shared-trait.js';

/**
 * Every deviation of the report in exactly one cause, what hurts most first. Models that changed alike share a cause.
 * @param folder the run folder as people would write it
 * @param earlier the runs before, the oldest first, as far as they are known
 */
export function causesOf(report: Report, folder: string | null, earlier: readonly RunSummary[] = []): readonly Cause[] {
  const deviations = deviationsOf(report);
  if (deviations.length === 0) return [];
  const cellsByModel = groupBy(report.cells, ({ model }) => model);
  const found = [...groupBy(deviations, ({ model }) => model)].flatMap(([model, ofModel]) =>
    groupsOfModel(ofModel, cellsByModel.get(model) ?? [], sharedBy(model, report)).map(
      report.run.last_failed ? ofPart : (group) => group,
    ),
  );
  const alike = groupBy(found, ({ direction, subject, before, now, says, only }) =>
    JSON.stringify([direction, subject, before, now, says, only]),
  );
  const context = {
    folder,
    earlier,
    keys: runKeys(report.cells.map(({ key }) => key)),
    names: shortNames(report.models),
  };
  return [...alike.values()]
    .flatMap((groups) => joined(groups) ?? [])
    .sort(byWeight)
    .map((group) => causeOf(group, report, context));
}

/** A partial run did not ask what passed before, so that nothing may look as if all of it had changed. */
function ofPart(group: Group): Group {
  const { direction, subject, deviations } = group;
  if (direction === 'wire' || subject === null || subject === answers) return group;
  const [only, ...others] = deviations;
  const single = only !== undefined && others.length === 0 && 'cell' in only ? cellTrait(only.cell).text : null;
  return { ...group, subject: single ?? partOf(subject) };
}

function sharedBy(model: string, { models }: Report): readonly SharedFailure[] {
  return models.find(({ id }) => id === model)?.shared_failures ?? [];
}

function joined(groups: readonly Group[]): Group | null {
  const [first] = groups;
  if (first === undefined) return null;
  const all = groups.flatMap(({ deviations }) => deviations);
  return { ...first, deviations: all, of: groups.reduce<number | null>((sum, { of }) => plus(sum, of), null) };
}

function plus(sum: number | null, more: number | null): number | null {
  return sum === null ? more : sum + (more ?? 0);
}

/** By direction, then by size; the words decide the rest, so that the order of the cells does not matter. */
function byWeight(one: Group, other: Group): number {
  return (
    directionNames.indexOf(one.direction) - directionNames.indexOf(other.direction) ||
    other.deviations.length - one.deviations.length ||
    compareTexts(wordsOf(one), wordsOf(other))
  );
}

const wordsOf = ({ subject, now, before }: Group): string => [subject ?? '', now, before].join('\n');

interface Context {
  readonly folder: string | null;
  readonly earlier: readonly RunSummary[];
  readonly keys: ReturnType<typeof runKeys>;
  readonly names: ReadonlyMap<string, string>;
}

function causeOf(group: Group, report: Report, { folder, earlier, keys, names }: Context): Cause {
  const { direction, subject, before, now, deviations } = group;
  const models = [...new Set(deviations.map(({ model }) => model))];
  const cells = deviations.flatMap((one) => cellOf(one) ?? []);
  const sinces = deviations.map((one) => deviatingSince(one, earlier));
  const example = exampleOf(deviations);
  const shown = deviations.flatMap((one) => (one.kind === 'wire' ? one.quirk.cells : []))[0] ?? example?.cell ?? null;
  const amount = amountOf(group, models.length);
  const failing = deviations.flatMap((one) => ('cell' in one && one.cell.verdict !== 'pass' ? [one.cell] : []));
  return {
    ...{ direction, mark: directions[direction], models, subject, before, now },
    sentence: `${listed(models.map((id) => names.get(id) ?? id))}: ${predicateOf(group)} (${amount})`,
    ...{ cells, amount, trials: trialsOf(deviations), since: sinceAmong(sinces), example },
    figures: isOfFigures(now) ? (cells.find(({ key }) => key === example?.cell)?.what ?? null) : null,
    notes: [...new Set(cells.flatMap(({ note }) => note ?? []))],
    also: furtherFaults(
      failing,
      failing.find(({ key }) => key === example?.cell) ?? null,
      (what) => evidenceOf([], what, { folder, config: report.run.config }) ?? '',
    ),
    evidence: evidenceOf(deviations, shown, { folder, config: report.run.config }),
    accept: acceptAdvice(deviations, report, { keys, folder }),
    deviations,
  };
}

/** A change of a rate or of a threshold says nothing without its numbers, which differ from cell to cell. */
function isOfFigures(now: string): boolean {
  return / (often|value)\b/.test(now);
}

/** Of a model that is gone there is no cell to show, but the service can be asked for it again. */
function evidenceOf(
  deviations: readonly Deviation[],
  cell: string | null,
  { folder, config }: { readonly folder: string | null; readonly config: string | undefined },
): string | null {
  const gone = deviations.find((one) => one.kind === 'gone')?.gone;
  if (gone !== undefined) {
    const { target, model } = gone;
    return `chatspec doctor --target ${shellWord(target)} --model ${shellWord(model)}${configOption(config)}`;
  }
  if (cell === null) return null;
  return `chatspec evidence ${shellWord(folder ?? 'RUN')} ${shellWord(cell)}${configOption(config)}`;
}

/** What the sentence says of the models: "tool_choice=object now fails with HTTP 500, server_error". */
function predicateOf({ direction, subject, before, now }: Group): string {
  switch (direction) {
    case 'gone':
      return now;
    case 'lost':
    case 'gained':
      return `${subject ?? ''} now ${now}`;
    case 'changed':
      return `${subject ?? ''} now ${now} (before: ${before.replace(/^fails with /, '')})`;
    case 'new':
      return `${subject ?? ''} ${now}, and ${before}`;
    case 'wire':
      return `${subject ?? ''} ${now === 'has ended' ? now : 'has become the rule'}`;
  }
}

function amountOf({ direction, deviations, of, only }: Group, models: number): string {
  if (direction === 'gone' || direction === 'wire') return count(models, 'model');
  const shown = deviations.length;
  if (of === null || of === shown) return count(shown, 'cell');
  return `${shown.toLocaleString('en')} of ${count(of, 'cell')}${only === undefined ? '' : `, all of ${only}`}`;
}

function cellOf(deviation: Deviation): CauseCell | null {
  if (deviation.kind === 'gone' || deviation.kind === 'wire') return null;
  const { key, model } = deviation.cell;
  const { what, detail, support, note } = deviationView(deviation);
  return { key, model, what, detail, support, note };
}

/** The first failing exchange that was kept; of an improvement, a passing one. */
function exampleOf(deviations: readonly Deviation[]): CauseExample | null {
  const examples = deviations.map((deviation): CauseExample => {
    if (deviation.kind === 'gone') {
      return { cell: null, exchange: null, detail: deviation.gone.unreachable?.detail ?? null, support: null };
    }
    if (deviation.kind === 'wire') {
      const { quirk } = deviation;
      const cell = quirk.cells[0] ?? null;
      const detail = wireEvidence(quirk);
      return { cell, exchange: quirk.exchange, detail, support: deviationView(deviation).support };
    }
    const { cell, kind } = deviation;
    const failure = kind === 'improvement' ? null : typicalFailure(cell);
    const exchange = failure?.exchange ?? cell.exchanges[0] ?? null;
    const support = failure === null ? null : supportLine(failure);
    return { cell: cell.key, exchange, detail: kind === 'improvement' ? null : cell.detail, support };
  });
  return examples.find(({ support }) => support !== null) ?? examples[0] ?? null;
}

function trialsOf(deviations: readonly Deviation[]): string | null {
  const cells = deviations.flatMap((one) => (one.kind === 'gone' || one.kind === 'wire' ? [] : one.cell));
  const fresh = cells.flatMap((cell) => cell.fresh ?? []);
  const areFresh = fresh.length === cells.length;
  const { passed, total } = sumOf(areFresh ? fresh : cells.map(({ trials }) => trials));
  const noun = areFresh ? 'fresh trial' : 'trial';
  return total === 0
    ? null
    : `${passed.toLocaleString('en')} of ${count(total, noun)} passed${sentAgain(cells.map(({ trials }) => trials))}`;
}
