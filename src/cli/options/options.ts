import type { Command } from 'commander';
import { userError } from '../../files/problems/problem.js';
import type { ExitConditions } from '../../matrix/run-exit-code.js';
import { isShard, mostShards, type Shard } from '../../plan/shard.js';
import type { FileFormat } from '../../report/render.js';
import { fileFormats, reportFormats, usualFormats } from '../../report/report-formats.js';
import type { Io } from '../terminal/io.js';

/** The values of a verb's options, as commander hands them over. */
export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Loaded only when the verb is called, so that start-up stays light. Resolves to the exit code. */
type RunVerb = (args: readonly string[], options: Options, io: Io, command: Command) => Promise<number>;

/** An option holds a list that may be given several times, one of a few words, or a whole number. */
type NumberRange = { readonly least: number; readonly most?: number };
export type Takes = 'many' | readonly string[] | NumberRange;
export type VerbOption = readonly [flags: string, description: string, takes?: Takes | undefined];

export interface Verb {
  /** In Commander's notation: `report <RUN>`. */
  readonly usage: string;
  readonly summary: string;
  /** The words that the first argument may be; absent: any. */
  readonly actions?: readonly string[];
  readonly options: readonly VerbOption[];
  /** Command lines that somebody would type. */
  readonly examples: readonly [string, ...string[]];
  readonly load: () => Promise<{ readonly run: RunVerb }>;
}

/** Words of which an option or an argument takes one. Errors, help and completion read them here. */
export const optionChoices = {
  profile: ['smoke', 'standard', 'certify'],
  failOn: ['deviation', 'regression', 'fail', 'never'],
  shapesFailOn: ['shape', 'unsupported', 'any'],
  clientsFailOn: ['wrong', 'throws', 'never'],
  mapForm: ['map', 'litellm', 'models.dev'],
  diffFormat: ['terminal', 'md', 'json'],
} as const;

/**
 * Throws a UserError for a word or a number that an option cannot take, and for a list of nothing, which an unset
 * variable of a script leaves: it must not mean everything.
 */
export async function checkVerbOptions(table: readonly VerbOption[], options: Options): Promise<void> {
  for (const [flags, , takes] of table) {
    const [, name = ''] = /--([\w-]+)/.exec(flags) ?? [];
    const given = options[camelCase(name)];
    if (takes === undefined || given === undefined || typeof given === 'boolean') continue;
    if (typeof takes === 'object' && 'least' in takes) {
      checkNumber(name, String(given), takes);
      continue;
    }
    const isList = takes === 'many' || flags.includes('<LIST>');
    const words = isList ? [given].flat().flatMap(splitOptionList) : [given].flat();
    if (words.length === 0) throw userError(`--${name} names nothing`, `leave --${name} out to choose everything`);
    if (takes !== 'many') await checkWords(`--${name}`, words, takes, isList ? 'takes a list of' : 'must be one of');
  }
}

/** Throws a UserError for a word that is not one of those that are taken. */
export async function checkWords(
  what: string,
  words: readonly string[],
  taken: readonly string[],
  rule = 'must be one of',
): Promise<void> {
  const wrong = words.filter((word) => !taken.includes(word));
  if (wrong.length === 0) return;
  // A package that most command lines do without.
  const { nearest } = await import('../../files/problems/nearest.js');
  const near = nearest(wrong[0] ?? '', taken);
  const message = `${what} ${rule} ${taken.join(', ')}, not "${wrong.join(',')}"`;
  throw userError(message, near === null ? undefined : `did you mean "${near}"?`);
}

function checkNumber(name: string, text: string, { least, most = Number.MAX_SAFE_INTEGER }: NumberRange): void {
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw userError(`--${name} must be a whole number ${range}, not "${text}"`);
}

/** An option that holds a number; undefined if it was not given. */
export function numberOf(options: Options, name: string): number | undefined {
  const text = optionText(options, name);
  return text === undefined ? undefined : Number(text);
}

/** An option that holds one of a few words. */
export function optionChoice<T extends string>(options: Options, name: string, words: readonly T[], fallback: T): T {
  return words.find((word) => word === optionText(options, name)) ?? fallback;
}

/** `--fail-on`: what makes the exit code 1. */
export function failOnOf(options: Options): ExitConditions['failOn'] {
  return optionChoice(options, 'fail-on', optionChoices.failOn, 'deviation');
}

/** `--shard 2/5` as part 2 of 5; undefined if it was not given. Throws a UserError. */
export function shardOf(options: Options): Shard | undefined {
  const text = options['shard'];
  if (text === undefined) return undefined;
  const [, index = 0, of = 0] = (/^([1-9]\d*)\/([1-9]\d*)$/.exec(String(text)) ?? []).map(Number);
  if (isShard({ index, of })) return { index, of };
  const range = `I from 1 to N and N up to ${mostShards}`;
  throw userError(`--shard must be I/N with ${range}, such as 2/5, not "${String(text)}"`);
}

/**
 * An option of names or patterns, which may be given several times, each time with a list; undefined if it was not
 * given.
 */
export function optionNames(options: Options, name: string): readonly string[] | undefined {
  const given = options[camelCase(name)];
  if (given === undefined || typeof given === 'boolean') return undefined;
  return [...new Set([given].flat().flatMap(splitOptionList))];
}

/** The items of a list with commas. A comma within brackets belongs to a cell key: `a[x=1,y=2],b` is two patterns. */
export function splitOptionList(text: string): readonly string[] {
  // Where a star stands for the opening bracket, a label before the comma tells: `*x=1,y=2]` is one.
  const items = text.match(/(?:\[[^\]]*(?:\]|$)|[^,[\]]*=[^[\]]*\]|[^,])+/g) ?? [];
  return items.map((one) => one.trim()).filter((one) => one !== '');
}

/** An option as text; undefined if it was not given. */
export function optionText(options: Options, name: string): string | undefined {
  const text = options[camelCase(name)];
  return typeof text === 'string' ? text : undefined;
}

/** `--config`, as it was written. */
export const configName = (options: Options): string => optionText(options, 'config') ?? 'chatspec.yaml';

/** Commander stores `--fail-on` as `failOn`. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The files that a run writes: those of `--format`, else the usual ones; and what later commands read. */
export function fileFormatsOf(options: Options): readonly FileFormat[] {
  const chosen = optionNames(options, 'format') ?? usualFormats.map(({ name }) => name);
  const names = [...chosen, reportFormats.json.name, reportFormats.summary.name];
  return fileFormats.filter(({ name }) => names.includes(name));
}
