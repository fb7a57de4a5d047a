import type { Problem } from '../../files/problems/problem.js';
import { missingWord, type MissingWord } from './missing-word.js';
import { extraWordHint, type ExtraWord } from './extra-word.js';

/**
 * What the parser of command lines says, in the form of every other error.
 * @param said as Commander writes it: `error: unknown option '--modles'`, and perhaps `(Did you mean --models?)`
 * @param command whose line is wrong: `chatspec run`
 * @param extra the first word that the verb has no place for; undefined where there is none
 * @param typed the verb and the words behind it
 */
export function usageProblem(
  said: string,
  command: string,
  extra: ExtraWord | undefined,
  typed: Omit<MissingWord, 'argument'>,
): Problem {
  const argument = /missing required argument '([^']*)'/.exec(said)?.[1];
  if (argument !== undefined) return { severity: 'error', place: null, ...missingWord({ argument, ...typed }) };
  if (extra !== undefined && said.includes('too many arguments'))
    return {
      severity: 'error',
      message: `${command} has no place for "${extra.word}"`,
      place: null,
      hint: extraWordHint(extra),
    };
  const [first = '', ...rest] = said.trim().split('\n');
  const meant = /^\(Did you mean (?:one of )?(.+)\?\)$/.exec(rest.join(' ').trim())?.[1];
  const message = first.replace(/^error: /, '').replace(/'([^']*)'/g, '"$1"');
  const hint = meant === undefined ? `${command} --help lists what there is` : `did you mean ${quoted(meant)}?`;
  return { severity: 'error', message, place: null, hint };
}

function quoted(names: string): string {
  return names
    .split(', ')
    .map((name) => `"${name}"`)
    .join(' or ');
}
