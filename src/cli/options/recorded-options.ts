import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { renderContext } from '../../assemble/make-report.js';
import { toolVersion } from '../../assemble/tool-version.js';
import { UserError, userError } from '../../files/problems/problem.js';
import type { GivenOptions, RunStarted } from '../../journal/event.js';
import { JournalError } from '../../journal/journal-error.js';
import { journalName } from '../../journal/journal.js';
import { readJournal } from '../../journal/read-journal.js';
import type { Plan } from '../../plan/plan.js';
import type { RenderContext } from '../../report/render.js';
import { hasReport, refuseBrokenLink } from '../../report/run-folder.js';
import { oneLine } from '../../report/safe/escape.js';
import { configOption, shellWord } from '../../report/safe/shell.js';
import type { Io } from '../terminal/io.js';
import { decidingNames } from './deciding-options.js';
import { camelCase, configName, type Options, optionText } from './options.js';

/** Options that decide which cells are planned. */
export const filterOptions = ['models', 'suites', 'only', 'skip', 'tags'] as const;
const defaults: Readonly<Record<string, string>> = { profile: 'standard', seed: '1' };

/** The given options that decide what a run asks. The journal keeps them. */
export function decidingOptions(options: Options): GivenOptions {
  return Object.fromEntries(
    decidingNames.map(camelCase).flatMap((name) => {
      const value = options[name];
      return typeof value === 'string' || Array.isArray(value) ? [[name, value as string | readonly string[]]] : [];
    }),
  );
}

/** The config, if it is not the usual one, so that the commands which a report advises can name it. */
export function configGiven(options: Options): GivenOptions {
  const config = configName(options);
  return config === 'chatspec.yaml' ? {} : { config };
}

/** The first line of a run folder's journal; null if there is no journal or it is empty. */
export async function recordedRunStart(folder: string): Promise<RunStarted | null> {
  return requireJournal(folder).catch((error: unknown) => {
    if (error instanceof UserError || (error instanceof JournalError && error.reason === 'missing')) return null;
    throw error;
  });
}

/**
 * The same. Throws a JournalError for a folder that holds no run, and a UserError for a run whose journal was removed.
 */
export async function requireJournal(folder: string): Promise<RunStarted | null> {
  const file = join(folder, journalName);
  try {
    for await (const line of readJournal(file)) if (line.type === 'run_started') return line;
    return null;
  } catch (error) {
    if (error instanceof JournalError && error.reason === 'missing') await refuseBrokenLink(folder);
    if (!(error instanceof JournalError) || error.reason !== 'missing' || !hasReport(folder)) throw error;
    throw userError(
      `${file} was removed, and with it the requests and answers of this run`,
      'chatspec prune does so with old runs; report, diff and baseline accept still work with report.json',
    );
  }
}

/** The options of the recorded run; an older journal holds only profile and seed. */
export function recordedOptions({ profile, seed, options = {} }: RunStarted): GivenOptions {
  return { ...decidingOptions(options), profile, seed: String(seed) };
}

/**
 * Of a recorded run, what says which service and models it asked, beside or in place of a config; under those given.
 */
export function overRecordedSource(started: RunStarted | null, given: Options): Options {
  const { models, baseUrl, apiKeyEnv, rename, request } = started?.options ?? {};
  const recorded = { baseUrl, apiKeyEnv, rename, request, ...(baseUrl !== undefined && { models }) };
  return { ...Object.fromEntries(Object.entries(recorded).filter(([, value]) => value !== undefined)), ...given };
}

/** The options given now, over those of the recorded run. Another profile cancels a recorded number of trials. */
export function overRecorded(recorded: GivenOptions, given: Options): Options {
  const { trials, ...others } = recorded;
  const fixed = trials === undefined || given['profile'] !== undefined ? {} : { trials };
  return { ...others, ...fixed, ...given };
}

/** `--trials 2 --only 'shop/*'`, quoted for a shell; defaults are left out. */
function asTyped(options: GivenOptions): string {
  const typed = decidingNames.flatMap((name) => {
    const value = options[camelCase(name)] ?? [];
    return value === defaults[name] ? [] : [value].flat().map((text) => `--${name} ${shellWord(text)}`);
  });
  return typed.join(' ');
}

/** Prints which options are taken over from the recorded run. */
export function printTakenOptions(recorded: GivenOptions, given: Options, io: Io): void {
  const taken = decidingOptions(overRecorded(recorded, given));
  const typed = asTyped(Object.fromEntries(Object.entries(taken).filter(([name]) => given[name] === undefined)));
  if (typed !== '') io.err(`chatspec: using options of the recorded run: ${oneLine(typed)}\n`);
}

/** The error for a run that cannot be resumed because its plan is not today's; the hint says how to resume it. */
export function planMismatch(started: RunStarted, plan: Plan, given: Options, folder: string): UserError {
  const rejudge = `judge what it recorded with chatspec rejudge ${shellWord(folder)}${configOption(optionText(given, 'config'))}`;
  const way = hasOptions(given)
    ? 'resume it without options: it keeps its own'
    : `undo the change to resume it, ${rejudge}`;
  return userError(
    `the run in ${folder} has a different plan: ${whatDiffers(started, plan, given)}`,
    `${way}, or start a new run in another folder (--out)`,
  );
}

/** The changes since a run began. */
export function whatDiffers(started: RunStarted, plan: Plan, given: Options): string {
  const changed = changedFiles(started.digests, plan.digests);
  const { version } = started.tool;
  const by = version === toolVersion() ? '' : `chatspec ${version} began it, and this is ${toolVersion()}`;
  if (changed !== '') return [`${changed} have changed since`, by].filter((part) => part !== '').join('; ');
  if (by !== '') return by;
  return hasOptions(given) ? 'it was started with other options' : 'the baseline has changed since';
}

/** Of what two plans differ; empty: of neither. */
export function changedFiles(one: Plan['digests'], other: Plan['digests']): string {
  const config = one.config === other.config ? [] : ['targets or models in the config'];
  return [...config, ...(one.suites === other.suites ? [] : ['the suites'])].join(' and ');
}

/** Budgets do not belong to a plan. */
function hasOptions(given: Options): boolean {
  return Object.keys(decidingOptions(given)).some((name) => !name.startsWith('budget'));
}

/**
 * How a verb that reads a run folder shows it: by the `redact` patterns of the config, and without the keys that the
 * config names, since a run may be older than a rule of masking. Without a config, what is like a key or an address is
 * masked, since a run folder can be read anywhere. `out` says where the config puts runs.
 */
export async function readingOf(
  options: Options,
  io: Io,
  journalFolder?: string,
): Promise<Pick<RenderContext, 'redact' | 'exchanges'> & { readonly out?: string }> {
  const more = journalFolder === undefined ? {} : { journalFolder };
  const file = resolve(io.cwd, configName(options));
  if (!existsSync(file)) return renderContext(more);
  const { readEnvironment } = await import('../../config/credentials.js');
  const { loadConfig } = await import('../../config/load-config.js');
  const { namesInConfig } = await import('../../config/config.js');
  const { env } = await readEnvironment([io.cwd, dirname(file)], io.env);
  const { config, live } = await loadConfig(file, env);
  const context = renderContext({
    ...more,
    redact: config?.redact ?? [],
    keys: live,
    names: config === null ? [] : namesInConfig(config),
  });
  return config === null ? context : { ...context, out: config.out };
}
