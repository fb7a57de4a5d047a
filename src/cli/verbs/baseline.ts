import { dirname, join, resolve } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { acceptRun, keptCells } from '../../baseline/accept-run.js';
import { acceptedBy } from '../../baseline/accept-cell.js';
import { isUnclear } from '../../baseline/accepted-covers.js';
import { loadBaseline } from '../../baseline/load-baseline.js';
import { listChanges } from '../../baseline/changes/list-changes.js';
import { isJudged } from '../../cell/verdict.js';
import { type Problem, UserError } from '../../files/problems/problem.js';
import type { Report } from '../../matrix/report-format.js';
import { hints } from '../../report/words/catalogue.js';
import { say } from '../../report/words/message.js';
import { oneLine } from '../../report/safe/escape.js';
import { count } from '../../report/words/phrases.js';
import { shellWord } from '../../report/words/shell-word.js';
import { readReport } from '../../report/run-folder.js';
import { exitCodes } from '../errors/exit-codes.js';
import { existsSync } from 'node:fs';
import { displayPath } from '../folders/folders.js';
import type { Io } from '../terminal/io.js';
import { type Accepted, printAcceptance } from '../terminal/print-acceptance.js';
import { printProblems } from '../terminal/print-problems.js';
import { actionOf, namesIn, textOf } from '../options/options.js';
import type { Options } from '../verb.js';
import { unwritable } from '../folders/writable.js';

/** `baseline accept RUN`: writes the results of the run into the baseline file. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [action = '', folder = ''] = args;
  actionOf('baseline', action);
  const report = await readReport(resolve(io.cwd, folder));
  const { file, isNamed } = await baselineFile(options, io);
  const { baseline, problems } = existsSync(file) ? await loadBaseline(file) : { baseline: null, problems: [] };
  if (problems.some(({ severity }) => severity === 'error')) throw new UserError(problems);
  const only = namesIn(options, 'only') ?? null;
  const accepting = { only, today: new Date().toISOString().slice(0, 10) };
  const before = baseline?.text ?? null;
  const text = acceptRun(report, baseline, accepting);
  const isAccepted = report.cells.some((cell) => isJudged(cell) && acceptedBy(only)(cell)) || wouldChange(before, text);
  const after = isAccepted ? text : before;
  const dryRun = options['dryRun'] === true;
  if (!dryRun && after !== null && after !== before) await write(file, after, isNamed, options, io);
  const shown = { file: displayPath(file, io), run: displayPath(resolve(io.cwd, folder), io), only };
  const kept = keptCells(report, baseline, accepting);
  printAcceptance({ ...shown, before, after, isAccepted, dryRun, kept, cells: report.cells }, options, io);
  if (!isAccepted) {
    printProblems([nothingJudged(shown)], io);
    return exitCodes.unmeasured;
  }
  printLeft(report, options, io);
  return exitCodes.ok;
}

function wouldChange(before: string | null, after: string): boolean {
  return listChanges(before, after).some(
    ({ added, changed, removed }) => added.length + changed.length + removed.length > 0,
  );
}

async function write(file: string, text: string, isNamed: boolean, options: Options, io: Io): Promise<void> {
  if (!isNamed) {
    const config = displayPath(configFile(options, io), io);
    io.err(
      `chatspec: the config has no baseline; writing baseline.yaml (add "baseline: baseline.yaml" to ${config})\n`,
    );
  }
  // Unlike a report, a baseline that is a link is followed: it is the user's own file, perhaps shared by several configs.
  await writeFileAtomic(file, text).catch((error: unknown) => {
    throw unwritable(error, file);
  });
}

function nothingJudged({ file, run, only }: Pick<Accepted, 'file' | 'run' | 'only'>): Problem {
  const cell = only === null ? '' : ` that matches --only ${only.join()}`;
  return {
    ...{ severity: 'error', place: null },
    message: `no cell of ${run}${cell} was judged, so nothing was accepted, and ${file} was not written`,
    hint: `chatspec report ${shellWord(run)} says why; run it again, and then accept it`,
  };
}

/** What accepting the run does not settle. */
function printLeft(report: Report, options: Options, io: Io): void {
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
    const config = textOf(options, 'config') ?? report.run.config ?? 'chatspec.yaml';
    const models = gone.map(({ id }) => id).join(', ');
    io.err(`chatspec: ${oneLine(say(hints.gone, { models, number: gone.length, config }))}\n`);
  }
}

/** The file that the config names, else baseline.yaml beside the config. */
async function baselineFile(options: Options, io: Io): Promise<{ readonly file: string; readonly isNamed: boolean }> {
  const file = configFile(options, io);
  const { loadConfig } = await import('../../config/index.js');
  const { config, problems } = await loadConfig(file, io.env);
  if (config === null) throw new UserError(problems);
  return { file: config.baseline ?? join(dirname(file), 'baseline.yaml'), isNamed: config.baseline !== null };
}

const configFile = (options: Options, io: Io): string => resolve(io.cwd, textOf(options, 'config') ?? 'chatspec.yaml');
