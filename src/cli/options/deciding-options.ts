import { camelCase, type Options, optionChoices, type VerbOption } from './options.js';

/** Options that decide which cells are planned, for every verb that plans. */
export const planning: readonly VerbOption[] = [
  ['--models <GLOB>', 'only models whose TARGET/MODEL or id matches', 'many'],
  ['--suites <GLOB>', 'only suites whose name matches', 'many'],
  ['--only <PATTERN>', 'only cells whose key matches; * stands for any characters', 'many'],
  ['--skip <PATTERN>', 'leave out cells whose key matches', 'many'],
  ['--tags <LIST>', 'only probes with one of these tags', 'many'],
  ['--profile <NAME>', 'how many trials each cell gets (default: standard)', optionChoices.profile],
  ['--trials <N>', 'exactly N trials per cell, without follow-up trials', { least: 1 }],
  ['--seed <N>', 'seed for everything random (default: 1)', { least: 0 }],
];

export const shardOption: VerbOption = ['--shard <I/N>', 'only part I of N of the models, with 1/N of every limit'];

export const budgets: readonly VerbOption[] = [
  ['--budget-requests <N>', 'stop before sending more requests than this', { least: 1 }],
  ['--budget-tokens <N>', 'stop before using more tokens than this', { least: 1 }],
];

/** A service without a config, and what is said over each model. */
export const address: readonly VerbOption[] = [
  ['--base-url <URL>', 'without a config: what stands before /chat/completions, or simulator'],
  ['--api-key-env <NAME>', 'with --base-url: the variable that holds the key (default: CHATSPEC_API_KEY)'],
  ['--rename <OLD=NEW>', 'a body field under another name, as `rename` of a model', 'many'],
  ['--request <JSON>', 'a merge patch over every body, as `request` of a model'],
];

/** Options that decide what a run asks. */
export const decidingTable: readonly VerbOption[] = [...planning, shardOption, ...budgets, ...address];

const nameOf = ([flags]: VerbOption): string => /--([\w-]+)/.exec(flags)?.[1] ?? '';

/** The same, as they are written on the command line. */
export const decidingNames: readonly string[] = decidingTable.map(nameOf);

/** Those of them that are given as a list although they take one value. */
export function listsOfOne(options: Options): readonly string[] {
  const single = decidingTable.filter(([, , takes]) => takes !== 'many').map(nameOf);
  return single.filter((name) => Array.isArray(options[camelCase(name)]));
}
