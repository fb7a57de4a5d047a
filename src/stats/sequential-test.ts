/** Wald's sequential probability ratio test between two pass rates, `reliable` above `broken`. */
export interface SequentialTest {
  readonly reliable: number;
  readonly broken: number;
  /** Bound on the probability of a wrong decision, in either direction (exactly: error / (1 - error)). */
  readonly error: number;
}

/** A test that gives up after `max` judged trials. */
export interface BoundedTest extends SequentialTest {
  readonly max: number;
}

/** The test where a suite sets no rates of its own. */
export const defaultTest: BoundedTest = { reliable: 0.95, broken: 0.7, error: 0.05, max: 40 };

export type TestState = 'reliable' | 'broken' | 'open';

/** Tolerance for comparing sums of logarithms that are mathematically equal. */
const rounding = 1e-9;

/** Log-likelihood ratio of broken over reliable: larger values favour broken. */
export function evidenceOfBroken(test: SequentialTest, passed: number, failed: number): number {
  return summedSteps(passed, passStep(test)) + summedSteps(failed, failStep(test));
}

/** The evidence at which the test decides `broken`; at its negative it decides `reliable`. */
export function boundary(test: SequentialTest): number {
  return Math.log((1 - test.error) / test.error);
}

/** Whether evidence has reached a boundary, give or take rounding. */
export function reaches(evidence: number, goal: number): boolean {
  return evidence >= goal - rounding;
}

/** The state of the test after this many passes and failures. */
export function sequentialTestState(test: SequentialTest, passed: number, failed: number): TestState {
  const evidence = evidenceOfBroken(test, passed, failed);
  if (reaches(evidence, boundary(test))) return 'broken';
  return reaches(-evidence, boundary(test)) ? 'reliable' : 'open';
}

/** Passes in a row that bring the evidence from `evidence` down to `goal`. */
export function passesTo(test: SequentialTest, evidence: number, goal: number): number {
  return wholeSteps((evidence - goal) / -passStep(test));
}

/** Failures in a row that bring the evidence from `evidence` up to `goal`. */
export function failuresTo(test: SequentialTest, evidence: number, goal: number): number {
  return wholeSteps((goal - evidence) / failStep(test));
}

/** The passes in a row, from the start, after which the test decides `reliable`. */
export function passesToReliable(test: SequentialTest): number {
  return passesTo(test, 0, -boundary(test));
}

/** The failures in a row, from the start, after which the test decides `broken`. */
export function failuresToBroken(test: SequentialTest): number {
  return failuresTo(test, 0, boundary(test));
}

/** The fewest further trials that could end the test; 0 when it has ended. */
export function fewestToDecide(test: SequentialTest, passed: number, failed: number): number {
  if (sequentialTestState(test, passed, failed) !== 'open') return 0;
  const evidence = evidenceOfBroken(test, passed, failed);
  return Math.min(passesTo(test, evidence, -boundary(test)), failuresTo(test, evidence, boundary(test)));
}

const passStep = (test: SequentialTest) => Math.log(test.broken / test.reliable);
const failStep = (test: SequentialTest) => Math.log((1 - test.broken) / (1 - test.reliable));
const wholeSteps = (exact: number) => Math.max(0, Math.ceil(exact - rounding));
/** Zero trials give no evidence, even where one trial would be infinitely strong evidence (a rate of 0 or 1). */
const summedSteps = (count: number, step: number) => (count === 0 ? 0 : count * step);
