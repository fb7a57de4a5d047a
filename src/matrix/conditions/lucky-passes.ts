import { defaultTest, stateOf } from '../../stats/sequential-test.js';
import { wilson } from '../../stats/wilson.js';
import type { Labelled } from './labelled.js';

/** Below this chance, nobody takes so many passes for luck. */
const leastChance = 0.05;

/** An axis in an explanation is worth about so many nats: it is chosen from some twenty labels. */
const natsOfAnAxis = 3;

/**
 * What it costs an explanation to say that these points pass by luck, since they fail like the others that it excludes;
 * null if that is not plausible. Requests that never pass do not pass by luck: the others must pass at times, and be known
 * from enough trials to be broken.
 */
export function priceOfLuck(lucky: readonly Labelled[], broken: readonly Labelled[]): number | null {
  if (lucky.length === 0) return 0;
  const [passed, total] = countOf(broken);
  if (!passesAtTimes(broken)) return null;
  if (lucky.some((one) => isProven(one) || !mayPassLike(broken, [one]))) return null;
  return (countOf(lucky)[0] * -Math.log((passed + 1) / (total + 2))) / natsOfAnAxis;
}

/** Whether points are known to be broken and pass even so, now and then. */
export function passesAtTimes(broken: readonly Labelled[]): boolean {
  const [passed, total] = countOf(broken);
  return passed > 0 && stateOf(defaultTest, passed, total - passed) === 'broken';
}

/** Whether points may have passed so often although they are no better than others that are broken. */
export function mayPassLike(broken: readonly Labelled[], lucky: readonly Labelled[]): boolean {
  return wilson(...countOf(broken))[1] ** countOf(lucky)[0] >= leastChance;
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
