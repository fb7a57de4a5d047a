import { join } from 'node:path';
import { userError } from '../../files/problems/problem.js';
import type { GivenOptions, RunStarted } from '../../journal/event.js';
import { journalName } from '../../journal/journal.js';
import { JournalError } from '../../journal/journal-error.js';
import { readJournal } from '../../journal/read-journal.js';
import { hasReport } from '../../report/run-folder.js';
import { oneLine } from '../../report/safe/escape.js';
import type { Io } from '../terminal/io.js';
import { shellWord } from '../../report/words/shell-word.js';
import { camelCase } from './options.js';
import type { Options } from '../verb.js';

/** Options that decide which cells are planned. */
export const filters = ['models', 'suites', 'only', 'skip', 'tags'] as const;
/** Options that decide what is asked, as they are written on the command line. */
const deciding = [...filters, 'profile', 'trials', 'seed', 'shard', 'budget-requests', 'budget-tokens'] as const;

/** Those of the given options that decide what a run asks. The journal keeps them. */
export function givenOptions(options: Options): GivenOptions {
  return Object.fromEntries(
    deciding.map(camelCase).flatMap((name) => {
      const value = options[name];
      return typeof value === 'string' || Array.isArray(value) ? [[name, value as string | readonly string[]]] : [];
    }),
  );
}

/** The config, if it is not the usual one, so that the commands which a report advises can name it. */
export function configGiven(options: Options): GivenOptions {
  const config = options['config'];
  return typeof config === 'string' && config !== 'chatspec.yaml' ? { config } : {};
}

/** Throws a JournalError for a folder that holds no run, and a UserError for a run whose journal was removed. */
export async function requireJournal(folder: string): Promise<void> {
  try {
    for await (const line of readJournal(join(folder, journalName))) {
      if (line.type === 'run_started') return;
    }
  } catch (error) {
    if (!(error instanceof JournalError) || error.reason !== 'missing') throw error;
    if (!hasReport(folder)) throw error;
    throw userError(
      `${join(folder, journalName)} was removed, and with it the requests and answers of this run`,
      'chatspec prune does so with old runs; report, diff and baseline accept still work with report.json',
    );
  }
}

/** The first line of a run folder's journal; null if there is no journal or it is empty. */
export async function startOf(folder: string): Promise<RunStarted | null> {
  try {
    for await (const line of readJournal(join(folder, journalName))) {
      if (line.type === 'run_started') return line;
    }
  } catch (error) {
    if (!(error instanceof JournalError) || error.reason !== 'missing') throw error;
  }
  return null;
}

/** The options of the recorded run; an older journal holds only profile and seed. */
export function recordedOptions({ profile, seed, options = {} }: RunStarted): GivenOptions {
  return { ...givenOptions(options), profile, seed: String(seed) };
}

/** The options given now, over those of the recorded run. Another profile cancels a recorded number of trials. */
export function overRecorded(recorded: GivenOptions, given: Options): Options {
  const { trials, ...others } = recorded;
  const fixed = trials === undefined || given['profile'] !== undefined ? {} : { trials };
  return { ...others, ...fixed, ...given };
}

/** `--trials 2 --only 'shop/*'`, quoted for a shell; defaults are left out. */
export function asTyped(options: GivenOptions): string {
  return deciding
    .flatMap((name) => {
      const value = options[camelCase(name)] ?? [];
      if (value === defaults[name]) return [];
      return [value].flat().map((text) => `--${name} ${shellWord(text)}`);
    })
    .join(' ');
}

const defaults: Readonly<Record<string, string>> = { profile: 'standard', seed: '1' };

export function withoutFilters(options: GivenOptions): GivenOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !filters.some((filter) => filter === name)));
}

/** Prints which options are taken over from the recorded run. */
export function printTakenOptions(recorded: GivenOptions, given: Options, io: Io): void {
  const taken = givenOptions(overRecorded(recorded, given));
  const typed = asTyped(Object.fromEntries(Object.entries(taken).filter(([name]) => given[name] === undefined)));
  if (typed !== '') io.err(`chatspec: using options of the recorded run: ${oneLine(typed)}\n`);
}
