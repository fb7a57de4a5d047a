import { join } from 'node:path';
import type { Report } from '../../matrix/report-format.js';
import type { Plan } from '../../plan/ticket.js';
import { diskSpool } from '../../report/gather/failure-spool.js';
import { openGathering } from '../../report/gather/gather.js';
import type { FileFormat, RenderContext } from '../../report/render.js';
import { journalName } from '../../journal/journal.js';
import { replay } from '../../run/replay.js';
import type { Inputs } from './inputs.js';
import type { Io } from '../terminal/io.js';
import { machineryFor } from './run-parts.js';
import { publish } from './publish.js';
import { startOf } from '../options/recorded-options.js';
import { shownBeforeOf } from '../folders/shown-before.js';
import { unwritable, writableFolder } from '../folders/writable.js';

export interface JudgingAgain {
  readonly plan: Plan;
  readonly inputs: Inputs;
  /** Where the journal stands. */
  readonly source: string;
  /** Where the report goes. */
  readonly folder: string;
  readonly formats: readonly FileFormat[] | undefined;
}

/** Judges what a journal holds by this plan, with nothing sent, and writes the files of the report. */
export async function judgeAgain(
  { plan, inputs, source, folder, formats }: JudgingAgain,
  io: Io,
): Promise<{ report: Report; context: RenderContext }> {
  const { config, suites } = inputs;
  const retries = new Map(config.targets.map(({ name, limits }) => [name, limits.retries]));
  const machinery = await machineryFor(plan, (target) => retries.get(target) ?? 0);
  const gathering = openGathering(diskSpool(() => folder));
  try {
    for await (const event of replay(join(source, journalName), { ...machinery, plan, targets: config.targets })) {
      gathering.see(event);
    }
    // Only now: a journal that cannot be read leaves no empty folder behind.
    await writableFolder(folder);
    const shownBefore = shownBeforeOf(await startOf(source));
    const work = { plan, config, suites, gathering, folder, journalFolder: source, formats, shownBefore };
    return await publish(work, io);
  } catch (error) {
    throw unwritable(error, folder);
  }
}
