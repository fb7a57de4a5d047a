import { splitAtModel } from '../cell/cell-key.js';
import { compilePattern } from '../cell/cell-pattern.js';
import { compareTexts } from '../json/compare-texts.js';
import { type UserError, userError } from '../files/problems/problem.js';
import { patternHint } from '../files/problems/pattern-hint.js';
import { acceptCell, acceptedBy, type KeptBecause } from './accept-cell.js';
import type { AcceptedRun } from './accepted-run.js';
import { type Entry, type Lists, listsOf, nameOf, textWith } from './baseline-text.js';
import type { Baseline, BaselineEntry, Cover, WireEntry } from './entries.js';
import { acceptedCovers } from './accepted-covers.js';
import { acceptedWireAfter } from './accepted-wire.js';

interface AcceptOptions {
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
  const isAccepted = acceptedBy(only);
  const cells = report.cells.filter(isAccepted);
  for (const pattern of only === null ? [] : [only].flat()) {
    if (!cells.some(acceptedBy(pattern))) throw nothingAccepted(pattern, report);
  }
  const expect: [string, Entry | null][] = [];
  const thresholds: [string, Entry | null][] = [];
  for (const cell of cells) {
    const acceptance = acceptCell(cell, baseline, { named: only !== null, today });
    if (acceptance.kind === 'keep') continue;
    const stored = acceptance.kind === 'pass' ? acceptance.threshold : null;
    expect.push([cell.key, acceptance.kind === 'entry' ? entryLine(acceptance.entry) : null]);
    thresholds.push([cell.key, stored && withoutNull(stored)]);
  }
  const wire = report.wire === undefined ? [] : [...acceptedWireAfter(report, baseline, isAccepted).values()];
  const text = baseline?.text ?? null;
  const before = baseline !== null && text === null ? listsIn(baseline) : listsOf(text);
  const covers = acceptedCovers(baseline?.covers ?? [], report.cells, isAccepted, wholeProbes(report.run));
  return textWith(
    {
      covers: covers.map(coverLine),
      wire: changedList(
        before.wire,
        wire.map((entry) => [entry.model, wireLine(entry)]),
      ),
      expect: changedList(before.expect, expect),
      thresholds: changedList(before.thresholds, thresholds),
    },
    text,
  );
}

/** Sorted; undefined: nothing is in the list, and it was not in the file. */
function changedList(
  before: readonly Entry[] | undefined,
  changes: readonly (readonly [string, Entry | null])[],
): readonly Entry[] | undefined {
  const entries = new Map((before ?? []).map((entry) => [nameOf(entry), entry]));
  for (const [name, entry] of changes) {
    if (entry === null) entries.delete(name);
    else entries.set(name, entry);
  }
  if (entries.size === 0 && before === undefined) return undefined;
  return [...entries].sort(([one], [other]) => compareTexts(one, other)).map(([, entry]) => entry);
}

/** The lists of a baseline that was not read from a file but built by a program. */
const listsIn = ({ covers, wire, expect, thresholds }: Baseline): Lists => ({
  covers: covers.map(coverLine),
  wire: wire?.map(wireLine),
  expect: expect.map(entryLine),
  thresholds: thresholds?.map(withoutNull),
});

const coverLine = ({ cells, trials }: Cover): Entry => (trials === null ? cells : { cells, trials });

const wireLine = ({ model, quirks, only, sometimes }: WireEntry): Entry => ({
  model,
  ...(quirks !== null && { quirks }),
  ...(Object.keys(only).length > 0 && { only }),
  ...(sometimes.length > 0 && { sometimes }),
});

/** The members that have a value, in reading order. */
function entryLine(entry: BaselineEntry): Entry {
  const { key, verdict, class: shown, reason, status, passed, total, threshold, fails_at = null, date } = entry;
  const provisional = entry.provisional ? true : null;
  const line = { key, verdict, class: shown, reason, status, passed, total, threshold, fails_at, date, provisional };
  return withoutNull({ ...line, note: entry.note, link: entry.link });
}

const withoutNull = (line: object): Exclude<Entry, string> =>
  Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null));

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

/**
 * Whether the filters of a run let all points of a probe through, by its line in `covers`. Other points of it may exist
 * that the run did not ask, and of which nobody has learned anything.
 */
function wholeProbes({ last_failed: lastFailed, filters = {} }: AcceptedRun['run']): (line: string) => boolean {
  if (lastFailed !== undefined) return () => false;
  const chosen = [filters['only'] ?? []].flat().map(compilePattern);
  // What every key that the pattern matches begins with.
  const starts = [filters['skip'] ?? []].flat().map((pattern) => splitAtModel(pattern).head.replace(/\*.*$/s, ''));
  return (line) => {
    const { head } = splitAtModel(line);
    const isCut = starts.some((start) => head.startsWith(start) || start.startsWith(head));
    return !isCut && (chosen.length === 0 || chosen.some((matches) => matches(line)));
  };
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
