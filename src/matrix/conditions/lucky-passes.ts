import { defaultTest, stateOf } from '../../stats/sequential-test.js';
import { probabilityOfMore } from '../../stats/exact-test.js';
import type { Labelled } from './labelled.js';

/** Below this chance, nobody takes so many passes for luck. */
const leastChance = 0.01;

/** An axis in an explanation is worth about so many nats: it is chosen from some twenty labels. */
const natsOfAnAxis = 3;

/**
 * What it costs an explanation to say that these points pass by luck, since they fail like the others that it excludes;
 * null if that is not plausible. Requests that never pass do not pass by luck: the others must pass at times, and be known
 * from enough trials to be broken.
 */
export function priceOfLuck(lucky: readonly Labelled[], broken: readonly Labelled[]): number | null {
  if (lucky.length === 0) return 0;
  if (!passesAtTimes(broken) || !isBroken(broken)) return null;
  const [passed, total] = countOf(broken);
  if (lucky.some((one) => isProven(one) || !mayPassLike(broken, [one]))) return null;
  return (countOf(lucky)[0] * -Math.log((passed + 1) / (total + 2))) / natsOfAnAxis;
}

/** Whether points are known to be broken, or never passed. */
export function isBroken(points: readonly Labelled[]): boolean {
  const [passed, total] = countOf(points);
  return passed === 0 || stateOf(defaultTest, passed, total - passed) === 'broken';
}

/** Whether failures come and go among these points. */
export function passesAtTimes(points: readonly Labelled[]): boolean {
  return countOf(points)[0] > 0;
}

/** Whether points may have passed so often although they are no better than others that are broken. */
export function mayPassLike(broken: readonly Labelled[], lucky: readonly Labelled[]): boolean {
  const [passed, total] = countOf(broken);
  const [again, of] = countOf(lucky);
  return probabilityOfMore({ passed: again, total: of }, { passed, total }) >= leastChance;
}

/** A point that passed so often that its passes need no support of others. */
export function isProven({ trials }: Labelled): boolean {
  return trials === undefined || stateOf(defaultTest, trials.passed, trials.total - trials.passed) === 'reliable';
}

function countOf(points: readonly Labelled[]): readonly [passed: number, total: number] {
  return points.reduce<readonly [number, number]>(
    ([passed, total], { trials }) => [passed + (trials?.passed ?? 0), total + (trials?.total ?? 0)],
    [0, 0],
  );
}
