import { createPaint, wrapped } from '../terminal/terminal-text.js';
import type { ReportDiff } from '../../matrix/diff/report-diff.js';
import { cappedAll } from '../safe/capped.js';
import { markdown, markdownCode, markdownTable } from '../safe/markdown-text.js';
import { redactAll, type Redact } from '../safe/redact.js';
import { jsonText } from '../safe/escape.js';
import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';
import { diffSections, diffSummary, namedSides } from './diff-sections.js';

const { diffs } = texts;

/** A diff as JSON text. */
export function renderDiffJson(diff: ReportDiff, redact: Redact): string {
  return `${jsonText(redacted(diff, redact))}\n`;
}

interface Shown {
  readonly redact: Redact;
  /** The folders of the runs, as they were given: one or two. */
  readonly runs: readonly string[];
}

/** A diff as Markdown, for a pull request. */
export function renderDiffMarkdown(diff: ReportDiff, shown: Shown): string {
  const named = shownDiff(diff, shown);
  const tables = diffSections(named).flatMap(({ title, rows }) => [
    `## ${title}`,
    markdownTable(
      ['what', 'change'],
      rows.map(({ what, says }) => [markdownCode(plain(what)), markdown(plain(says.join(' · ')))]),
    ),
  ]);
  const head = [`# ${markdown(say(diffs.head, named))}`, markdown(diffSummary(named))];
  return `${[...head, ...tables].join('\n\n')}\n`;
}

/** A diff for a terminal, never wider than `columns`. */
export function renderDiffTerminal(
  diff: ReportDiff,
  { color, columns, ...shown }: Shown & { readonly color: boolean; readonly columns: number },
): string {
  const paint = createPaint(color);
  const tone = { lost: paint.red, gained: paint.green, other: (text: string) => text };
  const named = shownDiff(diff, shown);
  const sections = diffSections(named).map((section) => [
    paint.bold(section.title),
    ...section.rows.flatMap(({ what, says }) => [
      ...wrapped(plain(what), columns, '  ').map(tone[section.tone]),
      ...says.flatMap((text) => wrapped(plain(text), columns, '    ')),
    ]),
  ]);
  const head = [
    ...wrapped(say(diffs.head, named), columns, '').map(paint.bold),
    ...wrapped(diffSummary(named), columns, ''),
  ];
  return `${[head, ...sections].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Marks of code in a sentence stand for nothing here. */
const plain = (text: string): string => text.replaceAll('`', '');

/** As people see it: no text is so long that it buries the others. */
function shownDiff(diff: ReportDiff, { redact, runs }: Shown): ReportDiff {
  return cappedAll(namedSides(redacted(diff, redact), runs), 'chatspec diff --json shows all');
}

/** Names and ids are not redacted. */
function redacted(diff: ReportDiff, redact: Redact): ReportDiff {
  const side = (one: ReportDiff['lost'][number]) => ({
    ...{ ...one, base: redactAll(one.base, redact), head: redactAll(one.head, redact) },
  });
  return {
    ...{ ...diff, lost: diff.lost.map(side), gained: diff.gained.map(side) },
    models: diff.models.map((one) => ({ ...one, failure: redactAll(one.failure, redact) })),
    unmeasured: diff.unmeasured.map((one) => ({ ...one, failure: redactAll(one.failure, redact) })),
    ...{ served: redactAll(diff.served, redact), stops: redactAll(diff.stops, redact) },
    ...{ needs: redactAll(diff.needs, redact), behaviours: redactAll(diff.behaviours, redact) },
  };
}
