import { resolve } from 'node:path';
import { compilePattern } from '../../cell/cell-pattern.js';
import { patternHint } from '../../files/problems/nearest.js';
import { userError } from '../../files/problems/problem.js';
import type { ReportCell } from '../../matrix/report-format.js';
import { type EvidenceBundle, evidenceBundles, evidenceOfExchange } from '../../report/evidence/evidence-bundle.js';
import { renderEvidence } from '../../report/evidence/render-evidence.js';
import { failuresOf } from '../../report/formats/failure-lines.js';
import { readReport } from '../../report/run-folder.js';
import { safeJsonText } from '../../report/safe/escape.js';
import { shellWord } from '../../report/safe/shell.js';
import { exitCodes, type Io } from '../terminal/io.js';
import { splitOptionList, type Options } from '../options/options.js';
import { readingOf, requireJournal } from '../options/recorded-options.js';

/** Cells for which the journal is read once: all of a large run would not fit into memory. */
const cellsPerJournalRead = 25;

/** Prints what the service's support needs: the redacted exchanges of cells, or single exchanges. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [folder = '', ...asked] = args;
  const source = resolve(io.cwd, folder);
  const report = await readReport(source);
  const command = `chatspec report ${shellWord(folder)} --json`;
  if (asked.length === 0) {
    const message = 'evidence needs a cell, a pattern or the id of an exchange: evidence RUN CELL';
    throw userError(message, `${command} lists the cells`);
  }
  if (!source.endsWith('.json')) await requireJournal(source);
  const failures = (keys: ReadonlySet<string>) => failuresOf(keys, source);
  const reading = { ...(await readingOf(options, io, source)), failuresOf: failures };
  const keys = new Set(report.cells.map(({ key }) => key));
  // The id of a model may hold a comma.
  const all = [...new Set(asked.flatMap((text) => (keys.has(text) ? [text] : splitOptionList(text))))];
  const isId = (text: string): boolean => /^e\d+$/.test(text);
  const ids = all.filter(isId);
  const chosen = new Set(all.filter((text) => !isId(text)).flatMap((one) => cellsLike(report.cells, one, command)));
  const cells = report.cells.filter((cell) => chosen.has(cell));
  const isList = ids.length + cells.length > 1;
  let printed = 0;
  const print = (bundle: EvidenceBundle): void => {
    const separator = printed === 0 ? '[\n' : ',\n';
    const before = isList ? separator : '';
    io.out(options['json'] === true ? `${before}${safeJsonText(bundle)}` : renderEvidence(bundle));
    printed += 1;
  };
  for (const id of ids) {
    const bundle = await evidenceOfExchange(report, id, reading);
    if (bundle === null) {
      throw userError(`this run has no exchange ${id}`, 'failures.jsonl and the reports name the exchanges');
    }
    print(bundle);
  }
  for (let from = 0; from < cells.length; from += cellsPerJournalRead) {
    for (const bundle of await evidenceBundles(report, cells.slice(from, from + cellsPerJournalRead), reading)) {
      print(bundle);
    }
  }
  if (options['json'] === true) io.out(isList ? '\n]\n' : '\n');
  return exitCodes.ok;
}

/** The cell with this key, or those that match it as a pattern. Throws a UserError where there is none. */
function cellsLike(cells: readonly ReportCell[], pattern: string, command: string): readonly ReportCell[] {
  const whole = cells.filter(({ key }) => key === pattern);
  const matches = compilePattern(pattern);
  const found = whole.length > 0 ? whole : cells.filter(({ key }) => matches(key));
  if (found.length > 0) return found;
  const keys = cells.map(({ key }) => key);
  const hint = patternHint(pattern, { keys, where: 'the run', command }) ?? 'the run has no cells';
  throw userError(`no cell of this run matches "${pattern}"`, hint);
}
