import { oneLine } from '../safe/escape.js';
import type { Cause } from '../view/causes/cause.js';
import { type DirectionMark, directionNames, directions } from '../view/causes/direction.js';
import { count } from '../view/phrases.js';
import { type Paint, wrapped } from './terminal-text.js';

/** At most this many causes are shown; the files of the run folder show all. */
const mostCauses = 10;

/** The causes, the gravest first: with the command that shows the evidence of the first, the others with one of their cells. */
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
  const { mark, sentence, since, trials, figures, example, evidence, notes } = cause;
  const head = `${mark.glyph} ${sentence}${since === null ? '' : `, ${since}`}`;
  const painted = paintOf(mark.tone, paint);
  const command = isFirst ? evidence : null;
  const cell = isFirst || cause.cells.length === 0 ? null : (example?.cell ?? null);
  const shown = [figures ?? trials, example?.detail && oneLine(example.detail, 240)].filter(Boolean).join('; ');
  const onOneLine = command === null ? [] : wrapped(`${head}: ${command}`, width, '');
  return [
    ...(onOneLine.length === 1
      ? onOneLine.map(painted)
      : [
          ...wrapped(head, width, '').map(painted),
          ...(command === null ? [] : wrapped(command, width, '  ').map(paint.bold)),
        ]),
    ...(cell === null ? [] : wrapped(cause.cells.length > 1 ? `such as ${cell}` : cell, width, '    ')),
    ...(shown === '' ? [] : wrapped(shown, width, '    ').map(paint.dim)),
    ...(example?.support ? wrapped(`for support: ${example.support}`, width, '    ') : []),
    ...notes.flatMap((note) => wrapped(`baseline: ${note}`, width, '    ').map(paint.dim)),
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
