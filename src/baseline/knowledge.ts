import type { BaselineEntry, Expected } from './entries.js';
import type { Learned } from './learned.js';
import type { Count } from '../stats/count.js';

/** A cell that is known from fewer trials may well be flaky, although none of them showed it. */
export const wellKnown = 10;

/** Which line of the baseline a cell was accepted by; null: it is new, or was accepted from enough trials. */
export function sinceOf(expected: Expected): string | null {
  return expected.kind !== 'new' && (expected.trials ?? wellKnown) < wellKnown ? lineOf(expected) : null;
}

/**
 * Which line of the baseline the trials of a cell are counted from; null: nobody counts them. A cell that was accepted from
 * enough trials is counted on if all of them passed, since it may have been lucky.
 */
export function countedFrom(expected: Expected): string | null {
  const isPass = expected.kind === 'pass' && expected.threshold === null && expected.trials !== undefined;
  return isPass ? lineOf(expected) : sinceOf(expected);
}

function lineOf(expected: Exclude<Expected, { kind: 'new' }>): string {
  if (expected.kind === 'pass') return `pass, ${expected.trials}`;
  const { verdict, class: outcome, reason, status, passed, date } = expected.entry;
  return [verdict, outcome, reason, status, passed, expected.trials, date].map((part) => part ?? '-').join(', ');
}

/** What is known of a cell of which the baseline knows little; null for a new cell, and for one that it knows well. */
export function knowledgeOf(expected: Expected): Count | null {
  if (sinceOf(expected) === null || expected.kind === 'new') return null;
  return expected.pooled ?? { passed: passedBehind(expected), total: expected.trials ?? 0 };
}

/**
 * How many trials showed the failure that the line names, of a cell of which the baseline knows little; null for any other.
 * Those of later runs are not among them: nobody counts which failure each of them showed.
 */
export function trialsOfKind(expected: Expected): number | null {
  return knowledgeOf(expected) === null || expected.kind === 'new' ? null : (expected.trials ?? null);
}

function passedBehind(expected: Exclude<Expected, { kind: 'new' }>): number {
  if (expected.kind === 'pass') return expected.trials ?? 0;
  return expected.entry.passed ?? 0;
}

/** How often a cell passed when its line was written; null: nobody counted. */
export function countsOf({ passed, total }: Pick<BaselineEntry, 'passed' | 'total'>): Count | null {
  return passed === null || total === null || total === 0 ? null : { passed, total };
}

/** All trials that the baseline and the runs since then count of a cell; null where nobody counted. */
export function trialsBehind(expected: Expected): Count | null {
  if (expected.kind === 'new') return null;
  if (expected.pooled !== undefined) return expected.pooled;
  const counted = expected.kind === 'entry' ? countsOf(expected.entry) : null;
  return counted ?? (expected.trials === undefined ? null : { passed: passedBehind(expected), total: expected.trials });
}

/** The same with what earlier runs learned, if that belongs to the same line of the baseline. */
export function withLearned(expected: Expected, learned: Learned | undefined): Expected {
  if (expected.kind === 'new' || learned === undefined || learned.since !== countedFrom(expected)) return expected;
  return { ...expected, pooled: { passed: learned.passed, total: learned.total } };
}
