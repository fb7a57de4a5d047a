import type { Problem } from '../../files/problems/problem.js';

/**
 * What the parser of command lines says, in the form of every other error.
 * @param said as Commander writes it: `error: unknown option '--modles'`, and perhaps `(Did you mean --models?)`
 * @param command whose line is wrong: `chatspec run`
 */
export function usageProblem(said: string, command: string): Problem {
  const [first = '', ...rest] = said.trim().split('\n');
  const meant = /^\(Did you mean (?:one of )?(.+)\?\)$/.exec(rest.join(' ').trim())?.[1];
  const message = first
    .replace(/^error: /, '')
    .replace(/^(.*) for '[^']*'\. Expected (\d+) arguments? but got (\d+)\.$/, '$1: $3 given, $2 expected')
    .replace(/'([^']*)'/g, '"$1"');
  const hint = meant === undefined ? `${command} --help lists what there is` : `did you mean ${quoted(meant)}?`;
  return { severity: 'error', message, place: null, hint };
}

function quoted(names: string): string {
  return names
    .split(', ')
    .map((name) => `"${name}"`)
    .join(' or ');
}
