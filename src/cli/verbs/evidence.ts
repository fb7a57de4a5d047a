import { withoutModel, withoutPoint } from '../../cell/cell-key.js';
import { compilePattern } from '../../cell/cell-pattern.js';
import { nearest } from '../../files/problems/nearest.js';
import { userError } from '../../files/problems/problem.js';
import { resolve } from 'node:path';
import { evidenceBundle } from '../../report/evidence/evidence-bundle.js';
import { renderEvidence } from '../../report/evidence/render-evidence.js';
import { readReport } from '../../report/run-folder.js';
import { exitCodes } from '../errors/exit-codes.js';
import type { Io } from '../terminal/io.js';
import { readingOf } from '../options/reading.js';
import type { Options } from '../verb.js';
import { jsonText } from '../../report/safe/visible-json.js';

/** Prints what the service's support needs: the redacted exchanges of one cell. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [folder = '', key = ''] = args;
  const source = resolve(io.cwd, folder);
  const report = await readReport(source);
  const cell = chooseCell(report.cells, key);
  const bundle = await evidenceBundle(report, cell, await readingOf(options, io, source));
  io.out(options['json'] === true ? `${jsonText(bundle)}\n` : renderEvidence(bundle));
  return exitCodes.ok;
}

/** An error message lists at most this many keys. */
const mostListed = 10;

/**
 * The cell with this key, or the only one that matches this pattern. Throws a UserError that lists the choices if none
 * or several match.
 */
export function chooseCell<Cell extends { readonly key: string }>(cells: readonly Cell[], asked: string): Cell {
  const whole = cells.find(({ key }) => key === asked);
  if (whole !== undefined) return whole;
  const answers = compilePattern(asked);
  const matching = cells.filter(({ key }) => answers(key));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  if (only !== undefined) {
    throw userError(
      `${matching.length} cells match "${asked}", but evidence shows one cell`,
      `give the whole key of one, in quotes:${listed(matching)}`,
    );
  }
  throw userError(`no cell of this run matches "${asked}"`, hintFor(cells, asked));
}

function hintFor(cells: readonly { readonly key: string }[], asked: string): string {
  if (cells.length === 0) return 'the run has no cells';
  const near = nearest(asked, new Set(cells.flatMap(({ key }) => [key, ...partsOf(key)])));
  return near === null ? `the cells of the run:${listed(cells)}` : `did you mean "${near}"?`;
}

/** A key without its model, and also without its point. */
function partsOf(key: string): readonly string[] {
  const head = withoutModel(key);
  return [head, withoutPoint(head)];
}

function listed(cells: readonly { readonly key: string }[]): string {
  const more = cells.length - mostListed;
  const lines = cells.slice(0, mostListed).map(({ key }) => `'${key}'`);
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].map((line) => `\n      ${line}`).join('');
}
