import { resolve } from 'node:path';
import type { CapabilityMap } from '../../capabilities/capability-map.js';
import { capabilityMapOf } from '../../report/capabilities/capability-map-of.js';
import { litellmFlags, modelsDevFields } from '../../report/capabilities/supports-flags.js';
import { readReport } from '../../report/run-folder.js';
import { isJudged } from '../../cell/verdict.js';
import { shellWord } from '../../report/words/shell-word.js';
import { printProblems } from '../terminal/print-problems.js';
import { jsonText } from '../../report/safe/visible-json.js';
import { exitCodes } from '../errors/errors.js';
import { mapForms } from '../verb.js';
import { actionOf, oneOf, wholeNumber } from '../options/options.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';

const forms: Readonly<Record<(typeof mapForms)[number], (map: CapabilityMap) => unknown>> = {
  map: (map) => map,
  litellm: litellmFlags,
  'models.dev': modelsDevFields,
};

/** `capabilities export RUN`: prints the capability map of a run. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [action = '', folder = ''] = args;
  actionOf('capabilities', action);
  const form = oneOf(options, 'format', mapForms, 'map');
  const days = wholeNumber(options, 'days', { least: 1, most: 3650 });
  const report = await readReport(resolve(io.cwd, folder));
  if (report.run.last_failed !== undefined) {
    io.err('chatspec: warning: a partial run says little of what a model can do; export a whole one\n');
  }
  const map = capabilityMapOf(report, days);
  io.out(`${jsonText(forms[form](map))}\n`);
  if (report.cells.some(isJudged)) return exitCodes.ok;
  const hint = `chatspec report ${shellWord(folder)} says why; run it again, and then export it`;
  const message = 'the run judged no cell, so nothing is known of any model';
  printProblems([{ severity: 'error', place: null, message, hint }], io);
  return exitCodes.unmeasured;
}
