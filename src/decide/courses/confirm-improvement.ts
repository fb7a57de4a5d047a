import { failuresTo, fewestToDecide, type SequentialTest } from '../../stats/sequential-test.js';
import { alarmBoundary } from '../false-alarms.js';
import { afterFailing } from '../improvement.js';
import { freshLimit, settled, unsettled, type Conclusion, type FreshTrials } from './conclusion.js';
import { repeated, type Asking, type SampledCell } from './sample.js';
import { tally } from './sequential.js';

/**
 * A cell that is known well to fail passed. Confirms when the fresh sample shows that it passes now, and clears when it
 * still fails, be it less often.
 */
export function* confirmPassing(
  test: SequentialTest,
  { sample, question, isGood }: SampledCell,
  { first, fresh, plannedCells }: FreshTrials,
): Asking<Conclusion> {
  const alarm = alarmBoundary(plannedCells);
  const fewest = failuresTo(test, 0, alarm);
  for (;;) {
    const now = tally(fresh(), isGood);
    const after = afterFailing(test, now, tally([...first, ...fresh()], isGood), alarm);
    if (after === 'passes') return settled('confirmed');
    if (after !== 'open') return settled('cleared');
    // As long as no trial failed, both tests need passes.
    const missing = Math.max(1, fewestToDecide(test, now.passed, now.failed), fewest - now.total);
    const batch = Math.min(missing, freshLimit - now.total);
    if (batch <= 0 || sample.isExhausted()) return unsettled(missing);
    yield* sample.take(repeated(question, batch));
  }
}

/**
 * A cell that is known to pass only sometimes passed every time. Confirms after a long row of fresh passes, and clears
 * with the first failure. It begins with few trials and asks more as long as they pass, since most rows end soon.
 * @param row see `passesToImprove`
 */
export function* confirmRowOfPasses(
  row: number,
  { sample, question, isGood }: SampledCell,
  { fresh }: FreshTrials,
): Asking<Conclusion> {
  for (;;) {
    const { failed, total } = tally(fresh(), isGood);
    if (failed > 0) return settled('cleared');
    if (total >= row) return settled('confirmed');
    if (sample.isExhausted()) return unsettled(row - total);
    yield* sample.take(repeated(question, Math.min(total + 1, row - total)));
  }
}
