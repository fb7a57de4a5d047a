import { relative } from 'node:path';
import type { Problem } from '../../files/problems/problem.js';
import { capped } from '../../report/safe/capped.js';
import { inert, visible } from '../../report/safe/escape.js';
import { createPaint } from '../../report/terminal/terminal-text.js';
import type { Io } from './io.js';

/** Prints problems as `file:line:column: error: message`, with a code frame and the next step under it. */
export function printProblems(problems: readonly Problem[], io: Io): void {
  const color = createPaint(io.color && io.interactive);
  for (const problem of problems) {
    const label = problem.severity === 'error' ? color.red('error') : color.yellow('warning');
    io.err(`${shown(placeText(problem, io))}${label}: ${shown(problem.message)}\n`);
    if (problem.frame !== undefined) io.err(`${color.dim(indent(shown(problem.frame)))}\n`);
    if (problem.hint !== undefined) io.err(`  ${color.cyan('→')} ${shown(problem.hint)}\n`);
  }
}

/** Long enough for every list that a message may hold. */
const mostShown = 20_000;

/** With the lines that it has. */
function shown(text: string): string {
  return inert(visible(capped(text, mostShown, 'it was cut here')));
}

function placeText({ place }: Problem, io: Io): string {
  if (place === null) return 'chatspec: ';
  const shorter = relative(io.cwd, place.file);
  const file = shorter === '' || shorter.startsWith('..') ? place.file : shorter;
  return `${file}:${place.line}:${place.column}: `;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
