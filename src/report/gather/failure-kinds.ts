import { compareTexts } from '../../json/compare-texts.js';
import { writtenJson } from '../../json/json.js';
import type { CellFailure } from '../../matrix/report-format.js';
import type { Ask } from '../../plan/plan.js';

/** So many kinds of failure of a cell the report tells apart; more are counted with none. */
const mostKinds = 20;
const shownViolations = 5;

interface FailedAsk {
  readonly ask: Ask;
  readonly failure: CellFailure;
}

/** The failures of a cell by class, reason and status: the first trial of each kind, and how many there are. */
export type FailureKinds = Map<string, FailedAsk>;

/** Trials may end in any order: the first of a kind is the one that was asked first. */
export function countFailure(kinds: FailureKinds, { ask, failure }: FailedAsk): void {
  const one = { ask, failure: { ...failure, violations: failure.violations.slice(0, shownViolations) } };
  const { class: kind, reason, status } = failure;
  const name = writtenJson([kind, reason, status]);
  const before = kinds.get(name);
  if (before === undefined) {
    if (kinds.size < mostKinds) kinds.set(name, one);
    return;
  }
  const first = byTrial(one, before) < 0 ? one : before;
  kinds.set(name, { ask: first.ask, failure: { ...first.failure, count: failureCount(before) + 1 } });
}

export function mostFrequentFirst(kinds: FailureKinds): readonly CellFailure[] {
  return [...kinds.values()]
    .sort((one, other) => failureCount(other) - failureCount(one) || byTrial(one, other))
    .map(({ failure }) => failure);
}

const failureCount = ({ failure }: FailedAsk): number => failure.count ?? 1;

/** Trials end in any order, and which ones are shown must not depend on it, or rejudging would change the report. */
function byTrial({ ask: a, failure: one }: FailedAsk, { ask: b, failure: other }: FailedAsk): number {
  return (
    Number(isNoEvidence(a, one)) - Number(isNoEvidence(b, other)) ||
    a.sample - b.sample ||
    compareTexts(a.kind, b.kind) ||
    compareTexts(writtenJson(a.patch), writtenJson(b.patch))
  );
}

/** A truncated reply proves nothing about the schema, so support cannot use it. */
const isNoEvidence = ({ kind }: Ask, { class: shown }: CellFailure): boolean =>
  kind !== 'trial' && shown === 'truncated';
