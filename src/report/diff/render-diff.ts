import { createColors } from 'picocolors';
import type { CellChange, ReportDiff, Side } from '../../matrix/diff/report-diff.js';
import { markdown, markdownCode } from '../safe/escape.js';
import { type Redact, redactAll } from '../safe/redact.js';
import { wrapped } from '../terminal/terminal-text.js';
import { count, verdictMarks, whatFailed } from '../view/phrases.js';
import { jsonText } from '../safe/visible-json.js';

interface Section {
  readonly title: string;
  readonly kind: 'lost' | 'gained' | 'other';
  /** [what, change] */
  readonly rows: readonly (readonly [string, string])[];
}

/** A diff as JSON text. */
export function renderDiffJson(diff: ReportDiff, redact: Redact): string {
  return `${jsonText(redactedDiff(diff, redact))}\n`;
}

export function renderDiffMarkdown(diff: ReportDiff, redact: Redact): string {
  const sections = sectionsOf(redactedDiff(diff, redact)).map(({ title, rows }) =>
    [
      `## ${title} (${rows.length})`,
      '',
      '| what | change |',
      '| --- | --- |',
      ...rows.map(([what, change]) => `| ${markdownCode(what)} | ${markdown(change)} |`),
    ].join('\n'),
  );
  return `${[`# ${markdown(headline(diff))}`, markdown(summary(diff)), ...sections].join('\n\n')}\n`;
}

/** A diff for a terminal, never wider than `columns`. */
export function renderDiffTerminal(
  diff: ReportDiff,
  { redact, color, columns }: { readonly redact: Redact; readonly color: boolean; readonly columns: number },
): string {
  const paint = createColors(color);
  const tone = { lost: paint.red, gained: paint.green, other: (text: string) => text };
  const sections = sectionsOf(redactedDiff(diff, redact)).map(({ title, kind, rows }) => [
    paint.bold(`${title} (${rows.length})`),
    ...rows.flatMap(([what, change]) => [
      ...wrapped(what, columns, '  ').map(tone[kind]),
      ...wrapped(change, columns, '    '),
    ]),
  ]);
  const head = wrapped(headline(diff), columns, '').map(paint.bold);
  return `${[head, ...sections, wrapped(summary(diff), columns, '')].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function redactedDiff(diff: ReportDiff, redact: Redact): ReportDiff {
  const change = (one: CellChange) => ({
    ...one,
    base: redactAll(one.base, redact),
    head: redactAll(one.head, redact),
  });
  return { ...diff, lost: diff.lost.map(change), gained: diff.gained.map(change) };
}

function headline({ kind, base, head }: ReportDiff): string {
  return `From ${base} to ${head} (${kind})`;
}

function summary(diff: ReportDiff): string {
  const apart = diff.onlyBase.length + diff.onlyHead.length;
  const side = { runs: 'run', models: 'model', targets: 'target' }[diff.kind];
  const were = apart === 1 ? 'was' : 'were';
  const uncompared =
    apart > 0 ? ` ${count(apart, 'cell')} ${were} judged in only one ${side} and ${were} not compared.` : '';
  if (diff.lost.length === 0) return `Nothing lost, ${count(diff.gained.length, 'cell')} gained.${uncompared}`;
  return `${count(diff.lost.length, 'cell')} lost, ${diff.gained.length} gained.${uncompared}`;
}

function sectionsOf(diff: ReportDiff): Section[] {
  const { lost, gained, conditions, thresholds, rates, quirks } = diff;
  const sections: Section[] = [
    { title: 'Lost', kind: 'lost', rows: lost.map(changeRow) },
    { title: 'Gained', kind: 'gained', rows: gained.map(changeRow) },
    {
      title: 'Conditions',
      kind: 'other',
      rows: conditions.map(({ model, capability, base, head }) => [
        `${capability}@${model}`,
        `${conditional(base)} -> ${conditional(head)}`,
      ]),
    },
    {
      title: 'Thresholds',
      kind: 'other',
      rows: thresholds.map(({ cell, base, head }) => [cell, `${base ?? 'none'} -> ${head ?? 'none'}`]),
    },
    {
      title: 'Rates',
      kind: 'other',
      rows: rates.map(({ cell, base, head, p, significant }) => [
        cell,
        `${base.passed} of ${base.total} -> ${head.passed} of ${head.total} (p = ${p < 0.0001 ? p.toExponential(1) : p.toFixed(4)}${significant ? '' : ', could be chance'})`,
      ]),
    },
    {
      title: 'Quirks',
      kind: 'other',
      rows: quirks.map(({ cell, gained: more, lost: less }) => [
        cell,
        [...more.map((quirk) => `+ ${quirk}`), ...less.map((quirk) => `- ${quirk}`)].join(', '),
      ]),
    },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

function changeRow({ cell, base, head }: CellChange): [string, string] {
  return [cell, `${sideText(base)} -> ${sideText(head)}${head.detail === null ? '' : `: ${head.detail}`}`];
}

function sideText(side: Side): string {
  const how = whatFailed(side);
  return how ? `${side.verdict} (${how})` : side.verdict;
}

function conditional({
  verdict: is,
  condition,
}: {
  verdict: keyof typeof verdictMarks;
  condition: string | null;
}): string {
  return condition === null ? is : `${is} (${condition})`;
}
