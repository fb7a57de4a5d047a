import { join } from 'node:path';
import { UserError, userError } from '../../files/problems/problem.js';
import type { GivenOptions, RunStarted } from '../../journal/event.js';
import { nameOnDisk } from '../../journal/compressed.js';
import { journalName } from '../../journal/journal.js';
import { toolVersion } from '../../assemble/tool-version.js';
import { decidingNames, decidingTable, listsOfOne } from '../options/deciding-options.js';
import { camelCase, checkVerbOptions, type Options, optionNames, shardOf } from '../options/options.js';
import { filterOptions, overRecordedSource, recordedOptions } from '../options/recorded-options.js';
import { fromCommandLine } from './address-config.js';

/** Recorded beside those that decide, for the commands that a report advises. */
const alsoRecorded = 'config';

/**
 * Throws a UserError that names the journal when it was begun with an option that this version does not have, or with a
 * value that the option does not take.
 */
export async function checkRecordedOptions(started: RunStarted | null, folder: string): Promise<void> {
  if (started === null) return;
  const names = new Set([...decidingNames.map(camelCase), alsoRecorded]);
  const unknown = Object.keys(started.options ?? {}).filter((name) => !names.has(name));
  if (unknown.length > 0) {
    const options = `option${unknown.length === 1 ? '' : 's'}`;
    throw recordedError(started, folder, `this version does not have the ${options} ${unknown.join(', ')}`);
  }
  try {
    await checkValues(recordedOptions(started));
    const source = overRecordedSource(started, {});
    await fromCommandLine(source, optionNames(source, 'models') ?? [], {});
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw recordedError(started, folder, error.problems.map(({ message }) => message).join('; '));
  }
}

/** Plans; what a recorded filter, which nobody has typed now, does not find is reported with the journal. */
export function namingJournal<T>(recorded: GivenOptions, given: Options, folder: string, plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    const isRecorded = filterOptions.some((name) => recorded[name] !== undefined && given[name] === undefined);
    if (!(error instanceof UserError) || !isRecorded) throw error;
    const where = `${nameOnDisk(join(folder, journalName))}:1: in the options of the recorded run, `;
    throw new UserError(
      error.problems.map((one) => (one.place === null ? { ...one, message: `${where}${one.message}` } : one)),
    );
  }
}

async function checkValues(options: Options): Promise<void> {
  const [list] = listsOfOne(options);
  if (list !== undefined) throw userError(`--${list} takes one value, not a list`);
  await checkVerbOptions(decidingTable, options);
  shardOf(options);
}

function recordedError({ tool }: RunStarted, folder: string, why: string): UserError {
  const message = `${nameOnDisk(join(folder, journalName))}:1: the options of the recorded run cannot be taken over: ${why}`;
  const hint =
    tool.version === toolVersion()
      ? 'a program changed the journal: take it from a copy, or start a new run in another folder (--out)'
      : `use chatspec ${tool.version}, which began the run, or start a new run in another folder (--out)`;
  return userError(message, hint);
}
