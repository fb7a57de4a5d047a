import { splitAtModel } from '../cell/cell-key.js';
import { compilePattern } from '../cell/cell-pattern.js';
import { userError } from '../files/problems/problem.js';
import { patternHint } from '../files/problems/nearest.js';
import { acceptCell, type KeptBecause } from './accept-cell.js';
import { acceptedWireAfter, type AcceptedCell, type AcceptedRun } from './accepted-run.js';
import { listChanges, type ListChanges, textWith } from './baseline-text.js';
import { isJudged } from '../cell/verdict.js';
import { wellKnown } from '../stats/evidence.js';
import type { Baseline, Cover, WireEntry } from './entries.js';
import { indexCovers } from './expected.js';
import { unnamedEntries, type UnnamedEntries } from './pruned-models.js';
import { acceptedCovers } from './accepted-covers.js';

interface AcceptOptions {
  /** Patterns: only the cells that one of them matches are accepted. null: all. */
  readonly only?: string | readonly string[] | null;
  /** ISO date, written into new entries. */
  readonly today: string;
  /** Whether the config names a model, by `TARGET/MODEL`; absent: not known, and all count as named. */
  readonly isNamed?: (model: string) => boolean;
  /** Entries of models that it does not name are removed; default: they stay. */
  readonly prune?: boolean;
}

/** A baseline after a run was accepted. */
interface AcceptedRunText {
  /** Of the file; null: nothing of the run was judged. */
  readonly text: string | null;
  readonly changes: readonly ListChanges[];
  /** The cells whose lines stay as they are, and why. */
  readonly kept: readonly { readonly cell: string; readonly because: KeptBecause }[];
  /** Entries of models that the config does not name. */
  readonly unnamed: UnnamedEntries;
  /** How many accepted cells are known from fewer than ten trials. */
  readonly littleKnown: number;
}

/**
 * Cells that pass are expected to pass from now on, the others become entries, and lines that still apply stay exactly
 * as written. Throws a UserError for an unsuitable run (truncated, or one trial per cell) and for a pattern that
 * matches no cell.
 */
export function acceptRun(report: AcceptedRun, baseline: Baseline | null, options: AcceptOptions): AcceptedRunText {
  refuseUnsuitable(report);
  const { only = null, today, isNamed = () => true, prune = false } = options;
  const patterns = only === null ? null : [only].flat();
  const isAccepted = acceptedBy(patterns);
  const cells = report.cells.filter(isAccepted);
  for (const pattern of patterns ?? []) {
    if (cells.some(acceptedBy([pattern]))) continue;
    const keys = report.cells.map(({ key }) => key);
    const hint = patternHint(pattern, { keys, where: 'the run', command: 'chatspec report RUN --json' });
    throw userError(`--only ${pattern} matches no cell of the run`, hint);
  }
  const kept: AcceptedRunText['kept'][number][] = [];
  const expect = new Map<string, object | null>();
  const thresholds = new Map<string, object | null>();
  for (const cell of cells) {
    const acceptance = acceptCell(cell, baseline, { named: only !== null, today });
    if (acceptance.because !== null) {
      kept.push({ cell: cell.key, because: acceptance.because });
      continue;
    }
    expect.set(cell.key, acceptance.expect);
    thresholds.set(cell.key, acceptance.threshold);
  }
  const wire = report.wire === undefined ? [] : [...acceptedWireAfter(report, baseline, isAccepted)];
  const covers = acceptedCovers(baseline?.covers ?? [], report.cells, isAccepted, wholeProbes(report.run));
  const before = baseline?.text ?? null;
  const unnamed = unnamedEntries(baseline ?? noBaseline, isNamed);
  const lines = { covers, wire: new Map(wire.map(([model, entry]) => [model, wireLine(entry)])), expect, thresholds };
  const text = textWith(prune ? withoutEntries(lines, unnamed) : lines, before);
  const changes = listChanges(before, text);
  const hasJudged = kept.filter(({ because }) => because === 'not_judged').length < cells.length;
  const isChanged = changes.some(({ added, changed, removed }) => added.length + changed.length + removed.length > 0);
  const written = hasJudged || isChanged ? text : null;
  return {
    text: written,
    changes,
    kept,
    unnamed,
    littleKnown: littleKnownIn(prune ? cells.filter(({ model }) => isNamed(model)) : cells, lines, baseline),
  };
}

