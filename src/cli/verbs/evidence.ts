import { resolve } from 'node:path';
import { evidenceBundle } from '../../report/evidence/evidence-bundle.js';
import { redactor } from '../../report/safe/redact.js';
import { renderEvidence } from '../../report/evidence/render-evidence.js';
import { readReport } from '../../report/run-folder.js';
import { chooseCell } from '../options/choose-cell.js';
import { exitCodes } from '../errors/exit-codes.js';
import { exchangesIn } from '../../journal/find-exchanges.js';
import type { Io } from '../terminal/io.js';
import { redactPatterns } from '../options/redact-patterns.js';
import type { Options } from '../verb.js';
import { jsonText } from '../../report/safe/visible-json.js';

/** Prints what the service's support asks for: the redacted exchanges of one cell. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [folder = '', key = ''] = args;
  const source = resolve(io.cwd, folder);
  const report = await readReport(source);
  const cell = chooseCell(report.cells, key);
  const redact = redactor(await redactPatterns(options, io));
  const bundle = await evidenceBundle(report, cell, { exchanges: exchangesIn(source), redact });
  io.out(options['json'] === true ? `${jsonText(bundle)}\n` : renderEvidence(bundle));
  return exitCodes.ok;
}
