import { createColors } from 'picocolors';
import type { ConditionChange } from '../../matrix/diff/condition-changes.js';
import type { WholeModel } from '../../matrix/diff/changes.js';
import type { CellChange, ReportDiff, Side } from '../../matrix/diff/report-diff.js';
import type { ModelSwap } from '../../matrix/swap/model-swap.js';
import type { WireChange, WireSight } from '../../matrix/diff/wire-changes.js';
import type { ThresholdChange } from '../../matrix/diff/threshold-changes.js';
import { cappedAll } from '../safe/capped.js';
import { documentOf } from '../markdown/within-limit.js';
import { markdown, markdownCode } from '../safe/markdown-text.js';
import type { Redact } from '../safe/redact.js';
import { redactAll } from '../safe/redact-values.js';
import { wrapped } from '../terminal/terminal-text.js';
import { count, whatFailed } from '../words/phrases.js';
import type { Row, Section } from './diff-section.js';
import { diffSummary } from './diff-summary.js';
import { modelSections } from './model-sections.js';
import { clientRows } from './client-rows.js';
import { swapSections, wholeRow } from './swap-sections.js';
import { jsonText } from '../safe/visible-json.js';

/** A diff of two models also says what a client has to know. */
type AnyDiff = ReportDiff & { readonly swap?: ModelSwap };

/** A comment on GitHub holds 65,536 characters; some are left for a caller that adds its own. */
const mostBytes = 60_000;
const everything = 'chatspec diff --json shows all';

type Count = WholeModel['base'];

/** A diff as JSON text. */
export function renderDiffJson(diff: AnyDiff, redact: Redact): string {
  return `${jsonText(redactedDiff(diff, redact))}\n`;
}

/** A diff as Markdown, in the size of a comment on a pull request. */
export function renderDiffMarkdown(diff: AnyDiff, redact: Redact): string {
  const shown = shownDiff(diff, redact);
  const tables = sectionsOf(shown).map(({ title, rows }) => ({
    kind: 'table' as const,
    title: `## ${title} (${rows.length})`,
    head: ['what', 'change'],
    rows: rows.map(([what, ...changes]) => [markdownCode(what), markdown(changes.join('; '))]),
  }));
  const text = (of: string) => ({ kind: 'text' as const, text: of });
  const head = [text(`# ${markdown(headline(shown))}`), text(markdown(diffSummary(shown)))];
  return documentOf([...head, ...tables], mostBytes, '60 kB in a comment', everything);
}