const noBaseline: Baseline = { file: '', covers: [], expect: [] };

type Lines = Parameters<typeof textWith>[0];

function withoutEntries(lines: Lines, { entries }: UnnamedEntries): Lines {
  const without = (list: keyof Lines) =>
    new Map([...lines[list], ...entries[list].map((name) => [name, null] as const)]);
  return {
    covers: without('covers'),
    wire: without('wire'),
    expect: without('expect'),
    thresholds: without('thresholds'),
  };
}

/** By what the file says from now on. */
function littleKnownIn(
  cells: readonly AcceptedCell[],
  { covers }: { readonly covers: ReadonlyMap<string, Cover> },
  baseline: Baseline | null,
): number {
  const after = new Map([...(baseline?.covers ?? []).map((cover) => [cover.cells, cover] as const), ...covers]);
  const coveredBy = indexCovers([...after.values()]);
  const isLittle = ({ key }: AcceptedCell): boolean => {
    const trials = coveredBy(key);
    return trials !== undefined && trials !== null && trials < wellKnown;
  };
  return cells.filter((cell) => isJudged(cell) && isLittle(cell)).length;
}

/** A test for the cells that these patterns accept; null accepts all. */
function acceptedBy(patterns: readonly string[] | null): (cell: Pick<AcceptedCell, 'key'>) => boolean {
  const tests = patterns?.map(compilePattern);
  return ({ key }) => tests?.some((matches) => matches(key)) ?? true;
}

const wireLine = ({ model, quirks, only, sometimes }: WireEntry): object => ({
  model,
  quirks,
  ...(Object.keys(only).length > 0 && { only }),
  ...(sometimes.length > 0 && { sometimes }),
});

/**
 * Whether the filters of a run let all points of a probe through, by its line in `covers`. Other points of it may exist
 * that the run did not ask, and of which nobody has learned anything.
 */
function wholeProbes({ last_failed: lastFailed, filters = {} }: AcceptedRun['run']): (line: string) => boolean {
  if (lastFailed !== undefined) return () => false;
  const chosen = [filters['only'] ?? []].flat().map(compilePattern);
  // The beginning of every key that the pattern matches.
  const starts = [filters['skip'] ?? []].flat().map((pattern) => splitAtModel(pattern).head.replace(/\*.*$/s, ''));
  return (line) => {
    const { head } = splitAtModel(line);
    const isCut = starts.some((start) => head.startsWith(start) || start.startsWith(head));
    return !isCut && (chosen.length === 0 || chosen.some((matches) => matches(line)));
  };
}

/** Why no baseline is made of a run; null: nothing speaks against it. */
export function unsuitableBecause({ complete, profile, stops }: AcceptedRun['run']): 'truncated' | 'smoke' | null {
  if (!complete || endingStop(stops) !== undefined) return 'truncated';
  return profile === 'smoke' ? 'smoke' : null;
}

const endingStop = (stops: AcceptedRun['run']['stops']) =>
  stops?.find(({ target, model }) => target === null && model === null);

function refuseUnsuitable({ run }: AcceptedRun): void {
  const because = unsuitableBecause(run);
  if (because === 'truncated') {
    const stop = endingStop(run.stops);
    const why = stop?.kind === 'budget' ? 'its budget stopped it' : 'it ended';
    throw userError(
      `the run is truncated: ${why} before everything was asked, and a baseline is made of a whole run`,
      'finish it with chatspec run --resume (a larger budget, or all shards merged again), and then accept it',
    );
  }
  if (because === 'smoke') {
    const message = 'a smoke run asks each cell only once, which is too little for a baseline';
    throw userError(message, 'accept a run of the profile standard or certify');
  }
}
