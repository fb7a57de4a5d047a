import type { Ticket } from '../../plan/ticket.js';
import type { Finding } from '../course.js';
import type { Surprise } from '../../cell/verdict.js';
import { counted, testOf } from './sequential.js';
import { probabilityOfFewer, probabilityOfMore } from '../../stats/exact-test.js';
import { repeated, type Answered, type Asking, type Sampled } from './sample.js';
import {
  boundary,
  evidenceOfBroken,
  failuresTo,
  passesTo,
  stateOf,
  type SequentialTest,
} from '../../stats/sequential-test.js';
import { doubtOf, isKnownWay, type Doubt } from './baseline-doubt.js';

/** Most fresh trials that one surprise is worth; what they do not settle is shown, but raises no alarm. */
const freshLimit = 60;
/** Fresh trials for a cell that the baseline calls flaky. */
const freshForRate = 20;
/** False alarms a run may raise, on average, over all its cells together; and the false discovery rate's level. */
export const alarmsPerRun = 0.05;
export const discoveryRate = 0.01;

interface Conclusion {
  readonly surprise: Exclude<Surprise, null>;
  readonly needed: number;
  readonly pValue: number | null;
}

/**
 * Looks into a result that surprises the baseline with a fresh sample, which excludes the trials that caused the
 * surprise: they were picked for being surprising, so they prove nothing.
 * @param plannedCells of the whole run, before any shard was cut: the more cells, the stronger the evidence for an alarm
 */
export function* confirmed(ticket: Ticket, sampled: Sampled, plannedCells: number): Asking<Finding> {
  const doubt = ticket.confirm ? doubtOf(ticket, sampled) : null;
  if (doubt === null) return sampled.conclude();
  const first = sampled.sample.judged(sampled.concerns);
  const fresh = () => sampled.sample.judged(sampled.concerns).slice(first.length);
  const conclusion = yield* lookInto(doubt, ticket, sampled, { first, fresh, plannedCells });
  const { passed, total } = counted(fresh(), sampled.good);
  const finding = sampled.conclude();
  return {
    ...finding,
    needed: Math.max(finding.needed, conclusion.needed),
    surprise: conclusion.surprise,
    fresh: { suspicion: doubt.suspicion, passed, total, pValue: conclusion.pValue },
  };
}

interface Look {
  readonly first: readonly Answered[];
  readonly fresh: () => readonly Answered[];
  readonly plannedCells: number;
}

function lookInto(doubt: Doubt, ticket: Ticket, sampled: Sampled, look: Look): Asking<Conclusion> {
  switch (doubt.by) {
    case 'failures':
    case 'passes':
      return weighEvidence(doubt, testOf(ticket), sampled, look);
    case 'ways':
      return unbrokenRow(sampled, look, ({ outcome }) => isKnownWay(outcome, doubt.entry));
    case 'rate':
      return compareRates(doubt, sampled, look);
  }
}

/**
 * The sequential test over the fresh sample says alarm, over all trials it says all clear. An improvement is the same
 * with passes and failures exchanged. A new cell has no history that an alarm would contradict: it need only be decided.
 */
function* weighEvidence(doubt: Doubt, test: SequentialTest, sampled: Sampled, look: Look): Asking<Conclusion> {
  const alarm = doubt.suspicion === 'new' ? boundary(test) : Math.log(look.plannedCells / alarmsPerRun);
  const asExpected = (outcome: Answered['outcome']) => sampled.good(outcome) === (doubt.by === 'failures');
  const before = counted(look.first, asExpected);
  for (;;) {
    const fresh = counted(look.fresh(), asExpected);
    if (reaches(evidenceOfBroken(test, fresh.passed, fresh.failed), alarm)) return settled('confirmed');
    const [passed, failed] = [before.passed + fresh.passed, before.failed + fresh.failed];
    if (stateOf(test, passed, failed) === 'reliable') return settled('cleared');
    const fewest = Math.min(
      failuresTo(test, evidenceOfBroken(test, fresh.passed, fresh.failed), alarm),
      passesTo(test, evidenceOfBroken(test, passed, failed), -boundary(test)),
    );
    const batch = Math.min(fewest, freshLimit - fresh.total);
    if (batch <= 0 || sampled.sample.dry()) return { surprise: 'unsettled', needed: fewest, pValue: null };
    yield* sampled.sample.take(repeated(sampled.question, batch));
  }
}

/**
 * Alarm after a row of fresh trials so long that, were the expected still seen in half of them, it would be an accident
 * of less than `alarmsPerRun / plannedCells`; all clear as soon as the expected is seen.
 */
export function* unbrokenRow(
  sampled: Pick<Sampled, 'sample' | 'question'>,
  look: Look,
  expected: (answer: Answered) => boolean,
): Asking<Conclusion> {
  const row = Math.min(freshLimit, Math.ceil(Math.log2(look.plannedCells / alarmsPerRun)));
  for (;;) {
    if ([...look.first, ...look.fresh()].some(expected)) return settled('cleared');
    const missing = row - look.fresh().length;
    if (missing <= 0) return settled('confirmed');
    if (sampled.sample.dry()) return { surprise: 'unsettled', needed: missing, pValue: null };
    // One first: most surprises of this kind end there.
    yield* sampled.sample.take(repeated(sampled.question, look.fresh().length === 0 ? 1 : missing));
  }
}

function* compareRates(doubt: Extract<Doubt, { by: 'rate' }>, sampled: Sampled, look: Look): Asking<Conclusion> {
  yield* sampled.sample.take(repeated(sampled.question, freshForRate));
  const fresh = counted(look.fresh(), sampled.good);
  const missing = freshForRate - fresh.total;
  if (missing > 0) return { surprise: 'unsettled', needed: missing, pValue: null };
  const compare = doubt.suspicion === 'regression' ? probabilityOfFewer : probabilityOfMore;
  const pValue = compare(fresh, doubt.baseline);
  return { surprise: pValue <= discoveryRate ? 'confirmed' : 'cleared', needed: 0, pValue };
}

const settled = (surprise: 'confirmed' | 'cleared'): Conclusion => ({ surprise, needed: 0, pValue: null });
const reaches = (evidence: number, goal: number) => evidence >= goal - 1e-9;
