import { sum } from '../../stats/sum.js';

/** Requests of a moment, and how many of them were refused. */
export interface Asked {
  readonly asked: number;
  readonly turnedAway: number;
}

/** So many stretches with as many requests each are compared, where there are so many moments. */
const stretches = 50;
/**
 * Standard deviations. Of 1,000 runs refused at random, at most 10 are taken for load (1,300 requests, one in a hundred
 * refused), usually fewer than 5. Refusals by gates of many kinds stand 3.4 and more above chance.
 */
const clearly = 3;
/** A coincidence of two proves nothing. */
const fewestPairs = 3;

/**
 * Whether refusals follow the load. A run slows down where it is refused, so those that follow the load come in crowds and
 * stop, while those that come at random or by count (every 20th request) are spread evenly over the requests, however fast
 * these are sent. Compares how many pairs of refusals fall into the same stretch with what chance gives.
 * @param moments in the order of time; only of first attempts, since what is sent again is sent after a refusal
 */
export function followsLoad(moments: readonly Asked[]): boolean {
  const asked = sum(moments.map((one) => one.asked));
  const refused = sum(moments.map((one) => one.turnedAway));
  const parts = partsOf(moments, asked / stretches);
  const pairs = sum(parts.map(({ turnedAway }) => pairsOf(turnedAway)));
  if (pairs < fewestPairs) return false;
  const [squares, cubes] = [2, 3].map((power) => sum(parts.map((part) => (part.asked / asked) ** power))) as [
    number,
    number,
  ];
  // Mean and variance of the pairs of a multinomial sample.
  const mean = pairsOf(refused) * squares;
  const triples = refused * (refused - 1) * (refused - 2);
  const variance = pairsOf(refused) * (squares - squares ** 2) + triples * (cubes - squares ** 2);
  return pairs - mean > clearly * Math.sqrt(Math.max(0, variance));
}

function partsOf(moments: readonly Asked[], least: number): readonly Asked[] {
  const parts: { asked: number; turnedAway: number }[] = [];
  for (const { asked, turnedAway } of moments) {
    const last = parts.at(-1);
    if (last === undefined || last.asked >= least) parts.push({ asked, turnedAway });
    else {
      last.asked += asked;
      last.turnedAway += turnedAway;
    }
  }
  return parts;
}

const pairsOf = (count: number): number => (count * (count - 1)) / 2;
