import type { JudgedVerdict } from '../cell/verdict.js';
import { wellKnown } from '../stats/evidence.js';
import type { Count } from '../stats/count.js';
import type { CellMemory, CellState } from './cell-state.js';
import type { BaselineEntry, Expected } from './entries.js';

type Covered = Exclude<Expected, { kind: 'new' }>;

/** What a line says of a cell; of one that passes, from how many trials and from which value on. */
type Line = Pick<BaselineEntry, 'class' | 'reason' | 'status' | 'passed' | 'threshold'> & {
  readonly verdict: JudgedVerdict;
  readonly date: string | null;
  readonly trials?: number;
};

/** Which line of the baseline the trials of a cell are counted from. */
export function nameOfLine({ verdict, class: outcome, reason, status, passed, threshold, date, trials }: Line): string {
  return [verdict, outcome, reason, status, passed, threshold, trials, date].map((part) => part ?? '-').join(', ');
}

export function lineOf(expected: Covered): Line {
  const trials = expected.trials === undefined ? {} : { trials: expected.trials };
  if (expected.kind === 'entry') return { ...expected.entry, ...trials };
  const none = { class: null, reason: null, status: null, passed: null, date: null };
  return { ...none, verdict: 'pass', threshold: expected.threshold, ...trials };
}

/** What the baseline alone knows of a cell. Where it does not say from how many trials, somebody vouches for it. */
function knownBy(expected: Covered): Count {
  if (expected.kind === 'pass') {
    const total = expected.trials ?? wellKnown;
    return { passed: total, total };
  }
  const { entry, trials = wellKnown } = expected;
  // Without counts, a rate is compared with nothing.
  if (entry.verdict === 'flaky') return countsOf(entry) ?? { passed: 0, total: 0 };
  return countsOf(entry) ?? { passed: 0, total: trials };
}

/** How often a cell passed when its line was written; null: nobody counted. */
function countsOf({ passed, total }: Pick<BaselineEntry, 'passed' | 'total'>): Count | null {
  return passed === null || total === null || total === 0 ? null : { passed, total };
}

/** All that is known of a cell, and its open doubt. */
export function stateOf(expected: Covered): CellState {
  return expected.state ?? { known: knownBy(expected), doubt: [] };
}

/** The same with what earlier runs learned, if that belongs to the same line of the baseline. */
export function withMemory(expected: Expected, memory: CellMemory | undefined): Expected {
  if (expected.kind === 'new' || memory === undefined || memory.since !== nameOfLine(lineOf(expected))) return expected;
  const { known, doubt } = memory;
  return { ...expected, state: { known, doubt } };
}
