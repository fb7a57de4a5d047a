import { probabilityOfFewer } from '../../stats/exact-test.js';
import type { Count } from '../../stats/count.js';
import { discoveryRate } from '../false-alarms.js';

/**
 * How many passes among so many fresh trials put an alarm out of reach, whatever the other trials show. Asking on would
 * change nothing: no p-value above the discovery rate stands, alone or over the run.
 * @param clearer what the p-value is multiplied by
 * @returns 0 where the known rate is so low that not even a row of failures would differ from it
 */
export function passesThatClear(known: Count, trials: number, clearer = 1): number {
  const alarms = (passed: number): boolean =>
    probabilityOfFewer({ passed, total: trials }, known) * clearer <= discoveryRate;
  let passed = 0;
  while (passed < trials && alarms(passed)) passed += 1;
  return passed;
}
