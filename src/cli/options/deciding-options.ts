import { fileFormats, reportFormats } from '../../report/report-formats.js';
import table from '../verbs.json' with { type: 'json' };
import { camelCase, type Options, optionChoices, type Takes, type VerbOption } from './options.js';

const namesOf = (formats: readonly { readonly name: string }[]): readonly string[] => formats.map(({ name }) => name);

/** The lists of words that an option of verbs.json names. */
const words: Readonly<Record<string, readonly string[]>> = {
  ...optionChoices,
  fileFormats: namesOf(fileFormats),
  reportFormats: namesOf(Object.values(reportFormats)),
};
const shared = table.shared as unknown as Readonly<Record<string, readonly VerbOption[]>>;

/** The options that verbs.json writes in one place: one, or the name of some that several verbs share. */
export function optionsWritten(written: VerbOption | string): readonly VerbOption[] {
  const options = typeof written === 'string' ? (shared[written] ?? []) : [written];
  return options.map(([flags, description, takes]) => [flags, description, wordsOf(takes)]);
}

const wordsOf = (takes: Takes | undefined): Takes | undefined =>
  typeof takes === 'string' ? (words[takes] ?? takes) : takes;

/** Options that decide what a run asks. */
export const decidingTable: readonly VerbOption[] = ['planning', 'shard', 'budgets', 'address'].flatMap(optionsWritten);

const nameOf = ([flags]: VerbOption): string => /--([\w-]+)/.exec(flags)?.[1] ?? '';

/** The same, as they are written on the command line. */
export const decidingNames: readonly string[] = decidingTable.map(nameOf);

/** The deciding options that are given as a list although they take one value. */
export function listsOfOne(options: Options): readonly string[] {
  const single = decidingTable.filter(([, , takes]) => takes !== 'many').map(nameOf);
  return single.filter((name) => Array.isArray(options[camelCase(name)]));
}
