import type { Json } from '../../json/json.js';
import { groupBy } from '../../json/group-by.js';
import type { Report } from '../../matrix/report-format.js';
import { modelIn, type ReportDiff } from '../../matrix/diff/report-diff.js';
import { sumOf } from '../../stats/count.js';
import { cappedAll } from '../safe/capped.js';
import { safeJsonText, markdown, markdownCode, markdownTable } from '../safe/escape.js';
import { redactAll, type Redact } from '../safe/redact.js';
import { adviceText } from '../words/advice-text.js';
import { capabilitiesText, faultText, joinedNames, type Names } from '../sections/names.js';
import { wrapped } from '../terminal/terminal-text.js';
import { createPaint } from '../terminal/paint.js';
import { texts } from '../words/catalogue.js';
import { stopText } from '../words/facts.js';
import { say } from '../words/message.js';
import { writtenJson } from '../../json/json-text.js';

/** A diff as JSON text. */
export function renderDiffJson(diff: ReportDiff, redact: Redact): string {
  return `${safeJsonText(redactedDiff(diff, redact))}\n`;
}

interface DiffContext {
  readonly redact: Redact;
  /** The folders of the runs, as they were given: one or two. */
  readonly runs: readonly string[];
  /** The report of the head, which knows what else its models can do. */
  readonly head: Pick<Report, 'recommendations' | 'columns'>;
}

/** A diff as Markdown, for a pull request. */
export function renderDiffMarkdown(diff: ReportDiff, shown: DiffContext): string {
  const named = shownDiff(diff, shown);
  const tables = diffSections(named, shown.head).flatMap(({ title, rows }) => [
    `## ${title}`,
    markdownTable(
      ['what', 'change'],
      rows.map(({ what, says }) => [
        markdownCode(withoutCodeMarks(what)),
        markdown(withoutCodeMarks(says.join(' · '))),
      ]),
    ),
  ]);
  const head = [`# ${markdown(say(diffs.head, named))}`, markdown(diffSummary(named))];
  return `${[...head, ...tables].join('\n\n')}\n`;
}

