import { nearest } from '../../files/problems/nearest.js';
import { shellWord } from '../../report/words/shell-word.js';
import { shells } from '../completion/scripts.js';
import { actions } from '../options/closed-lists.js';

/** A word that a command line lacks. */
export interface MissingWord {
  /** As its usage calls it: `RUN`. */
  readonly argument: string;
  readonly verb: string;
  /** The words behind the verb. */
  readonly words: readonly string[];
}

/** What the command line lacks, and how the whole of it may be written. */
export function missingWord({ argument, verb, words }: MissingWord): {
  readonly message: string;
  readonly hint: string;
} {
  const known: readonly string[] = verb in actions ? actions[verb as keyof typeof actions] : [];
  const [first, ...others] = words;
  const [usual = ''] = known;
  const message = `missing required argument "${argument}"`;
  if (known.length === 0) return { message, hint: examples[verb] ?? `chatspec ${verb} --help lists what there is` };
  if (first === undefined)
    return { message, hint: `its actions: ${known.join(', ')}; such as ${exampleOf(verb, usual)}` };
  if (known.includes(first)) return { message, hint: `name a run folder: ${exampleOf(verb, first)}` };
  const meant = nearest(first, known);
  const line = meant === null ? `${usual} ${[first, ...others].map(shellWord).join(' ')}` : `${meant} RUN`;
  return { message: `chatspec ${verb} has no action "${first}"`, hint: `did you mean "chatspec ${verb} ${line}"?` };
}

const exampleOf = (verb: string, action: string): string =>
  `chatspec ${verb} ${action} ${verb === 'shapes' || verb === 'clients' ? '-- CMD' : 'reports/latest'}`;

const examples: Readonly<Record<string, string>> = {
  report: 'name a run folder: chatspec report reports/latest',
  rejudge: 'name a run folder: chatspec rejudge reports/latest',
  evidence: 'name a run folder and a cell: chatspec evidence reports/latest CELL',
  merge: 'name the folders of the shards: chatspec merge shard-1 shard-2 --out DIR',
  completion: `name one of ${shells.join(', ')}: chatspec completion ${shells[0]}`,
};
