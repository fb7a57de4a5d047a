import { type UserError, userError } from '../files/problems/problem.js';
import { patternHint } from '../files/problems/pattern-hint.js';
import { acceptCell, acceptedBy, type KeptBecause } from './accept-cell.js';
import type { AcceptedRun } from './accepted-run.js';
import type { Baseline } from './entries.js';
import { acceptedCovers } from './accepted-covers.js';
import { wholeProbes } from './whole-probes.js';
import { acceptedWireAfter } from './accepted-wire.js';
import { changeLines, entryLine, openDocument, setCovers, setWire, textOf, thresholdLine } from './document.js';

export interface AcceptOptions {
  /** Patterns: only the cells that one of them matches are accepted. null: all. */
  readonly only?: string | readonly string[] | null;
  /** ISO date, written into new entries. */
  readonly today: string;
}

/**
 * The text of the baseline after accepting a run. Cells that pass are expected to pass from now on, the others become
 * entries, and lines that still apply stay exactly as written. Throws a {@link UserError} for an unsuitable run
 * (truncated, or one trial per cell) and for a pattern that matches no cell.
 */
export function acceptRun(
  report: AcceptedRun,
  baseline: Baseline | null,
  { only = null, today }: AcceptOptions,
): string {
  refuseUnsuitable(report);
  const cells = report.cells.filter(acceptedBy(only));
  for (const pattern of only === null ? [] : [only].flat()) {
    if (!cells.some(acceptedBy(pattern))) throw nothingAccepted(pattern, report);
  }

  const isAsked = wholeProbes(report.run);
  const document = openDocument(baseline?.text ?? null);
  if (baseline !== null && baseline.text === undefined) writeOut(document, baseline);
  setCovers(document, acceptedCovers(baseline?.covers ?? [], report.cells, acceptedBy(only), isAsked));
  const accepted = cells.map((cell) => ({
    key: cell.key,
    acceptance: acceptCell(cell, baseline, { named: only !== null, today }),
  }));
  const changed = accepted.filter(({ acceptance }) => acceptance.kind !== 'keep');
  changeLines(
    document,
    'expect',
    new Map(
      changed.map(({ key, acceptance }) => [key, acceptance.kind === 'entry' ? entryLine(acceptance.entry) : null]),
    ),
  );
  changeLines(
    document,
    'thresholds',
    new Map(
      changed.map(({ key, acceptance }) => {
        const threshold = acceptance.kind === 'pass' ? acceptance.threshold : null;
        return [key, threshold === null ? null : thresholdLine(threshold)];
      }),
    ),
  );
  // A report of an older version says nothing of the wire.
  if (report.wire !== undefined) setWire(document, acceptedWireAfter(report, baseline, acceptedBy(only)));
  return textOf(document, baseline?.text ?? null);
}

/** A cell whose line an accepted run leaves as it is. */
export interface KeptCell {
  readonly cell: string;
  readonly because: KeptBecause;
}

/** The cells that accepting a run leaves as they were, and why. */
export function keptCells(
  report: AcceptedRun,
  baseline: Baseline | null,
  { only = null, today }: AcceptOptions,
): readonly KeptCell[] {
  return report.cells.filter(acceptedBy(only)).flatMap((cell) => {
    const acceptance = acceptCell(cell, baseline, { named: only !== null, today });
    return acceptance.kind === 'keep' ? [{ cell: cell.key, because: acceptance.because }] : [];
  });
}

/** For a baseline that was not read from a file but built by a program. */
function writeOut(
  document: ReturnType<typeof openDocument>,
  { covers, expect, wire, thresholds = [] }: Baseline,
): void {
  setCovers(document, covers);
  if (wire !== undefined) setWire(document, new Map(wire.map((entry) => [entry.model, entry])));
  changeLines(document, 'expect', new Map(expect.map((entry) => [entry.key, entryLine(entry)])));
  changeLines(document, 'thresholds', new Map(thresholds.map((stored) => [stored.key, thresholdLine(stored)])));
}

function refuseUnsuitable({ run }: AcceptedRun): void {
  if (!run.complete) {
    const message = 'the run is truncated: cells that it did not reach would be accepted without a result';
    throw userError(
      message,
      'finish it with chatspec run --resume (a merged run: merge it again with all its shards), and then accept it',
    );
  }
  const stop = run.stops?.find(({ target, model }) => target === null && model === null);
  if (stop !== undefined) {
    const why = stop.kind === 'budget' ? 'its budget stopped it before everything was asked' : 'it stopped early';
    throw userError(
      `the run is truncated: ${why}, and a baseline is made of a whole run`,
      'continue it with chatspec run --resume and a larger budget, and then accept it',
    );
  }
  if (run.profile === 'smoke') {
    const message = 'a smoke run asks each cell only once, which is too little for a baseline';
    throw userError(message, 'accept a run of the profile standard or certify');
  }
}

function nothingAccepted(only: string, { cells }: AcceptedRun): UserError {
  const keys = cells.map(({ key }) => key);
  const hint = patternHint(only, { keys, where: 'the run', command: 'chatspec report RUN --json' });
  return userError(`--only ${only} matches no cell of the run`, hint);
}
