import { nearest } from '../../files/problems/nearest.js';
import type { Problem } from '../../files/problems/problem.js';
import { shellWord } from '../../report/words/shell-word.js';
import { actions } from '../verb.js';
import { verbs } from '../verbs.js';

/** A command line that Commander refuses. */
export interface Misuse {
  /** As Commander writes it: `error: unknown option '--modles'`, and perhaps `(Did you mean --models?)` */
  readonly said: string;
  /** The name of the verb, or of the program. */
  readonly verb: string;
  /** The words behind the verb, options left out. */
  readonly words: readonly string[];
  /** The first of them that the verb has no place for. */
  readonly extra: string | undefined;
  readonly options: readonly string[];
}

/** What the parser of command lines says, in the form of every other error. */
export function usageProblem(misuse: Misuse): Problem {
  return { severity: 'error', place: null, ...told(misuse) };
}

function told(misuse: Misuse): Pick<Problem, 'message' | 'hint'> {
  const { said, verb, extra } = misuse;
  const command = verb === 'chatspec' ? verb : `chatspec ${verb}`;
  const argument = /missing required argument '([^']*)'/.exec(said)?.[1];
  if (argument !== undefined) return lacking(argument, misuse);
  if (extra !== undefined && said.includes('too many arguments'))
    return { message: `${command} has no place for "${extra}"`, hint: placeFor(extra, misuse) ?? listing(command) };
  const [first = '', ...rest] = said.trim().split('\n');
  const meant = /^\(Did you mean (?:one of )?(.+)\?\)$/.exec(rest.join(' ').trim())?.[1];
  const names = meant?.split(', ').map((name) => `"${name}"`);
  return {
    message: first.replace(/^error: /, '').replace(/'([^']*)'/g, '"$1"'),
    hint: names === undefined ? listing(command) : `did you mean ${names.join(' or ')}?`,
  };
}

const listing = (command: string): string => `${command} --help lists what there is`;

/** The whole line is shown, since the words behind an action that is misspelt are probably right. */
function lacking(argument: string, { verb, words: [first, ...others] }: Misuse): Pick<Problem, 'message' | 'hint'> {
  const known: readonly string[] = Object.entries(actions).find(([name]) => name === verb)?.[1] ?? [];
  const example = `such as ${verbs.find(({ usage }) => usage.startsWith(verb))?.examples[0] ?? ''}`;
  const message = `missing required argument "${argument}"`;
  if (first === undefined)
    return { message, hint: known.length > 0 ? `one of ${known.join(', ')}; ${example}` : example };
  if (known.length === 0 || known.includes(first)) return { message, hint: example };
  const action = nearest(first, known);
  const line = action === null ? `${known[0] ?? ''} ${[first, ...others].map(shellWord).join(' ')}` : `${action} RUN`;
  return { message: `chatspec ${verb} has no action "${first}"`, hint: `did you mean "chatspec ${verb} ${line}"?` };
}

/** What somebody who typed one word too many probably meant. */
function placeFor(word: string, { options }: Misuse): string | undefined {
  const has = (option: string): boolean => options.includes(`--${option}`);
  const named = [word, `${word}s`].find(has);
  const taking = ['models', 'model', 'only'].filter(has).map((option) => `"--${option} ${word}"`);
  if (verbs.some(({ usage }) => usage.split(' ')[0] === word)) return `did you mean "chatspec ${word}"?`;
  if (named !== undefined) return `did you mean "--${named}"?`;
  if (/\.ya?ml$/.test(word) && has('config')) return `did you mean "--config ${word}"?`;
  return taking.length === 0 ? undefined : `did you mean ${taking.join(' or ')}?`;
}
