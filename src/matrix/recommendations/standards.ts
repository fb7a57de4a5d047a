import type { Count } from '../../stats/count.js';
import { probabilityOfAtLeast } from '../../stats/binomial.js';
import { wilson } from '../../stats/wilson.js';
import { trialsIn, type Evidence } from './evidence.js';

/** What is asked of the evidence about a choice. */
export interface Standard {
  /** Whether a single cell, or value of a search, goes with it. */
  readonly isGood: (evidence: Evidence) => boolean;
  /** What all of it together shows against it; undefined: nothing. */
  readonly contraryIn: (holding: readonly Evidence[]) => Evidence | undefined;
  readonly isEnough: (holding: readonly Evidence[]) => boolean;
}

/** A client can build on a form that passes so often. */
const reliableRate = 0.95;

const isClean = ({ trials }: Evidence): boolean => trials.total > 0 && trials.passed === trials.total;

/** Nothing fails. */
export const withoutFailure: Standard = standardOf(isClean);

/** Nothing fails but values. */
export const withStructure: Standard = standardOf((one) => isClean(one) || one.onlyValuesWrong);

function standardOf(isGood: Standard['isGood']): Standard {
  return { isGood, contraryIn: (holding) => holding.find((one) => !isGood(one)), isEnough: () => true };
}

/**
 * Some trials fail, but so few that each cell, everything together and everything that has one label in common may well
 * be reliable.
 */
export const withFewFailures: Standard = {
  isGood: mayBeReliable,
  contraryIn: (holding) => holding.find((one) => !mayBeReliable(one)) ?? worstLabel(holding),
  isEnough: (holding) => {
    const { passed, total } = trialsIn(holding);
    return wilson(passed, total)[0] >= usableRate;
  },
};

/** So low may the rate be, at worst, by all trials together. */
const usableRate = 0.9;

/** What earlier runs know of a cell does not outweigh what the report shows of it. */
function mayBeReliable({ trials, cell, isSearched }: Evidence): boolean {
  return [trials, ...(isSearched ? [] : [cell.trials])].every(
    ({ passed, total }) => total > 0 && wilson(passed, total)[1] >= reliableRate,
  );
}

/** Among the requests with one label in common, one that fails at times, if together they fail too often. */
function worstLabel(holding: readonly Evidence[]): Evidence | undefined {
  const labels = new Set(
    holding.flatMap((one) => Object.entries(one.labels).map(([name, label]) => `${name}=${label}`)),
  );
  for (const label of labels) {
    const alike = holding.filter((one) => Object.entries(one.labels).some(([name, own]) => `${name}=${own}` === label));
    if (isUnreliable(trialsIn(alike))) return alike.find(({ trials }) => trials.passed < trials.total);
  }
  return undefined;
}

/** Whether so many failures are too many to be taken for luck where a client can build on the form. */
export function isUnreliable({ passed, total }: Count): boolean {
  return passed < total && probabilityOfAtLeast(total - passed, total, 1 - reliableRate) < unlikely;
}

const unlikely = 0.05;
