import { compileGlob, compilePattern } from '../../cell/cell-pattern.js';
import type { Verdict } from '../../cell/verdict.js';
import type { Count } from '../../stats/count.js';
import type { CellSeen } from '../gathered.js';
import type { ReportCell } from '../report-format.js';

/** A cell as behaviours see it: docs/behaviours.md. */
export interface BehaviourCell {
  readonly key: string;
  readonly suite: string;
  readonly probe: string;
  readonly point: Readonly<Record<string, string>>;
  readonly capability: string;
  readonly verdict: Verdict;
  readonly class: string | null;
  readonly reason: string | null;
  readonly status: number | null;
  readonly detail: string | null;
  readonly rung: string | null;
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly faults: number;
  /** Its trials, with those of earlier runs as long as it has not changed. */
  readonly known: Count;
  readonly quirks: readonly string[];
  readonly threshold: ReportCell['threshold'];
  readonly enforcement: string | null;
  readonly reasoning_took_tokens: number;
  /** Its failures may be those of a flaky need, and say nothing about the cell itself. */
  readonly explained_by_need: boolean;
}

export function behaviourCell(cell: ReportCell, seen: CellSeen | undefined): BehaviourCell {
  const { key, suite, probe, point, capability, verdict, reason, status, detail, rung, quirks, threshold } = cell;
  const { total, passed, faults } = cell.trials;
  return {
    ...{ key, suite, probe, point, capability, verdict, class: cell.class, reason, status, detail, rung },
    ...{ total, passed, failed: total - passed, faults, known: knownTrials(cell) },
    ...{ quirks, threshold, enforcement: cell.enforcement },
    reasoning_took_tokens: seen?.reasoningTookTokens ?? 0,
    explained_by_need: cell.flaky_needs?.explain ?? false,
  };
}

/** What earlier runs showed of the cell counts as well, unless it may have changed since: a flaky cell may pass once tonight. */
export function knownTrials({
  known,
  doubt,
  standing,
  trials,
}: Pick<ReportCell, 'known' | 'doubt' | 'standing' | 'trials'>): Count {
  const isAsKnown = standing === 'as_expected' || standing === null;
  return isAsKnown && doubt === null && known !== null && known.total > trials.total ? known : trials;
}

/** A cell as patterns see it. */
interface Named {
  readonly key: string;
  readonly capability: string;
}

/** Whether a cell is meant by one of the patterns: one with a slash selects keys, one without capability ids. */
export function selects(which: string | readonly string[]): (cell: Named) => boolean {
  const tests = (typeof which === 'string' ? [which] : which).map((pattern) => {
    const test = pattern.includes('/') ? compilePattern(pattern) : compileGlob(pattern);
    return (cell: Named) => test(pattern.includes('/') ? cell.key : cell.capability);
  });
  return (cell) => tests.some((test) => test(cell));
}
