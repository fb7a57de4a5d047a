import { amongText } from '../history/since-text.js';
import { oneLine } from '../safe/escape.js';
import type { Cause, CauseFault } from '../view/causes/cause.js';
import { type DirectionMark, directionNames, directions } from '../view/causes/direction.js';
import { count } from '../view/phrases.js';
import { type Paint, wrapped } from './terminal-text.js';

/** At most this many causes are shown; the files of the run folder show all. */
const mostCauses = 10;

/** At most this many things that a cause says besides its example. */
const mostFaults = 3;

/** The causes, the gravest first, each with the command that shows its evidence. */
export function causeLines(causes: readonly Cause[], width: number, paint: Paint): readonly string[] {
  const rest = causes.slice(mostCauses);
  return [
    ...causes.slice(0, mostCauses).flatMap((cause, index) => linesOf(cause, index === 0, width, paint)),
    ...(rest.length === 0 ? [] : wrapped(restText(rest), width, '  ').map(paint.dim)),
  ];
}

export function paintOf(tone: DirectionMark['tone'], paint: Paint): (text: string) => string {
  switch (tone) {
    case 'bad':
      return paint.red;
    case 'open':
      return paint.yellow;
    case 'good':
      return paint.green;
  }
}

function linesOf(cause: Cause, isFirst: boolean, width: number, paint: Paint): readonly string[] {
  const { mark, sentence, since, trials, figures, example, also, evidence, notes } = cause;
  const head = `${mark.glyph} ${sentence}${since === null ? '' : `, ${amongText(since)}`}`;
  const painted = paintOf(mark.tone, paint);
  const shown = [figures ?? trials, example?.detail && oneLine(example.detail, 240)].filter(Boolean).join('; ');
  const onOneLine = isFirst && evidence !== null ? wrapped(`${head}: ${evidence}`, width, '') : [];
  return [
    ...(onOneLine.length === 1
      ? onOneLine.map(painted)
      : [
          ...wrapped(head, width, '').map(painted),
          ...(evidence === null
            ? []
            : wrapped(evidence, width, '  ').map((text) => (isFirst ? paint.bold(text) : text))),
        ]),
    ...(shown === '' ? [] : wrapped(shown, width, '    ').map(paint.dim)),
    ...(example?.support ? wrapped(`for support: ${example.support}`, width, '    ') : []),
    ...also.slice(0, mostFaults).flatMap((fault) => faultLines(fault, width, paint)),
    ...(also.length > mostFaults
      ? wrapped(`and ${count(also.length - mostFaults, 'more failure')} in report.md and index.html`, width, '    ')
      : []),
    ...notes.flatMap((note) => wrapped(`baseline: ${note}`, width, '    ').map(paint.dim)),
  ];
}

function faultLines({ text, support, evidence }: CauseFault, width: number, paint: Paint): readonly string[] {
  return [
    ...wrapped(`also ${oneLine(text, 240)}`, width, '    ').map(paint.dim),
    ...(support === null ? [] : wrapped(`for support: ${support}`, width, '      ')),
    ...wrapped(evidence, width, '      '),
  ];
}

/** "... and 4 more causes (3 changed, 1 gained) in report.md and index.html" */
function restText(rest: readonly Cause[]): string {
  const kinds = directionNames.flatMap((direction) => {
    const number = rest.filter((one) => one.direction === direction).length;
    return number === 0 ? [] : [`${number} ${directions[direction].title}`];
  });
  return `... and ${count(rest.length, 'more cause', 'more causes')} (${kinds.join(', ')}) in report.md and index.html`;
}
