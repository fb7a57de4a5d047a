import { profiles } from '../options/closed-lists.js';

/** A word on a command line that the verb has no place for. */
export interface ExtraWord {
  readonly word: string;
  /** As it is typed: `chatspec list`. */
  readonly command: string;
  /** The options of the verb, such as `--models`. */
  readonly options: readonly string[];
  /** The names of all verbs. */
  readonly verbs: readonly string[];
}

/** What somebody who typed one word too many probably meant. */
export function extraWordHint({ word, command, options, verbs }: ExtraWord): string {
  const has = (option: string): boolean => options.includes(`--${option}`);
  const named = [word, `${word}s`, word.replace(/s$/, '')].find(has);
  const asks = (what: string): string => `did you mean "${what}"?`;
  if (verbs.includes(word)) return asks(`chatspec ${word}`);
  if (command === 'chatspec list' && /^models?$/.test(word))
    return `${asks('chatspec doctor')} It asks every model once; "chatspec list --json" names the model of each cell`;
  if (command === 'chatspec list' && named !== undefined)
    return `"chatspec list --json" has them, cell by cell; --${named} chooses among them`;
  if (named !== undefined) return asks(`--${named}`);
  if (/\.ya?ml$/.test(word) && has('config')) return asks(`--config ${word}`);
  const number = ['port', 'keep'].find(has);
  if (/^\d+$/.test(word) && number !== undefined) return asks(`--${number} ${word}`);
  if (has('profile') && profiles.some((name) => name === word)) return asks(`--profile ${word}`);
  const chooses = ['models', 'model'].filter(has).map((option) => `--${option} ${word}`);
  const cells = has('only') ? [`--only ${word}`] : [];
  const [first, ...rest] = [...chooses, ...cells].map((line) => `"${line}"`);
  if (first !== undefined) return `did you mean ${[first, ...rest].join(' or ')}?`;
  return `leave it out; ${command} --help lists what there is`;
}
