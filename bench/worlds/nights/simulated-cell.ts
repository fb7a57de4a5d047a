import type { Expected } from '../../../src/baseline/entries.js';
import { wellKnown } from '../../../src/stats/evidence.js';
import { splitAtModel } from '../../../src/cell/cell-key.js';
import type { Course, Finding } from '../../../src/decide/course.js';
import type { Outcome } from '../../../src/judge/outcome.js';
import type { RunProfile, PlannedCell } from '../../../src/plan/plan.js';
import { howAsked } from '../../../src/plan/make-plan.js';
import { aProbe, aPlannedCell, anEntry, countedTrials, failing, passing } from '../../../test/support/build.js';

/** A cell that passes with a known probability, so that findings can be compared with the truth. */
export interface SimulatedCell {
  readonly key: string;
  /** Probability that a trial passes. */
  readonly rate: number;
  readonly expected: Expected;
  /** The probe's own number of trials. */
  readonly trials: number;
}

export function plannedOf({ key, expected, trials }: SimulatedCell, profile: RunProfile): PlannedCell {
  const alike = `${profile} ${trials}`;
  const planned = cells.get(alike) ?? newCell(trials, profile);
  cells.set(alike, planned);
  const model = { ...planned.cell.model, key: splitAtModel(key).model ?? planned.cell.model.key };
  return { ...planned, expected, cell: { ...planned.cell, key, model, capability: capabilityOf(key) } };
}

/** A model of the built-in suites has about fifteen. */
const capabilityOf = (key: string): string => `capability-${Number(/-(\d+)@/.exec(key)?.[1] ?? 0) % 15}`;

/** Cells differ in nothing else, and a large run has thousands of them. */
const cells = new Map<string, PlannedCell>();

function newCell(trials: number, profile: RunProfile): PlannedCell {
  const probe = aProbe('simulated/coin', { trials: countedTrials(trials) });
  const planned = aPlannedCell(howAsked(probe, profile, null));
  return { ...planned, cell: { ...planned.cell, probe } };
}

/** Runs a course whose trials pass at random. */
export function flip(
  course: Course,
  planned: PlannedCell,
  passes: () => boolean,
  failure: () => Outcome = () => failing,
): { readonly finding: Finding; readonly requests: number } {
  const generator = course(planned);
  let requests = 0;
  let step = generator.next();
  while (step.done !== true) {
    requests += step.value.length;
    step = generator.next(step.value.map(() => (passes() ? passing : failure())));
  }
  return { finding: step.value, requests };
}

/** What `baseline accept` would write for a finding. */
export function acceptedAs(key: string, { verdict, trials, class: outcomeClass, reason, status }: Finding): Expected {
  const { passed, total } = trials;
  if (verdict !== 'fail' && verdict !== 'flaky') return { kind: 'pass', threshold: null, trials: total };
  const entry = { key, verdict, class: outcomeClass, reason, status, passed, total, provisional: total < wellKnown };
  return { ...anEntry(entry), trials: total };
}
