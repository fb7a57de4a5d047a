import { repeatabilityOf } from '../repeatability.js';
import { bothSides, type Direction, type JudgedCell, modelOf, type Pair } from './pair.js';

/**
 * The pairs in which a request that passed is now refused by rule. Not one of them: a refusal that the baseline or the
 * other side knows as occasional.
 * @param sameModels whether both sides asked the same models; a server error that moves from one cell to another is then
 *   a bad moment of the service
 */
export function refusedByRule(pairs: readonly Pair[], direction: Direction, sameModels: boolean): ReadonlySet<string> {
  const unsteady = new Set(
    pairs.filter((pair) => isUnsteady(pair, sameModels ? direction : null)).map((pair) => modelOf(pair)),
  );
  const refused = pairs.filter((pair) => {
    const { better, worse } = bothSides(pair, direction);
    if (worse.verdict !== 'fail' || better.verdict === 'fail' || isOccasional(worse, better)) return false;
    const kind = repeatabilityOf(worse);
    return kind === 'rule' || (kind === 'repeated' && !unsteady.has(modelOf(pair)));
  });
  return new Set(refused.map(({ name }) => name));
}

/** Whether a server error of this cell comes and goes. */
function isUnsteady(pair: Pair, direction: Direction | null): boolean {
  if ([pair.base, pair.head].some((cell) => cell.verdict === 'flaky' && repeatabilityOf(cell) === 'repeated'))
    return true;
  if (direction === null) return false;
  const { better, worse } = bothSides(pair, direction);
  return better.verdict === 'fail' && repeatabilityOf(better) === 'repeated' && worse.verdict === 'pass';
}

function isOccasional(worse: JudgedCell, better: JudgedCell): boolean {
  const known = [...(better.verdict === 'flaky' ? [better] : []), worse.expected, better.expected];
  return known.some((one) => one?.verdict === 'flaky' && one.class === worse.class && one.reason === worse.reason);
}