/** A diff for a terminal, never wider than `columns`. */
export function renderDiffTerminal(
  diff: ReportDiff,
  { color, columns, ...shown }: DiffContext & { readonly color: boolean; readonly columns: number },
): string {
  const paint = createPaint(color);
  const tone = { lost: paint.red, gained: paint.green, other: (text: string) => text };
  const named = shownDiff(diff, shown);
  const sections = diffSections(named, shown.head).map((section) => [
    paint.bold(section.title),
    ...section.rows.flatMap(({ what, says }) => [
      ...wrapped(withoutCodeMarks(what), columns, '  ').map(tone[section.tone]),
      ...says.flatMap((text) => wrapped(withoutCodeMarks(text), columns, '    ')),
    ]),
  ]);
  const head = [
    ...wrapped(say(diffs.head, named), columns, '').map(paint.bold),
    ...wrapped(diffSummary(named), columns, ''),
  ];
  return `${[head, ...sections].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Marks of code in a sentence stand for nothing here. */
const withoutCodeMarks = (text: string): string => text.replaceAll('`', '');

/** As people see it: no text is so long that it buries the others. */
function shownDiff(diff: ReportDiff, { redact, runs }: DiffContext): ReportDiff {
  return cappedAll(namedSides(redactedDiff(diff, redact), runs), 'chatspec diff --json shows all');
}

/** Names and ids are not redacted. */
function redactedDiff(diff: ReportDiff, redact: Redact): ReportDiff {
  const side = (one: ReportDiff['lost'][number]) => ({
    ...one,
    base: redactAll(one.base, redact),
    head: redactAll(one.head, redact),
  });
  return {
    ...diff,
    lost: diff.lost.map(side),
    gained: diff.gained.map(side),
    models: diff.models.map((one) => ({ ...one, failure: redactAll(one.failure, redact) })),
    unmeasured: diff.unmeasured.map((one) => ({ ...one, failure: redactAll(one.failure, redact) })),
    served: redactAll(diff.served, redact),
    stops: redactAll(diff.stops, redact),
    needs: redactAll(diff.needs, redact),
    behaviours: redactAll(diff.behaviours, redact),
  };
}

type RenderedCellChange = ReportDiff['lost'][number];
type RenderedNeed = ReportDiff['needs'][number];

const { diffs, diffTitles, lostModels, needs: needTitles, verdictTexts } = texts;

/** A part of a diff: what changed in one way. */
interface DiffSection {
  readonly title: string;
  readonly tone: 'lost' | 'gained' | 'other';
  readonly rows: readonly DiffRow[];
}

/** What changed, and how. */
interface DiffRow {
  readonly what: string;
  readonly says: readonly string[];
}

/** No report says here what capabilities are called. */
const ids: Names = { model: (id) => id, capability: (id) => id, columns: [], columnOf: () => null };

/** Beyond so many, cells, names and rows are only counted. */
const diffLimits = { cells: 4, names: 5, rows: 30 };

/** What changed, what hurts most first; parts without rows are left out. */
function diffSections(diff: ReportDiff, head: DiffContext['head']): readonly DiffSection[] {
  const { models, whole, wire, conditions, thresholds, rates, served, unmeasured, needs, behaviours } = diff;
  const real = <T extends { readonly significant: boolean }>(changes: readonly T[]) =>
    changes.filter(({ significant }) => significant);
  const byChance = <T extends { readonly significant: boolean }>(changes: readonly T[]) =>
    changes.filter(({ significant }) => !significant);
  const gone = models.filter(({ change }) => change === 'gone');
  const unreached = models.filter(({ change }) => change !== 'gone');
  const all: readonly (readonly [keyof typeof diffTitles, DiffSection['tone'], readonly DiffRow[]])[] = [
    ['gone', 'lost', gone.map(modelRow)],
    ['lost', 'lost', changesByCause(diff.lost).map((cause) => lostRow(cause, head))],
    ['whole', 'lost', whole.map((one) => wholeRow(one, diff.head))],
    ['clients', 'lost', wire.filter(({ loses }) => loses.length > 0).map(clientRow)],
    ['gained', 'gained', changesByCause(diff.gained).map(gainedRow)],
    ['conditions', 'other', [...real(conditions).map(conditionRow), ...real(thresholds).map(thresholdRow)]],
    ['needs', 'other', needs.filter(isOther).map(needRow)],
    [
      'behaviours',
      'other',
      behaviours.map(({ title, advice, model }) => row(diff.kind === 'models' ? title : `${model}: ${title}`, advice)),
    ],
    ['served', 'other', served.map(({ model, before, now, field }) => row(model, fromTo(field, before, now)))],
    ['wire', 'other', wire.map(wireRow)],
    ['unmeasured', 'other', [...unreached.map(modelRow), ...unmeasured.map(unmeasuredRow)]],
    [
      'rates',
      'other',
      [
        ...rates.map(({ cell, base, head }) =>
          row(cell, say(diffs.rate, { base: rateCountText(base), head: rateCountText(head) })),
        ),
        ...byChance(thresholds).map(thresholdRow),
        ...byChance(conditions).map(conditionRow),
      ],
    ],
  ];
  return all.flatMap(([id, tone, rows]) => {
    if (rows.length === 0) return [];
    const more = rows.length - diffLimits.rows;
    const shown = more > 0 ? [...rows.slice(0, diffLimits.rows), row(say(diffs.more, { more }))] : rows;
    return [{ title: `${say(diffTitles[id])} (${rows.length})`, tone, rows: shown }];
  });
}

/** How many cells changed, what could not be compared, and how to know what may be chance. */
function diffSummary(diff: ReportDiff): string {
  const { lost, gained, compared, profiles, models, unmeasured, stops } = diff;
  const apart = diff.onlyBase.length + diff.onlyHead.length;
  const missed = unmeasured.reduce((sum, { cells }) => sum + cells.length, 0);
  const luck = diff.rates.length + [...diff.thresholds, ...diff.conditions].filter((one) => !one.significant).length;
  const certified = profiles.base === 'certify' && profiles.head === 'certify' ? 'yes' : 'no';
  return [
    compared === 0 ? say(diffs.nothing) : say(diffs.summary, { lost: lost.length, gained: gained.length, compared }),
    ...(models.length === 0
      ? []
      : [
          say(diffs.models, {
            models: models.length,
            names: joinedNames(
              models.map(({ model }) => model),
              diffLimits.names,
            ),
          }),
        ]),
    ...(missed === 0 ? [] : [say(diffs.missed, { cells: missed, base: diff.base, head: diff.head })]),
    ...(apart === 0 ? [] : [say(diffs.apart, { cells: apart })]),
    ...(['base', 'head'] as const).flatMap((side) =>
      stops[side].length === 0
        ? []
        : [say(diffs.cut, { side: diff[side], why: [...new Set(stops[side].map(stopText))].join(' ') })],
    ),
    ...(diff.suites_differ === true ? [say(diffs.suites)] : []),
    ...(luck === 0 ? [] : [say(diffs.chance, { certified })]),
  ].join(' ');
}

/**
 * The sides under names that tell them apart: people know runs by their folders, and no command takes the id of one.
 */
function namedSides(diff: ReportDiff, runs: readonly string[]): ReportDiff {
  const [base = diff.base, head = base] = runs;
  if (diff.kind === 'runs') return { ...diff, base, head };
  if (diff.base !== diff.head) return diff;
  return { ...diff, base: `${diff.base} (${base})`, head: `${diff.head} (${head})` };
}

const row = (what: string, ...says: readonly string[]): DiffRow => ({ what, says });
const rateCountText = ({ passed, total }: { readonly passed: number; readonly total: number }) => `${passed}/${total}`;

const fromTo = (name: string, before: readonly string[], now: readonly string[]): string =>
  say(diffs.fromTo, { name, before: before.join(', '), now: now.join(', ') });

/** The changed cells of one model that fail, or failed, for one reason. */
function changesByCause(changes: readonly RenderedCellChange[]): readonly (readonly RenderedCellChange[])[] {
  const reasonOf = ({ cell, base, head, behaviour }: RenderedCellChange) => {
    const { class: outcome, reason, status } = head.verdict === 'pass' ? base : head;
    return writtenJson([modelIn(cell), behaviour ?? [outcome, reason, status]]);
  };
  return [...groupBy(changes, reasonOf).values()];
}

function causeText(cause: readonly RenderedCellChange[]): string {
  const model = modelIn(cause[0]?.cell ?? '');
  const what = capabilitiesText(
    cause.map(({ capability }) => capability),
    ids,
  );
  return model === '' ? what : `${model}: ${what}`;
}

const cellsText = (cells: readonly string[]): string => joinedNames(cells, diffLimits.cells);

function lostRow(cause: readonly RenderedCellChange[], { recommendations, columns }: DiffContext['head']): DiffRow {
  const [first] = cause as readonly [RenderedCellChange];
  const { model } = first.head;
  const [before, now] = [sumOf(cause.map(({ base }) => base)), sumOf(cause.map(({ head }) => head))];
  const fault = first.behaviour ?? faultText(first.head);
  const detail = cause.find(({ head }) => head.detail !== null)?.head.detail;
  return row(
    causeText(cause),
    say(diffs.lost, { fault, before: rateCountText(before), now: rateCountText(now) }),
    ...(first.behaviour === undefined
      ? [
          adviceText(
            { ...first.head, asked: [{ capability: first.capability }], trials: now },
            { model, recommendations, columns },
          ),
        ]
      : []),
    ...(detail ? [detail] : []),
    cellsText(cause.map(({ cell }) => cell)),
  );
}

function gainedRow(cause: readonly RenderedCellChange[]): DiffRow {
  const [before, now] = [sumOf(cause.map(({ base }) => base)), sumOf(cause.map(({ head }) => head))];
  return row(
    causeText(cause),
    say(diffs.gained, { before: rateCountText(before), now: rateCountText(now) }),
    cellsText(cause.map(({ cell }) => cell)),
  );
}

function modelRow({ model, change, expected, judged, passed, failure }: ReportDiff['models'][number]): DiffRow {
  return row(
    model,
    say(lostModels[expected ? 'announced' : change], { passed, judged }),
    ...(failure === null ? [] : [failure.detail ?? faultText(failure)]),
  );
}

function wholeRow({ model, base, head, cells }: ReportDiff['whole'][number], name: string): DiffRow {
  const says = say(diffs.rate, { base: rateCountText(base), head: rateCountText(head) });
  return row(model === '' ? name : model, says, cellsText(cells));
}

function clientRow({ quirk, model, loses, cells }: ReportDiff['wire'][number]): DiffRow {
  return row(`${quirk}@${model}`, loses.join('; '), cellsText(cells));
}

function wireRow({ quirk, model, change, seen, of, breaks }: ReportDiff['wire'][number]): DiffRow {
  const isNew = change === 'became the rule';
  const says = say(isNew ? diffs.quirkNew : diffs.quirkGone, { seen, of });
  return row(`${quirk}@${model}`, says, ...(isNew && breaks.length > 0 ? [breaks.join('; ')] : []));
}

function conditionRow({ model, capability, base, head }: ReportDiff['conditions'][number]): DiffRow {
  const text = ({ verdict, condition }: typeof base) => condition ?? say(verdictTexts[verdict]);
  return row(`${capability}@${model}`, say(diffs.change, { before: text(base), now: text(head) }));
}

function thresholdRow({ cell, base, head }: ReportDiff['thresholds'][number]): DiffRow {
  return row(cell, say(diffs.threshold, { before: String(base ?? 'none'), now: String(head ?? 'none') }));
}

function unmeasuredRow({ capability, cells, failure }: ReportDiff['unmeasured'][number]): DiffRow {
  return row(capability, faultText(failure), ...(failure.detail === null ? [] : [failure.detail]), cellsText(cells));
}

const needFormText = (side: RenderedNeed['base']): string =>
  side === null || side.form === null
    ? say(diffs.noForm)
    : [side.form, ...Object.entries(side.request ?? {}).map(([name, value]) => `${name}: ${writtenJson(value)}`)].join(
        ', ',
      );

const isOther = ({ base, head }: RenderedNeed): boolean =>
  base !== null && head !== null && writtenJson(sentForNeed(base)) !== writtenJson(sentForNeed(head));

const sentForNeed = ({ form, request = {} }: NonNullable<RenderedNeed['base']>): Json =>
  form === null ? null : [form, request];

function needRow({ need, base, head }: RenderedNeed): DiffRow {
  return row(say(needTitles[need]), say(diffs.change, { before: needFormText(base), now: needFormText(head) }));
}
