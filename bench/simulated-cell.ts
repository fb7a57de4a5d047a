import type { BaselineEntry, Expected } from '../src/baseline/entries.js';
import type { Course, Finding } from '../src/decide/course.js';
import type { Outcome } from '../src/judge/outcome.js';
import type { Cell, Profile, Ticket } from '../src/plan/ticket.js';
import type { Probe } from '../src/suite/probe.js';
import { courseOf, trialsOf } from '../src/plan/make-plan.js';

/** A cell that passes with a known probability, so that its finding can be compared with the truth. */
export interface SimulatedCell {
  readonly key: string;
  /** Probability that a trial passes. */
  readonly rate: number;
  readonly expected: Expected;
  /** The probe's own number of trials. */
  readonly trials: number;
}

export function ticketOf({ key, expected, trials }: SimulatedCell, profile: Profile): Ticket {
  const probe = probeWith(trials);
  const spec = trialsOf(probe, profile, null);
  return {
    cell: { key, probe, point: {}, needs: [], selected: true, skip: null, capability: 'chat', model },
    expected,
    course: courseOf(probe, spec),
    trials: spec,
    confirm: profile !== 'smoke',
  };
}

/** Runs a course on coins. */
export function flip(course: Course, ticket: Ticket, passes: () => boolean): { finding: Finding; requests: number } {
  const asking = course(ticket);
  let requests = 0;
  let step = asking.next();
  while (step.done !== true) {
    requests += step.value.length;
    step = asking.next(step.value.map(() => (passes() ? pass : failure)));
  }
  return { finding: step.value, requests };
}

/** What `baseline accept` would write for a finding. */
export function acceptedAs(key: string, { verdict, trials, class: failure, reason, status }: Finding): Expected {
  if (verdict !== 'fail' && verdict !== 'flaky') return { kind: 'pass', threshold: null };
  const counts = { passed: trials.passed, total: trials.total };
  const rest = { date: '2026-01-01', note: null, link: null, provisional: false, threshold: null };
  const entry: BaselineEntry = { key, verdict, class: failure, reason, status, ...counts, ...rest };
  return { kind: 'entry', entry };
}

const place = { file: 'simulated', line: 1, column: 1 };
const model = { key: 'simulated/model', place } as unknown as Cell['model'];

function probeWith(count: number): Probe {
  const probe = { suite: 'simulated', name: 'coin', find: null, enforce: null, trials: { kind: 'count', count } };
  return probe as unknown as Probe;
}

const pass: Outcome = {
  passed: true,
  fault: false,
  class: null,
  reason: null,
  status: 200,
  detail: null,
  rung: 'correct',
  quirks: [],
  violations: [],
  value: undefined,
  reply: null,
  step: null,
  recovered: null,
};
const failure: Outcome = { ...pass, passed: false, class: 'schema_violation', detail: 'the coin fell', rung: 'parses' };
