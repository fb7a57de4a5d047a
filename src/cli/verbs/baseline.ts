import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { acceptRun } from '../../baseline/accept-run.js';
import { idOfTarget } from '../../cell/model-names.js';
import { loadBaseline } from '../../baseline/load-baseline.js';
import { entryLines } from '../../baseline/baseline-text.js';
import type { Config } from '../../config/config.js';
import { fitsListed } from '../../plan/listed-models.js';
import { loadConfig } from '../../config/load-config.js';
import { UserError } from '../../files/problems/problem.js';
import { JournalError } from '../../journal/journal-error.js';
import { whileFileLocked } from '../../journal/journal-lock.js';
import { writeWhole, asUnwritableError, writingTo } from '../../files/write-whole.js';
import { changesCount, leftCells, leftTexts, notedIn, summaryTexts } from '../../report/words/acceptance-texts.js';
import type { Report } from '../../matrix/report-format.js';
import { readReport } from '../../report/run-folder.js';
import { safeJsonText, visible } from '../../report/safe/escape.js';
import { shellWord } from '../../report/safe/shell.js';
import { texts } from '../../report/words/catalogue.js';
import { say } from '../../report/words/message.js';
import { exitCodes, type Io, printProblems, displayPath } from '../terminal/io.js';
import { configName, optionNames, type Options, optionText } from '../options/options.js';

const { acceptance, hints } = texts;

/** `baseline accept RUN`: writes the results of the run into the baseline file, and prints each entry that it wrote. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [, folder = ''] = args;
  const report = await readReport(resolve(io.cwd, folder));
  const configFile = resolve(io.cwd, configName(options));
  const { config, problems: ofConfig } = await loadConfig(configFile, io.env);
  if (config === null) throw new UserError(ofConfig);
  const path = config.baseline ?? join(dirname(configFile), 'baseline.yaml');
  const only = optionNames(options, 'only') ?? null;
  const named = new Set(config.targets.flatMap(({ models }) => models.map(({ key }) => key)));
  const prune = options['prune'] === true;
  const accepting = {
    only,
    today: new Date().toISOString().slice(0, 10),
    isNamed: (id: string) => named.has(id) || isListedModel(config.targets, report, id),
    prune,
  };
  const dryRun = options['dryRun'] === true;
  const accept = () => acceptInto(path, report, accepting, dryRun);
  // Of several at once, each reads what the one before it wrote.
  const accepted = dryRun ? await accept() : await whileFileLocked(path, accept).catch(refuseUnwritable(path));
  const { before, after, written, changes, kept, unnamed, littleKnown } = accepted;
  const isAccepted = accepted.text !== null;
  const [file, shownRun] = [displayPath(path, io), displayPath(resolve(io.cwd, folder), io)];
  if (config.baseline === null) {
    const next = `add "baseline: baseline.yaml" to ${displayPath(configFile, io)}, or no run is compared with it`;
    io.err(`chatspec: the config has no baseline: ${next}\n`);
  }
  const noted = notedIn(changes);
  const left = leftCells(kept, report.cells).filter(({ cell }) => !noted.has(cell));
  if (options['json'] === true) {
    const { models, count } = unnamed;
    const facts = { little_known: littleKnown, unnamed: { models, entries: count, pruned: prune } };
    const data = { file, run: shownRun, dry_run: dryRun, written, changes, left, ...facts };
    io.out(`${safeJsonText(data)}\n`);
  } else {
    const texts = leftTexts(left, noted.size, only !== null);
    if (isAccepted && !dryRun) {
      const nothing = before === after ? '; nothing changed' : '';
      texts.unshift(`${file}: accepted ${shownRun}${nothing}`, ...summaryTexts(changes));
    }
    if (isAccepted && littleKnown > 0) texts.push(say(acceptance.littleKnown, { cells: littleKnown }));
    if (unnamed.count > 0 && !prune) {
      texts.push(say(acceptance.unnamed, { entries: unnamed.count, models: unnamed.models.join(', ') }));
    }
    // The entries alone on standard output; the rest is for people.
    if (dryRun && isAccepted) for (const line of changes.flatMap(entryLines)) io.out(`${visible(line)}\n`);
    if (dryRun && isAccepted) io.err(`chatspec: nothing was written; ${changesCount(changes)}\n`);
    for (const one of texts) (dryRun ? io.err : io.out)(`${visible(one)}\n`);
  }
  if (!isAccepted) {
    const cell = only === null ? '' : ` that matches --only ${only.join()}`;
    const message = `no cell of ${shownRun}${cell} was judged, so nothing was accepted, and ${file} was not written`;
    const hint = `chatspec report ${shellWord(shownRun)} says why; run it again, and then accept it`;
    printProblems([{ severity: 'error', place: null, message, hint }], io);
    return exitCodes.unmeasured;
  }
  const gone = report.models.filter(({ standing, retired }) => standing === 'gone' && !retired);
  if (gone.length > 0) {
    const configName = optionText(options, 'config') ?? report.run.config ?? 'chatspec.yaml';
    const models = gone.map(({ id }) => id).join(', ');
    io.err(`chatspec: ${visible(say(hints.gone, { models, number: gone.length, config: configName }))}\n`);
  }
  return exitCodes.ok;
}

/** Throws a folder that takes no lock on as one that takes no baseline. */
const refuseUnwritable =
  (path: string) =>
  (error: unknown): never => {
    throw error instanceof JournalError && error.reason === 'read_only' ? asUnwritableError(error.cause, path) : error;
  };

/** Whether a service lists the model, as far as the run shows: it fits, and is not gone. */
function isListedModel(targets: Config['targets'], { models }: Report, key: string): boolean {
  if (models.some(({ id, standing }) => id === key && standing === 'gone')) return false;
  return targets.some(({ name, listed }) => {
    const id = idOfTarget(name, key);
    return listed && id !== null && fitsListed(listed, id);
  });
}

/** Reads the baseline, accepts the run into it, and writes it unless it is a dry run. */
async function acceptInto(
  path: string,
  report: Parameters<typeof acceptRun>[0],
  accepting: Parameters<typeof acceptRun>[2],
  dryRun: boolean,
) {
  const { baseline, problems } = existsSync(path) ? await loadBaseline(path) : { baseline: null, problems: [] };
  if (problems.some(({ severity }) => severity === 'error')) throw new UserError(problems);
  const before = baseline?.text ?? null;
  const accepted = acceptRun(report, baseline, accepting);
  const after = accepted.text ?? before;
  const written = !dryRun && after !== null && after !== before;
  if (written) {
    // Unlike a report, a baseline that is a link is followed: it is the user's own file, perhaps shared by several
    // configs.
    await writingTo(path, writeWhole(await realpath(path).catch(() => path), after));
  }
  return { ...accepted, before, after, written };
}