/** A diff for a terminal, never wider than `columns`. */
export function renderDiffTerminal(
  diff: AnyDiff,
  { redact, color, columns }: { readonly redact: Redact; readonly color: boolean; readonly columns: number },
): string {
  const paint = createColors(color);
  const tone = { lost: paint.red, gained: paint.green, other: (text: string) => text };
  const shown = shownDiff(diff, redact);
  const sections = sectionsOf(shown).map(({ title, kind, rows }) => [
    paint.bold(`${title} (${rows.length})`),
    ...rows.flatMap(([what, ...changes]) => [
      ...wrapped(what, columns, '  ').map(tone[kind]),
      ...changes.flatMap((change) => wrapped(change, columns, '    ')),
    ]),
  ]);
  const head = wrapped(headline(shown), columns, '').map(paint.bold);
  return `${[head, ...sections, wrapped(diffSummary(shown), columns, '')].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** As people see it: no text is so long that it buries the others. */
function shownDiff(diff: AnyDiff, redact: Redact): AnyDiff {
  return cappedAll(redactedDiff(diff, redact), everything);
}

function redactedDiff(diff: AnyDiff, redact: Redact): AnyDiff {
  const change = (one: CellChange) => ({
    ...one,
    base: redactAll(one.base, redact),
    head: redactAll(one.head, redact),
  });
  return {
    ...{ ...diff, lost: diff.lost.map(change), gained: diff.gained.map(change) },
    models: diff.models.map((one) => ({ ...one, failure: redactAll(one.failure, redact) })),
    unmeasured: redactAll(diff.unmeasured, redact),
    ...(diff.cut && { cut: redactAll(diff.cut, redact) }),
    ...(diff.swap && { swap: redactAll(diff.swap, redact) }),
  };
}

function headline({ kind, base, head }: ReportDiff): string {
  return `From ${base} to ${head} (${kind})`;
}

function sectionsOf(diff: AnyDiff): Section[] {
  const { lost, gained, whole, conditions, thresholds, rates, quirks, wire, wire_few: few = [] } = diff;
  const real = <T extends { readonly significant: boolean }>(changes: readonly T[]) =>
    changes.filter(({ significant }) => significant);
  const luck = <T extends { readonly significant: boolean }>(changes: readonly T[]) =>
    changes.filter(({ significant }) => !significant);
  const swap = diff.swap === undefined ? [] : swapSections({ ...diff, swap: diff.swap });
  const clients = clientRows(diff.swap === undefined ? diff.clients : []);
  const first = ['breaks', 'shared', 'gained', 'unproven', 'requests', 'needs'];
  const sections: readonly Section[] = [
    ...modelSections(diff.models, diff.unmeasured),
    { title: 'What breaks', kind: 'lost', rows: clients.broken },
    { title: 'May break (could be chance)', kind: 'other', rows: clients.doubtful },
    ...swap.filter(({ id }) => first.includes(id)),
    {
      title: 'More answers fail',
      kind: 'lost',
      rows: diff.swap === undefined ? whole.map((one) => wholeRow(one, diff.head)) : [],
    },
    { title: 'Lost', kind: 'lost', rows: lost.map(changeRow) },
    { title: 'Served by another model or version', kind: 'other', rows: (diff.served ?? []).map(servedRow) },
    { title: 'Gained', kind: 'gained', rows: gained.map(changeRow) },
    { title: 'Conditions', kind: 'other', rows: real(conditions).map(conditionRow) },
    { title: 'Thresholds', kind: 'other', rows: real(thresholds).map(thresholdRow) },
    {
      title: 'Rates',
      kind: 'other',
      rows: [
        ...rates.map(({ cell, ...counts }): Row => [cell, `${countsText(counts)} (could be chance)`]),
        ...luck(thresholds).map((change) => byChance(thresholdRow(change))),
        ...luck(conditions).map((change) => byChance(conditionRow(change))),
      ],
    },
    { title: 'Wire format', kind: 'other', rows: [...wire.map(wireRow), ...few.map(fewRow)] },
    {
      title: 'Quirks',
      kind: 'other',
      rows: quirks.map(({ cell, gained: more, lost: less }) => [
        cell,
        [...more.map((quirk) => `+ ${quirk}`), ...less.map((quirk) => `- ${quirk}`)].join(', '),
      ]),
    },
    ...swap.filter(({ id }) => !first.includes(id)),
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

function wireRow({ model, quirk, change, seen, of, breaks, cells }: WireChange): Row {
  const how = change === 'ended' ? `ended (before: ${seen} of ${of})` : `became the rule (${seen} of ${of})`;
  const what = change === 'ended' || breaks.length === 0 ? '' : `; breaks: ${breaks.join('; ')}`;
  return [`${quirk}@${model}`, `${how}${what} (in ${count(cells.length, 'cell')})`];
}

function fewRow({ model, quirk, seen, of, breaks, cells }: WireSight): Row {
  const what = breaks.length === 0 ? '' : `; breaks: ${breaks.join('; ')}`;
  const how = `new in ${seen} of ${count(of, 'answer')}, too few to be the rule`;
  return [`${quirk}@${model}`, `${how}${what} (in ${count(cells.length, 'cell')})`];
}

function changeRow({ cell, base, head, because }: CellChange): Row {
  const detail = head.detail === null ? '' : `: ${head.detail}`;
  const counts = because === 'rate' ? `; ${countsText({ base, head })}` : '';
  return [cell, `${sideText(base)} -> ${sideText(head)}${counts}${detail}`];
}

function servedRow({ model, field, before, now }: NonNullable<ReportDiff['served']>[number]): Row {
  return [model, `${field}: ${before.join(', ')} -> ${now.join(', ')}`];
}

function conditionRow({ model, capability, base, head }: ConditionChange): Row {
  return [`${capability}@${model}`, `${conditional(base)} -> ${conditional(head)}`];
}

function thresholdRow({ cell, base, head }: ThresholdChange): Row {
  return [cell, `passes from ${base ?? 'none'} -> ${head ?? 'none'}`];
}

function byChance([what, ...changes]: Row): Row {
  return [what, `${changes.join('; ')} (could be chance)`];
}

function countsText({ base, head }: { readonly base: Count; readonly head: Count }): string {
  return `${base.passed} of ${base.total} -> ${head.passed} of ${head.total}`;
}

function sideText(side: Side): string {
  const how = whatFailed(side);
  return how ? `${side.verdict} (${how})` : side.verdict;
}

function conditional({ verdict: is, condition }: ConditionChange['base']): string {
  return condition === null ? is : `${is} (${condition})`;
}
