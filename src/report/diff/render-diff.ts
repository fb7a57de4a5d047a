import type { ReportDiff } from '../../matrix/diff/report-diff.js';
import { cappedAll } from '../safe/capped.js';
import { safeJsonText, markdown, markdownCode, markdownTable } from '../safe/escape.js';
import { redactAll, type Redact } from '../safe/redact.js';
import { joinedNames } from '../sections/names.js';
import { wrapped } from '../terminal/terminal-text.js';
import { createPaint } from '../terminal/paint.js';
import { texts } from '../words/catalogue.js';
import { stopText } from '../words/facts.js';
import { say } from '../words/message.js';
import {
  behaviourRows,
  changesByCause,
  clientRows,
  conditionRows,
  diffLimits,
  type DiffHead,
  type DiffRow,
  gainedRow,
  isOther,
  lostRow,
  modelRows,
  needRow,
  otherwiseRow,
  rateRow,
  servedRow,
  thresholdRow,
  unmeasuredRows,
  wholeRow,
  wireRows,
} from './diff-rows.js';

/** A diff as JSON text. */
export function renderDiffJson(diff: ReportDiff, redact: Redact): string {
  return `${safeJsonText(redactedDiff(diff, redact))}\n`;
}

interface DiffContext {
  readonly redact: Redact;
  /** The folders of the runs, as they were given: one or two. */
  readonly runs: readonly string[];
  readonly head: DiffHead;
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
    otherwise: diff.otherwise.map(side),
    models: diff.models.map((one) => ({ ...one, failure: redactAll(one.failure, redact) })),
    unmeasured: diff.unmeasured.map((one) => ({ ...one, failure: redactAll(one.failure, redact) })),
    served: redactAll(diff.served, redact),
    stops: redactAll(diff.stops, redact),
    needs: redactAll(diff.needs, redact),
    behaviours: redactAll(diff.behaviours, redact),
  };
}

const { diffs, diffTitles } = texts;

/** A part of a diff: what changed in one way. */
interface DiffSection {
  readonly title: string;
  readonly tone: 'lost' | 'gained' | 'other';
  readonly rows: readonly DiffRow[];
}

/** Changes, the gravest first; parts without rows are left out. */
function diffSections(diff: ReportDiff, head: DiffHead): readonly DiffSection[] {
  const { whole, conditions, thresholds, rates, served, needs } = diff;
  const clients = diff.wire.filter(({ loses }) => loses.length > 0);
  const gone = diff.models.filter(({ change }) => change === 'gone');
  const unreached = diff.models.filter(({ change }) => change !== 'gone');
  const [real, byChance] = [true, false].map((is) => ({
    conditions: conditions.filter(({ significant }) => significant === is),
    thresholds: thresholds.filter(({ significant }) => significant === is),
  }));
  const all: readonly (readonly [keyof typeof diffTitles, DiffSection['tone'], readonly DiffRow[]])[] = [
    ['gone', 'lost', modelRows(gone)],
    ['lost', 'lost', changesByCause(diff.lost).map((cause) => lostRow(cause, head))],
    ['whole', 'lost', whole.map((one) => wholeRow(one, diff.head))],
    ['clients', 'lost', clientRows(clients)],
    ['gained', 'gained', changesByCause(diff.gained).map(gainedRow)],
    ['otherwise', 'other', changesByCause(diff.otherwise).map(otherwiseRow)],
    ['conditions', 'other', [...conditionRows(real?.conditions), ...(real?.thresholds ?? []).map(thresholdRow)]],
    ['needs', 'other', needs.filter(isOther).map(needRow)],
    ['behaviours', 'other', behaviourRows(diff)],
    ['served', 'other', served.map(servedRow)],
    ['wire', 'other', wireRows(diff.wire)],
    ['unmeasured', 'other', [...modelRows(unreached), ...unmeasuredRows(diff.unmeasured)]],
    [
      'rates',
      'other',
      [
        ...rates.map(rateRow),
        ...(byChance?.thresholds ?? []).map(thresholdRow),
        ...conditionRows(byChance?.conditions),
      ],
    ],
  ];
  return all.flatMap(([id, tone, rows]) => {
    if (rows.length === 0) return [];
    const more = rows.length - diffLimits.rows;
    const last = { what: say(diffs.more, { more }), says: [] };
    const shown = more > 0 ? [...rows.slice(0, diffLimits.rows), last] : rows;
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
