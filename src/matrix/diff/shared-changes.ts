import { isJudged } from '../../cell/verdict.js';
import type { SharedFailure } from '../../decide/shared-failure.js';
import { type Count, sumOf } from '../../stats/count.js';
import { boundOfFewer } from '../../stats/stratified-test.js';
import { unlikely } from '../../stats/unlikely.js';
import { firstTrialsOf, trialsWithShared } from '../first-trials.js';
import { isSameKind } from '../standing/shared-failures.js';
import type { ModelSide } from './lost-models.js';

/** A failure that spoils a share of all answers of a model, and that the base does not show. */
export interface SharedChange extends Pick<SharedFailure, 'class' | 'reason' | 'runs' | 'failed' | 'total' | 'alarm'> {
  /** The name that both sides share; where two models are compared, that of the head. */
  readonly model: string;
  /** First trials of the base in the same cells. */
  readonly base: Count;
  /** Bound on a one-sided exact test: so many fail, although the base fails in so few of the same cells. */
  readonly p: number;
}

type Models = ReadonlyMap<string, ModelSide>;

export function sharedChangesOf(base: Models, head: Models): SharedChange[] {
  return [...head].flatMap(([name, now]) => {
    const before = base.get(name);
    if (before === undefined) return [];
    const known = before.model.shared_failures ?? [];
    return (now.model.shared_failures ?? [])
      .filter((one) => !known.some((other) => isSameKind(one, other)))
      .map((one) => changeOf(one, name === '' ? now.model.id : name, before, now));
  });
}

/** An alarm that the base does not explain by luck. */
export const isProven = ({ alarm, p }: SharedChange): boolean => alarm && p <= unlikely;

function changeOf(failure: SharedFailure, model: string, before: ModelSide, now: ModelSide): SharedChange {
  const strata = [...now.cells].flatMap(([name, cell]) => {
    const was = before.cells.get(name);
    if (was === undefined || !isJudged(was) || !isJudged(cell)) return [];
    return [{ fresh: trialsWithShared(cell, failure), baseline: firstTrialsOf(was) }];
  });
  const { class: outcome, reason, runs, failed, total, alarm } = failure;
  const known = sumOf(strata.map(({ baseline }) => baseline));
  return {
    ...{ model, class: outcome, reason, runs, failed, total, alarm },
    ...{ base: { passed: known.passed, total: known.total }, p: boundOfFewer(strata) },
  };
}
