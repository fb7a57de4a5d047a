import { dirname, join, resolve } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { acceptRun, keptCells } from '../../baseline/accept-run.js';
import { isUnclear } from '../../baseline/accepted-covers.js';
import { loadBaseline } from '../../baseline/load-baseline.js';
import { UserError } from '../../files/problems/problem.js';
import { goneSentence } from '../../report/view/gone-sentence.js';
import { oneLine } from '../../report/safe/escape.js';
import { count } from '../../report/view/phrases.js';
import { readReport } from '../../report/run-folder.js';
import { exitCodes } from '../errors/exit-codes.js';
import { existsSync } from 'node:fs';
import { displayPath } from '../folders/folders.js';
import type { Io } from '../terminal/io.js';
import { printAcceptance } from '../terminal/print-acceptance.js';
import { actionOf, namesIn, textOf } from '../options/options.js';
import type { Options } from '../verb.js';
import { unwritable } from '../folders/writable.js';

/** `baseline accept RUN`: writes the results of the run into the baseline file. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [action = '', folder = ''] = args;
  actionOf('baseline', action);
  const report = await readReport(resolve(io.cwd, folder));
  const file = await baselineFile(options, io);
  const { baseline, problems } = existsSync(file) ? await loadBaseline(file) : { baseline: null, problems: [] };
  if (problems.some(({ severity }) => severity === 'error')) throw new UserError(problems);
  const accepting = { only: namesIn(options, 'only') ?? null, today: new Date().toISOString().slice(0, 10) };
  const text = acceptRun(report, baseline, accepting);
  const before = baseline?.text ?? null;
  const dryRun = options['dryRun'] === true;
  if (!dryRun && text !== before) {
    // Unlike a report, a baseline that is a link is followed: it is the user's own file, perhaps shared by several configs.
    await writeFileAtomic(file, text).catch((error: unknown) => {
      throw unwritable(error, file);
    });
  }
  printAcceptance(
    {
      ...{ file: displayPath(file, io), run: displayPath(resolve(io.cwd, folder), io), only: accepting.only },
      ...{ before, after: text, dryRun, kept: keptCells(report, baseline, accepting), cells: report.cells },
    },
    options,
    io,
  );
  // Of a keyword that stays unclear, the list above says what was written.
  const left = report.cells.filter(
    (cell) => (cell.verdict === 'not_run' || cell.verdict === 'inconclusive') && !isUnclear(cell),
  ).length;
  if (left > 0) {
    io.err(
      `chatspec: ${left} of ${count(report.cells.length, 'cell')} of this run could not be measured, and ${left === 1 ? 'is' : 'are'} not accepted\n`,
    );
  }
  const gone = report.models.filter(({ standing, retired }) => standing === 'gone' && !retired);
  if (gone.length > 0) {
    io.err(`chatspec: ${oneLine(goneSentence(gone, textOf(options, 'config') ?? report.run.config))}\n`);
  }
  return exitCodes.ok;
}

/** The file that the config names, else baseline.yaml beside the config. */
async function baselineFile(options: Options, io: Io): Promise<string> {
  const file = resolve(io.cwd, textOf(options, 'config') ?? 'chatspec.yaml');
  const { loadConfig } = await import('../../config/index.js');
  const { config, problems } = await loadConfig(file, io.env);
  if (config === null) throw new UserError(problems);
  if (config.baseline === null) {
    io.err(
      `chatspec: the config has no baseline; writing baseline.yaml (add "baseline: baseline.yaml" to ${displayPath(file, io)})\n`,
    );
  }
  return config.baseline ?? join(dirname(file), 'baseline.yaml');
}
