import type { Config } from '../../config/config.js';
import type { RunStarted } from '../../journal/event.js';
import { resumedFolder } from '../folders/folders.js';
import type { Io } from '../terminal/io.js';
import { overRecorded, recordedOptions, startOf, tellTaken } from '../options/recorded-options.js';
import type { Options } from '../verb.js';

/** A run that is to be gone on with. */
export interface ResumedRun {
  readonly folder: string;
  /** null where nothing was begun there. */
  readonly started: RunStarted | null;
  /** What is given now over what the run had. */
  readonly options: Options;
}

/** Finds the run that `--resume` means, and says which of its options are taken over. */
export async function resumedRun(config: Config, given: Options, io: Io): Promise<ResumedRun> {
  const folder = await resumedFolder(config, given, io);
  const started = await startOf(folder);
  if (started === null) return { folder, started, options: given };
  const recorded = recordedOptions(started);
  tellTaken(recorded, given, io);
  return { folder, started, options: overRecorded(recorded, given) };
}
