import { rungs, type Outcome, type Rung } from '../judge/outcome.js';
import { joined, wayOf } from '../baseline/ways-of-failing.js';
import type { Finding } from './course.js';
import type { Verdict } from '../cell/verdict.js';
import { wilson } from '../stats/count.js';
import { writtenJson } from '../json/json.js';

/**
 * The finding that the trials of a cell make. Faults are counted separately and give no verdict: without failures it is `pass`,
 * without passes `fail`, with both `flaky`, and with nothing but faults `inconclusive`. The order of the outcomes only
 * decides which of two equally frequent failures is named.
 * @param needed further trials that would have been needed to decide
 */
export function findingOf(outcomes: readonly Outcome[], needed = 0): Finding {
  const judged = outcomes.filter((outcome) => !outcome.fault);
  const passed = judged.filter((outcome) => outcome.passed).length;
  const verdict = verdictOfTrials(passed, judged.length);
  const shown = verdict === 'inconclusive' ? outcomes : judged.filter((outcome) => !outcome.passed);
  const typical = mostFrequent(shown);
  return {
    verdict,
    class: typical?.class ?? null,
    reason: typical?.reason ?? null,
    status: typical?.status ?? null,
    detail: typical?.detail ?? null,
    rung: lowestRung(judged),
    trials: {
      total: judged.length,
      passed,
      faults: outcomes.length - judged.length,
      interval: wilson(passed, judged.length),
      ...waysIn(judged),
    },
    needed,
    quirks: [...new Set(judged.flatMap((outcome) => outcome.quirks))].sort(),
    doubtOutcome: null,
    threshold: null,
    enforcement: null,
    recovery: recoveryOf(judged),
    law: null,
  };
}

/** Nothing where they failed in one way only, which the finding names. */
function waysIn(judged: readonly Outcome[]): Pick<Finding['trials'], 'ways'> {
  const failed = judged.filter((outcome) => !outcome.passed).map(wayOf);
  const { ways = {} } = joined(failed.map((way) => ({ passed: 0, total: 1, ways: { [way]: 1 } })));
  return Object.keys(ways).length > 1 ? { ways } : {};
}

function verdictOfTrials(passed: number, total: number): Verdict {
  if (total === 0) return 'inconclusive';
  if (passed === total) return 'pass';
  return passed === 0 ? 'fail' : 'flaky';
}

interface Alike {
  readonly first: Outcome;
  count: number;
}

/** An outcome of the largest group of alike ones; of groups of equal size, the first. */
function mostFrequent(outcomes: readonly Outcome[]): Outcome | undefined {
  const groups = new Map<string, Alike>();
  for (const outcome of outcomes) {
    const key = writtenJson([outcome.class, outcome.reason, outcome.status]);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { first: outcome, count: 1 });
    } else {
      group.count += 1;
    }
  }
  let largest: Alike | null = null;
  for (const group of groups.values()) if (group.count > (largest?.count ?? 0)) largest = group;
  return largest?.first;
}

function lowestRung(judged: readonly Outcome[]): Rung | null {
  const height = ({ rung }: Outcome): number => (rung === null ? -1 : rungs.indexOf(rung));
  const lowest = judged.reduce((least, outcome) => Math.min(least, height(outcome)), Infinity);
  return rungs[lowest] ?? null;
}

function recoveryOf(judged: readonly Outcome[]): Finding['recovery'] {
  const tried = judged.filter((outcome) => outcome.recovered !== null);
  if (tried.length === 0) return null;
  return { recovered: tried.filter((outcome) => outcome.recovered === true).length, of: tried.length };
}
