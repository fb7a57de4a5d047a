import { didYouMean, nearest } from '../../files/problems/nearest.js';
import { userError, type UserError } from '../../files/problems/problem.js';
import type { FailOn } from '../../matrix/run-exit-code.js';
import type { FileFormat, ReportFormat } from '../../report/render.js';
import { fileFormats, reportFormats, usualFormats } from '../../report/report-formats.js';
import { actions, failOnWords, type Options } from '../verb.js';

/** An option that must be a whole number within bounds; undefined if it was not given. Throws a UserError. */
export function wholeNumber(
  options: Options,
  name: string,
  { least, most = Number.MAX_SAFE_INTEGER }: { readonly least: number; readonly most?: number },
): number | undefined {
  const text = options[camelCase(name)];
  if (text === undefined) return undefined;
  const value = typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw userError(`--${name} must be a whole number ${range}, not "${String(text)}"`);
}

/** An option that must be one of a few words; `fallback` if it was not given. Throws a UserError. */
export function oneOf<T extends string>(options: Options, name: string, words: readonly T[], fallback: T): T {
  const text = options[camelCase(name)];
  if (text === undefined) return fallback;
  const word = words.find((candidate) => candidate === text);
  if (word !== undefined) return word;
  throw userError(
    `--${name} must be one of ${words.join(', ')}, not "${String(text)}"`,
    nearHintOf(String(text), words),
  );
}

/** The action of a verb that has some. Throws a UserError. */
export function actionOf<V extends Exclude<keyof typeof actions, 'completion'>>(
  verb: V,
  asked: string,
): (typeof actions)[V][number] {
  const known: readonly (typeof actions)[V][number][] = actions[verb];
  const action = known.find((name) => name === asked);
  if (action !== undefined) return action;
  throw userError(`chatspec ${verb} has no action "${asked}"`, didYouMean(asked, known, 'its actions'));
}

/** Where the message lists all words already. */
function nearHintOf(text: string, words: readonly string[]): string | undefined {
  const near = nearest(text, words);
  return near === null ? undefined : `did you mean "${near}"?`;
}

/** `--fail-on`: what makes the exit code 1. Throws a UserError. */
export function failOnOf(options: Options): FailOn {
  return oneOf(options, 'fail-on', failOnWords, 'deviation');
}

/** `--shard 2/5` as part 2 of 5; undefined if it was not given. Throws a UserError. */
export function shardOf(options: Options): { readonly index: number; readonly of: number } | undefined {
  const text = options['shard'];
  if (text === undefined) return undefined;
  const [, index, of] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(String(text)) ?? []).map(Number);
  if (index !== undefined && of !== undefined && index <= of) return { index, of };
  throw userError(`--shard must be I/N with I from 1 to N, such as 2/5, not "${String(text)}"`);
}

/** A comma-separated option as a list; undefined if it was not given. */
export function listOf(options: Options, name: string): readonly string[] | undefined {
  const text = options[camelCase(name)];
  return typeof text === 'string' ? listed(text) : undefined;
}

/**
 * An option of names or patterns, which may be given several times, each time with a list; undefined if it was not given.
 * Throws a UserError for a list of nothing, which an unset variable of a script leaves: it must not mean everything.
 */
export function namesIn(options: Options, name: string): readonly string[] | undefined {
  const given = options[camelCase(name)];
  if (given === undefined || typeof given === 'boolean') return undefined;
  const names = [given].flat().flatMap(listed);
  if (names.length > 0) return [...new Set(names)];
  throw namesNothing(name);
}

/** What leaving an option out does. */
const without: Readonly<Record<string, string>> = {
  models: 'to ask every model',
  suites: 'to ask every suite',
  only: 'to choose every cell',
  skip: 'to skip nothing',
  tags: 'to run every probe',
  target: 'to check every target',
  model: 'to check every model',
  format: 'to get the usual ones',
};

/** The error for a list without an item. */
function namesNothing(name: string): UserError {
  return userError(`--${name} names nothing`, `leave --${name} out ${without[name] ?? 'for its default'}`);
}

/** The items of a list with commas. A comma within brackets belongs to a cell key: `a[x=1,y=2],b` is two patterns. */
export function listed(text: string): readonly string[] {
  // Where a star stands for the opening bracket, a label before the comma tells: `*x=1,y=2]` is one.
  const items = text.match(/(?:\[[^\]]*(?:\]|$)|[^,[\]]*=[^[\]]*\]|[^,])+/g) ?? [];
  return items.map((one) => one.trim()).filter((one) => one !== '');
}

/** An option as text; undefined if it was not given. */
export function textOf(options: Options, name: string): string | undefined {
  const text = options[camelCase(name)];
  return typeof text === 'string' ? text : undefined;
}

/** Commander stores `--fail-on` as `failOn`. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** What later commands read is always written, whatever `--format` says. */
const always: ReadonlySet<string> = new Set([reportFormats.json.name, reportFormats.summary.name]);

/** The files that a run writes: those of `--format`, else the usual ones. Throws a UserError. */
export function fileFormatsOf(options: Options): readonly FileFormat[] {
  const chosen = formatsOf(options, fileFormats) ?? usualFormats;
  return fileFormats.filter((format) => always.has(format.name) || chosen.includes(format));
}

/** The formats that `--format` names, in the order of the table; undefined if it was not given. Throws a UserError. */
export function formatsOf<Format extends ReportFormat>(
  options: Options,
  known: readonly Format[],
): readonly Format[] | undefined {
  const asked = listOf(options, 'format');
  if (asked === undefined) return undefined;
  const names = known.map(({ name }) => name);
  const unknown = asked.filter((name) => !names.includes(name));
  const [first] = unknown;
  if (first !== undefined) {
    const message = `--format takes a list of ${names.join(', ')}, not "${unknown.join(',')}"`;
    throw userError(message, nearHintOf(first, names));
  }
  if (asked.length === 0) throw namesNothing('format');
  return known.filter(({ name }) => asked.includes(name));
}
