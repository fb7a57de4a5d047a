import { withoutModel, withoutPoint } from '../../cell/cell-key.js';
import { compilePattern } from '../../cell/cell-pattern.js';
import { nearest } from '../../files/problems/nearest.js';
import { userError } from '../../files/problems/problem.js';
import { resolve } from 'node:path';
import { evidenceBundle } from '../../report/evidence/evidence-bundle.js';
import { redactor } from '../../report/safe/redact.js';
import { renderEvidence } from '../../report/evidence/render-evidence.js';
import { readReport } from '../../report/run-folder.js';
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

/** Keys that are listed for somebody to choose from. */
const mostListed = 10;

/**
 * The one cell that is meant: by its key, or by a pattern that only one answers to. Throws a UserError that shows what
 * there is to choose from.
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
      `${matching.length} cells answer to "${asked}", and evidence is of one`,
      `name one of them whole, in quotes:${listed(matching)}`,
    );
  }
  throw userError(`the run has no cell "${asked}"`, hintFor(cells, asked));
}

function hintFor(cells: readonly { readonly key: string }[], asked: string): string {
  if (cells.length === 0) return 'it has no cells';
  const near = nearest(asked, new Set(cells.flatMap(({ key }) => [key, ...partsOf(key)])));
  return near === null ? `its cells:${listed(cells)}` : `did you mean "${near}"?`;
}

/** A key without its model, and without its point as well. */
function partsOf(key: string): readonly string[] {
  const head = withoutModel(key);
  return [head, withoutPoint(head)];
}

function listed(cells: readonly { readonly key: string }[]): string {
  const more = cells.length - mostListed;
  const lines = cells.slice(0, mostListed).map(({ key }) => `'${key}'`);
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].map((line) => `\n      ${line}`).join('');
}
