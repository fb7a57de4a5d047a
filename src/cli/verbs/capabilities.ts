import { resolve } from 'node:path';
import type { CapabilityMap } from '../../capabilities/capability-map.js';
import { userError } from '../../files/problems/problem.js';
import { capabilityMapOf } from '../../report/capabilities/capability-map-of.js';
import { litellmFlags, modelsDevFields } from '../../report/capabilities/supports-flags.js';
import { readReport } from '../../report/run-folder.js';
import { jsonText } from '../../report/safe/visible-json.js';
import { exitCodes } from '../errors/exit-codes.js';
import { oneOf, wholeNumber } from '../options/options.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';

const forms = {
  map: (map: CapabilityMap) => map,
  litellm: litellmFlags,
  'models.dev': modelsDevFields,
};
const formNames = Object.keys(forms) as (keyof typeof forms)[];

/** `capabilities export RUN`: prints the capability map of a run. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [action = '', folder = ''] = args;
  if (action !== 'export') throw userError(`unknown action "${action}"; the only one is "capabilities export RUN"`);
  const form = oneOf(options, 'format', formNames, 'map');
  const days = wholeNumber(options, 'days', { least: 1, most: 3650 });
  const report = await readReport(resolve(io.cwd, folder));
  if (report.run.last_failed !== undefined) {
    io.err('chatspec: warning: a partial run says little of what a model can do; export a whole one\n');
  }
  const map = capabilityMapOf(report, days);
  io.out(`${jsonText(forms[form](map))}\n`);
  return exitCodes.ok;
}
