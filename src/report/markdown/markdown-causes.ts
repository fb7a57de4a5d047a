import { amongText } from '../history/since-text.js';
import { capped } from '../safe/capped.js';
import { markdown, markdownCode } from '../safe/markdown-text.js';
import type { Cause } from '../view/causes/cause.js';
import { count } from '../view/phrases.js';
import type { VerdictView } from '../view/verdict/verdict-of.js';

/** A cause names at most this many cells. */
const mostCells = 10;
/** ... and tells at most this many things that they say. */
const mostFaults = 10;

/** The answer, what it was compared with, and what to do next. */
export function markdownVerdict({ sentence, counts, baseline, next }: VerdictView): string {
  const steps = next.map(({ text, command }) =>
    command === null ? `- ${markdown(text)}` : `- ${markdown(text)} ${markdownCode(command)}`,
  );
  return [
    `**${markdown(sentence)}.**`,
    ...(counts.length === 0 ? [] : [counts.map(({ glyph, text }) => `${glyph} ${markdown(text)}`).join(' · ')]),
    ...(baseline.covered === 0 ? [] : [`${markdown(baseline.sentence)}.`]),
    ...(steps.length === 0 ? [] : [steps.join('\n')]),
  ].join('\n\n');
}

export const causeColumns = ['', 'what', 'before', 'now', 'cells', 'evidence, and how to accept it'] as const;

/** A row of the table of causes. */
export function causeRow(cause: Cause): readonly string[] {
  const { mark, sentence, before, now, cells, amount, trials, figures, since, example, also, notes, evidence, accept } =
    cause;
  const told = also.slice(0, mostFaults);
  const facts = [
    figures ?? trials,
    since && amongText(since),
    example?.detail ?? null,
    ...notes.map((note) => `baseline: ${note}`),
    example?.support ? `for support: ${example.support}` : null,
    ...told.map(({ text, support }) => `also ${text}${support === null ? '' : `; for support: ${support}`}`),
    also.length > mostFaults ? `and ${count(also.length - mostFaults, 'more failure')}` : null,
  ];
  const more = cells.length - mostCells;
  const named = [
    markdown(amount),
    ...cells.slice(0, mostCells).map(({ key }) => markdownCode(key)),
    ...(more > 0 ? [`and ${count(more, 'more cell')} in index.html`] : []),
  ];
  const ways = [
    evidence === null ? null : markdownCode(evidence),
    ...told.map((fault) => markdownCode(fault.evidence)),
    accept.command === null ? markdown(accept.why) : markdownCode(capped(accept.command, mostOfCommand, inPage)),
    accept.command === null || accept.also === null ? null : markdown(accept.also),
  ];
  return [
    `${mark.glyph} **${mark.title}**`,
    [`**${markdown(sentence)}**`, ...facts.flatMap((fact) => (fact === null ? [] : markdown(fact)))].join('<br>'),
    markdown(before),
    markdown(now),
    named.join('<br>'),
    ways.filter((way) => way !== null).join('<br>'),
  ];
}

/** Characters; one that names a hundred models is longer. */
const mostOfCommand = 4000;
const inPage = 'index.html shows all';
